"""The zip a book is packed in: found by whatever name its parts use, unpacked within limits.

An entry counts by what comes out of it, not by what it declares. Names are compared as broken
books need it: percent-encoded, with backslashes, in the wrong case, absolute or with `..`. Nothing
is ever written to disk under a name from the archive.
"""

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO
from unicodedata import normalize
from urllib.parse import unquote

from nexus.extractors.epub.problems import InvalidBook, TooComplexBook, UnreadableEntry
from nexus.extractors.epub.salvage import salvage

MIB = 1024 * 1024
MAX_PACKED = 50 * MIB
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


class Archive:
    """The files of a book by their names."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        self._left = MAX_UNPACKED
        self._entries: dict[str, zipfile.ZipInfo] = {}
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise TooComplexBook(
                f"This EPUB has {len(entries):,} files inside; at most {MAX_ENTRIES:,} are read."
            )
        for entry in entries:
            name = joined("", _name_of(entry))
            # Of several with one name the last counts, as when an archive was updated.
            if name and not entry.is_dir() and not _is_litter(name):
                self._entries[name] = entry
        self._folded = {name.casefold(): name for name in self._entries}

    def names(self) -> list[str]:
        """All files, in the order of the archive."""
        return list(self._entries)

    def find(self, name: str) -> str | None:
        """The file of this name, if need be in other letters."""
        return name if name in self._entries else self._folded.get(name.casefold())

    def linked(self, base: str, path: str) -> str | None:
        """The file that a relative address in another file leads to."""
        for candidate in dict.fromkeys((unquote(path), path)):
            found = self.find(joined(base, candidate))
            if found is not None:
                return found
        return None

    def read(self, name: str, *, most: int = MAX_DOCUMENT) -> bytes:
        """The bytes of a file; UnreadableEntry if they are not what was packed."""
        entry = self._entries[name]
        if entry.flag_bits & _LOCKED:
            raise UnreadableEntry(f"“{_short(name)}” in this EPUB is locked with a password.")
        if entry.compress_type not in _METHODS:
            raise UnreadableEntry(f"“{_short(name)}” in this EPUB is packed in an unknown way.")
        try:
            return self._unpacked(name, entry, most)
        except _DAMAGE as error:
            raise UnreadableEntry(f"“{_short(name)}” in this EPUB is damaged.") from error

    def _unpacked(self, name: str, entry: zipfile.ZipInfo, most: int) -> bytes:
        content = bytearray()
        with self._zip.open(entry) as stream:
            while chunk := stream.read(_CHUNK):
                content += chunk
                self._left -= len(chunk)
                if self._left < 0:
                    raise TooComplexBook(
                        f"This EPUB unpacks to more than {MAX_UNPACKED // MIB} MiB."
                    )
                packed_well = len(content) > _MAX_RATIO * max(1, entry.compress_size)
                if len(content) > most or (packed_well and len(content) > _SUSPICIOUS_FROM):
                    raise TooComplexBook(
                        f"“{_short(name)}” in this EPUB is too large: "
                        f"a document can have at most {MAX_DOCUMENT // MIB} MiB."
                    )
        return bytes(content)


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


@contextmanager
def opened_archive(file: BinaryIO) -> Iterator[Archive]:
    """The archive in a file; what is left of it, if its directory is damaged."""
    with ExitStack() as stack:
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGE:
            spool = stack.enter_context(tempfile.TemporaryFile())
            if not salvage(file, spool, most_entries=MAX_ENTRIES, most_bytes=MAX_UNPACKED):
                message = "This file is not a zip archive, which every EPUB is."
                raise InvalidBook(message) from None
            archive = zipfile.ZipFile(spool)
        yield Archive(stack.enter_context(archive))


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
