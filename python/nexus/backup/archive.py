"""The archive: a plain tar that ends with a list of size and SHA-256 of all members, and its own.

A tar that was cut off has no such end, so what is not whole cannot be taken for whole. The list is
signed with the installation's key. An archive may come from anywhere: until all of it was checked,
it is read as something made to do harm.
"""

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO

from pydantic import BaseModel, NonNegativeInt, ValidationError

from nexus.atomic_file import new_file
from nexus.backup.errors import BackupError, DamagedArchive
from nexus.signing import is_signature, sign

FORMAT = 2
DUMP_FORMAT = 1
"""The format before: the database as a dump of `pg_dump`, and no signature."""
DUMP = "database.dump"
SECRETS = "secrets.json"
FILES = "files/"
_MANIFEST = "manifest.json"
_SIGNATURE = "manifest.hmac"
_CHECKSUM = "manifest.sha256"
_CHUNK_BYTES = 1024 * 1024
_MAX_MEMBERS = 500_000
_MAX_MANIFEST_BYTES = 128 * 1024 * 1024
_MAX_ENDING_BYTES = 1024


class Entry(BaseModel):
    """Size and checksum of one member."""

    size: NonNegativeInt
    sha256: str


class Manifest(BaseModel):
    """What is in an archive, and what the database in it is."""

    format: int = FORMAT
    created_at: datetime
    schema_revision: str
    rows: dict[str, int]
    columns: dict[str, list[str]] = {}
    """The columns of each table, in the order of its rows."""
    entries: dict[str, Entry]
    deleted_meanwhile: list[str] = []
    """Items whose rows are here and whose file was deleted, item and all, before it was copied."""
    missing_files: list[str] = []
    """Files that the store had lost or damaged, or could not read. The archive is incomplete."""
    missing_because: dict[str, str] = {}
    """Why each of these is missing."""

    def stored_files(self) -> dict[str, Entry]:
        """The files of the store by their path in it."""
        found = self.entries.items()
        return {name.removeprefix(FILES): entry for name, entry in found if name.startswith(FILES)}


def rows_member(table: str) -> str:
    """The member with the rows of a table."""
    return f"tables/{table}.copy.gz"


class ArchiveWriter:
    """Adds members and keeps their checksums."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.entries: dict[str, Entry] = {}

    def add(self, name: str, source: IO[bytes]) -> None:
        """Add a seekable file from its beginning to its end."""
        if len(self.entries) >= _MAX_MEMBERS:
            raise BackupError(f"There are more than {_MAX_MEMBERS} files: too many for an archive.")
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
        self.entries[name] = Entry(size=size, sha256=sha256_of(source))
        source.seek(0)
        self._write(name, source, size)

    def finish(self, manifest: Manifest, *, key: bytes) -> None:
        """Write the list that makes the archive whole, and sign it."""
        text = manifest.model_dump_json(indent=1).encode()
        if len(text) > _MAX_MANIFEST_BYTES:
            raise BackupError("The list of contents is too long for an archive.")
        # The checksum comes last, where an older Nexus expects it: it then names the format.
        ending = {
            _MANIFEST: text,
            _SIGNATURE: sign(key, text).encode(),
            _CHECKSUM: hashlib.sha256(text).hexdigest().encode(),
        }
        for name, content in ending.items():
            self._write(name, io.BytesIO(content), len(content))

    def _write(self, name: str, source: IO[bytes], size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        member.mtime = int(datetime.now(UTC).timestamp())
        self._tar.addfile(member, source)


@contextmanager
def new_archive(path: Path) -> Iterator[ArchiveWriter]:
    """Write an archive that appears under its name only when it is whole."""
    with (
        new_file(path) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        yield ArchiveWriter(tar)


class Archive:
    """An archive whose bytes are those that were written. Its members are read in any order."""

    def __init__(
        self, tar: tarfile.TarFile, members: dict[str, tarfile.TarInfo], ending: dict[str, bytes]
    ) -> None:
        self._tar = tar
        self._members = members
        self._text = ending[_MANIFEST]
        self._signature = ending.get(_SIGNATURE, b"").decode("utf-8", "replace")
        self.manifest = _parsed(self._text)

    def is_signed_with(self, key: bytes) -> bool:
        """Whether an installation with this key made it, and nobody changed it since."""
        return is_signature(self._signature, key=key, message=self._text)

    def open(self, name: str) -> IO[bytes]:
        """One member to read from."""
        member = self._tar.extractfile(self._members[name])
        assert member is not None
        return member

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of one member; DamagedArchive when they are no longer those checked before."""
        digest = hashlib.sha256()
        with self.open(name) as source:
            while chunk := source.read(_CHUNK_BYTES):
                digest.update(chunk)
                yield chunk
        if digest.hexdigest() != self.manifest.entries[name].sha256:
            raise DamagedArchive(f"The archive was changed while it was read: {name!r}.")


