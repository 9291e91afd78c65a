"""The archive: a plain tar that ends with a list of size and SHA-256 of all members, and its own.

A tar that was cut off has no such end, so what is not whole cannot be taken for whole.
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

from pydantic import BaseModel, ValidationError

from nexus.backup.errors import BackupError, DamagedArchive
from nexus.new_file import new_file

FORMAT = 1
DATABASE = "database.dump"
SECRETS = "secrets.json"
FILES = "files/"
_MANIFEST = "manifest.json"
_CHECKSUM = "manifest.sha256"
_CHUNK_BYTES = 1024 * 1024
_MAX_MANIFEST_BYTES = 256 * 1024 * 1024


class Entry(BaseModel):
    """Size and checksum of one member."""

    size: int
    sha256: str


class Manifest(BaseModel):
    """What is in an archive, and what the database in it is."""

    format: int = FORMAT
    created_at: datetime
    schema_revision: str
    rows: dict[str, int]
    entries: dict[str, Entry]
    deleted_meanwhile: list[str] = []
    """Items in the dump whose file was deleted, item and all, before it could be copied."""
    missing_files: list[str] = []
    """Files that the store had lost or damaged, or could not read. The archive is incomplete."""
    missing_because: dict[str, str] = {}
    """Why each of these is missing."""

    def stored_files(self) -> dict[str, Entry]:
        """The files of the store by their path in it."""
        found = self.entries.items()
        return {name.removeprefix(FILES): entry for name, entry in found if name.startswith(FILES)}


class ArchiveWriter:
    """Adds members and keeps their checksums."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.entries: dict[str, Entry] = {}

    def add(self, name: str, source: IO[bytes]) -> None:
        """Add a seekable file from its beginning to its end."""
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
        self.entries[name] = Entry(size=size, sha256=sha256_of(source))
        source.seek(0)
        self._write(name, source, size)

    def finish(self, manifest: Manifest) -> None:
        """Write the list that makes the archive whole."""
        text = manifest.model_dump_json(indent=1).encode()
        checksum = hashlib.sha256(text).hexdigest().encode()
        self._write(_MANIFEST, io.BytesIO(text), len(text))
        self._write(_CHECKSUM, io.BytesIO(checksum), len(checksum))

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
    """A verified archive. Its members can be read in any order."""

    def __init__(self, tar: tarfile.TarFile, manifest: Manifest) -> None:
        self._tar = tar
        self.manifest = manifest

    def open(self, name: str) -> IO[bytes]:
        """One member to read from."""
        member = self._tar.extractfile(name)
        assert member is not None
        return member

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of one member."""
        with self.open(name) as source:
            while chunk := source.read(_CHUNK_BYTES):
                yield chunk


@contextmanager
def opened_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and check every byte of it first; DamagedArchive when it is not whole."""
    with path.open("rb") as file:
        try:
            tar = tarfile.open(fileobj=file, mode="r:")  # noqa: SIM115
            manifest = _verified(tar)
        except (tarfile.TarError, EOFError) as error:
            raise DamagedArchive(f"{path} is damaged or no backup: {error}.") from None
        with tar:
            yield Archive(tar, manifest)


def sha256_of(source: IO[bytes] | BinaryIO) -> str:
    """The checksum of what is left to read."""
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def _verified(tar: tarfile.TarFile) -> Manifest:
    found: dict[str, Entry] = {}
    ending: dict[str, bytes] = {}
    for member in tar:
        source = tar.extractfile(member) if member.isreg() else None
        if source is None or _CHECKSUM in ending or member.name in found.keys() | ending.keys():
            raise DamagedArchive(f"The archive is damaged: {member.name!r} has no place in it.")
        with source:
            if member.name in {_MANIFEST, _CHECKSUM}:
                ending[member.name] = source.read(_MAX_MANIFEST_BYTES)
            else:
                found[member.name] = Entry(size=member.size, sha256=sha256_of(source))
    text = ending.get(_MANIFEST, b"")
    if ending.get(_CHECKSUM) != hashlib.sha256(text).hexdigest().encode():
        raise DamagedArchive("The archive is not whole: its list of contents is not.")
    manifest = _parsed(text)
    _compare(found, manifest.entries)
    return manifest


def _parsed(text: bytes) -> Manifest:
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError:
        raise DamagedArchive(
            "The archive is damaged: its list of contents is unreadable."
        ) from None
    if manifest.format != FORMAT:
        raise BackupError(
            f"This archive has format {manifest.format}, this Nexus reads {FORMAT}: update Nexus."
        )
    return manifest


def _compare(found: dict[str, Entry], listed: dict[str, Entry]) -> None:
    for name in sorted(found.keys() | listed.keys()):
        if found.get(name) != listed.get(name):
            raise DamagedArchive(f"The archive is damaged: {name!r} is not as it was written.")
    if DATABASE not in found:
        raise DamagedArchive("The archive is damaged: it holds no database.")
