"""Zips are read by whatever names their entries use, and unpacked within limits.

An entry counts by what comes out of it, not by what it declares. Names are compared as broken
archives need it: with backslashes, in the wrong case, absolute or with `..`. Nothing is ever
written to disk under a name from the archive.
"""

import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from typing import IO, TYPE_CHECKING, BinaryIO, Self, cast
from unicodedata import normalize

from nexus.zips.problems import NotAZip, UnreadableEntry, ZipTooLarge
from nexus.zips.salvage import salvage

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MIB = 1024 * 1024
MAX_UNPACKED = 500 * MIB
MAX_ENTRIES = 20_000
MAX_DOCUMENT = 20 * MIB
# Text packs to a tenth, and blank paper to less; more than this is made to fill memory.
_MAX_RATIO = 200
_SUSPICIOUS_FROM = 10 * MIB

_CHUNK = MIB
_LOCKED, _UTF8_NAME = 0x1, 0x800
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError),
)


class ZipReader:
    """The files of an archive by their names."""

    called = "archive"
    """What people call an archive of this kind."""
    takes_damaged = False
    """Whether a file is of use up to where it is damaged."""

    def __init__(self, archive: zipfile.ZipFile, file: BinaryIO, stack: ExitStack) -> None:
        self._zip, self._file, self._stack = archive, file, stack
        self._salvaged: ZipReader | None = None
        self._left = MAX_UNPACKED
        self._entries: dict[str, zipfile.ZipInfo] = {}
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise ZipTooLarge(
                f"This {self.called} has {len(entries):,} files inside; "
                f"at most {MAX_ENTRIES:,} are read."
            )
        for entry in entries:
            name = joined("", _name_of(entry))
            # Of several with one name the last counts, as when an archive was updated.
            if name and not entry.is_dir() and not _is_litter(name):
                self._entries[name] = entry
        self._folded = {name.casefold(): name for name in self._entries}

    @classmethod
    @contextmanager
    def opened(cls, file: BinaryIO) -> Iterator[Self]:
        """The archive in a file; what is left of it, if its directory is damaged."""
        with ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(file))
            except _DAMAGE:
                archive = _salvaged(file, stack, damaged=cls.takes_damaged)
            yield cls(archive, file, stack)

    def names(self) -> list[str]:
        """All files, in the order of the archive."""
        return list(self._entries)

    def find(self, name: str) -> str | None:
        """The file of this name, if need be in other letters."""
        return name if name in self._entries else self._folded.get(name.casefold())

    def read(self, name: str, *, most: int = MAX_DOCUMENT) -> bytes:
        """The bytes of a file; UnreadableEntry if they are not what was packed."""
        with self.open(name, most=most) as stream:
            return stream.read()

    def open(self, name: str, *, most: int = MAX_UNPACKED) -> IO[bytes]:
        """The bytes of a file as they are unpacked, one pass from the beginning."""
        entry = self._entries[name]
        if entry.flag_bits & _LOCKED:
            raise UnreadableEntry(f"{self._called(name)} is locked with a password.")
        if entry.compress_type not in _METHODS:
            raise UnreadableEntry(f"{self._called(name)} is packed in an unknown way.")
        unchecked = copy(entry)
        # The checksum is compared here, so that what comes before the damage can be read.
        del unchecked.CRC
        try:
            packed = cast(zipfile.ZipExtFile, self._zip.open(unchecked))
        except _DAMAGE as error:
            raise self.damaged(name) from error
        return io.BufferedReader(_Entry(self, name, entry, packed, most), _CHUNK)

    def rest_of(self, name: str) -> bytes:
        """What can still be unpacked of a file that is damaged, or not where it should be."""
        if self._salvaged is None:
            archive = _salvaged(self._file, self._stack, damaged=True)
            self._salvaged = ZipReader(archive, self._file, self._stack)
        found = self._salvaged.find(name)
        return b"" if found is None else self._salvaged.read(found, most=MAX_UNPACKED)

    def count(self, name: str, entry: zipfile.ZipInfo, *, new: int, size: int, most: int) -> None:
        """Raise ZipTooLarge if this much is too much."""
        self._left -= new
        if self._left < 0:
            raise ZipTooLarge(f"This {self.called} unpacks to more than {MAX_UNPACKED // MIB} MiB.")
        packed_well = size > _MAX_RATIO * max(1, entry.compress_size)
        if size > most or (packed_well and size > _SUSPICIOUS_FROM):
            raise ZipTooLarge(
                f"{self._called(name)} is too large: a document can have at most {most // MIB} MiB."
            )

    def damaged(self, name: str) -> UnreadableEntry:
        return UnreadableEntry(f"{self._called(name)} is damaged.")

    def _called(self, name: str) -> str:
        return f"“{_short(name)}” in this {self.called}"


class _Entry(io.RawIOBase):
    """The bytes of one file, counted as they come out."""

    def __init__(
        self,
        archive: ZipReader,
        name: str,
        entry: zipfile.ZipInfo,
        packed: zipfile.ZipExtFile,
        most: int,
    ) -> None:
        self._archive, self._name, self._entry = archive, name, entry
        self._packed, self._most = packed, most
        self._size = self._checksum = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        try:
            chunk = self._packed.read1(len(view))
        except _DAMAGE as error:
            raise self._archive.damaged(self._name) from error
        self._checksum = zlib.crc32(chunk, self._checksum)
        if not chunk and self._checksum != self._entry.CRC:
            raise self._archive.damaged(self._name)
        self._size += len(chunk)
        self._archive.count(
            self._name, self._entry, new=len(chunk), size=self._size, most=self._most
        )
        view[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._packed.close()
        super().close()


def _salvaged(file: BinaryIO, stack: ExitStack, *, damaged: bool) -> zipfile.ZipFile:
    """What is left of an archive whose directory is of no use."""
    spool = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
    limits = {"most_entries": MAX_ENTRIES, "most_bytes": MAX_UNPACKED}
    if not salvage(file, spool, **limits, damaged=damaged):
        raise NotAZip("This file is not a zip archive.")
    return stack.enter_context(zipfile.ZipFile(spool))


def joined(base: str, path: str) -> str:
    """A path relative to a file, from the root of the archive, which it never leaves."""
    path = path.replace("\\", "/")
    folder = "" if path.startswith("/") else base.rpartition("/")[0]
    segments: list[str] = []
    for segment in f"{folder}/{path}".split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in ("", "."):
            segments.append(segment)
    return normalize("NFC", "/".join(segments))


def _name_of(entry: zipfile.ZipInfo) -> str:
    """Many programs write UTF-8 without saying so."""
    if not entry.flag_bits & _UTF8_NAME:
        try:
            return entry.filename.encode("cp437").decode()
        except UnicodeError:
            pass
    return entry.filename


def _is_litter(name: str) -> bool:
    """What the systems leave in archives that they make."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith((".", "Thumbs.db"))


def _short(name: str) -> str:
    return name if len(name) <= 80 else f"…{name[-79:]}"