@contextmanager
def opened_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and check every byte of it first; DamagedArchive when it is not whole."""
    with path.open("rb") as file:
        try:
            tar = tarfile.open(fileobj=_BoundedReads(file), mode="r:")  # type: ignore[call-overload]  # noqa: SIM115
            archive = _verified(tar)
        # A chain of headers that describe each other makes tarfile recurse.
        except (tarfile.TarError, EOFError, ValueError, RecursionError) as error:
            raise DamagedArchive(f"{path} is damaged or no backup: {error}.") from None
        with tar:
            yield archive


class _BoundedReads:
    """A file read in small pieces only: tarfile reads headers as long as they claim to be."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _CHUNK_BYTES:
            raise DamagedArchive("The archive is damaged: it has a header that is too long.")
        return self._file.read(size)


def sha256_of(source: IO[bytes] | BinaryIO) -> str:
    """The checksum of what is left to read."""
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def _verified(tar: tarfile.TarFile) -> Archive:
    members: dict[str, tarfile.TarInfo] = {}
    found: dict[str, Entry] = {}
    ending: dict[str, bytes] = {}
    for member in tar:
        if _CHECKSUM in ending or member.name in members or not _is_plain(member):
            raise DamagedArchive(f"The archive is damaged: {member.name!r} has no place in it.")
        if len(members) > _MAX_MEMBERS:
            raise DamagedArchive(f"The archive has more than {_MAX_MEMBERS} parts.")
        members[member.name] = member
        source = tar.extractfile(member)
        assert source is not None
        with source:
            if member.name in {_MANIFEST, _SIGNATURE, _CHECKSUM}:
                ending[member.name] = _short(source, member)
            else:
                found[member.name] = Entry(size=member.size, sha256=sha256_of(source))
    text = ending.setdefault(_MANIFEST, b"")
    if ending.get(_CHECKSUM) != hashlib.sha256(text).hexdigest().encode():
        raise DamagedArchive("The archive is not whole: its list of contents is not.")
    archive = Archive(tar, members, ending)
    _compare(found, archive.manifest.entries)
    return archive


def _is_plain(member: tarfile.TarInfo) -> bool:
    """A file with the bytes that are there: no link, and no holes that unpack to anything."""
    return member.isreg() and not member.issparse() and member.size >= 0


def _short(source: IO[bytes], member: tarfile.TarInfo) -> bytes:
    limit = _MAX_MANIFEST_BYTES if member.name == _MANIFEST else _MAX_ENDING_BYTES
    if member.size > limit:
        raise DamagedArchive(f"The archive is damaged: {member.name!r} is too long.")
    return b"".join(iter(lambda: source.read(_CHUNK_BYTES), b""))


def _parsed(text: bytes) -> Manifest:
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError:
        raise DamagedArchive(
            "The archive is damaged: its list of contents is unreadable."
        ) from None
    if manifest.format not in {DUMP_FORMAT, FORMAT}:
        raise BackupError(
            f"This archive has format {manifest.format}, this Nexus reads {FORMAT}: update Nexus."
        )
    return manifest


def _compare(found: dict[str, Entry], listed: dict[str, Entry]) -> None:
    for name in sorted(found.keys() | listed.keys()):
        if found.get(name) != listed.get(name):
            raise DamagedArchive(f"The archive is damaged: {name!r} is not as it was written.")
