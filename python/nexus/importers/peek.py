"""A look at the beginning of a file, which is enough to tell its format."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import islice
from typing import IO, BinaryIO

from nexus.importers.archives import is_zip, opened_zip
from nexus.importers.csv_rows import header
from nexus.importers.json_values import DAMAGE, events
from nexus.importers.text import encoding_of
from nexus.zips.problems import UnreadableEntry
from nexus.zips.reader import ZipReader

_HEAD = 64 * 1024
_EVENTS = 5000


class Peek:
    """The first text of a file, or the archive that it is, seen as each format needs it."""

    def __init__(self, file: IO[bytes], archive: ZipReader | None = None) -> None:
        self._file = file
        self.archive = archive

    @cached_property
    def text(self) -> str:
        """The first text, without blank lines before it; none of an archive."""
        if self.archive is not None:
            return ""
        self._file.seek(0)
        head = self._file.read(_HEAD)
        return head.decode(encoding_of(head), "replace").lstrip("\ufeff \t\r\n")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Of a CSV file: the header in small letters."""
        return () if self.text.startswith(("{", "[", "<")) else header(self.text)

    @cached_property
    def paths(self) -> frozenset[str]:
        """Of a JSON file: the paths of its first values, as "item.url"."""
        found: set[str] = set()
        if self.text.startswith(("{", "[")):
            self._file.seek(0)
            with suppress(*DAMAGE):
                for prefix, _, _ in islice(events(self._file), _EVENTS):
                    found.add(prefix)
        return frozenset(found)

    @property
    def names(self) -> list[str]:
        """Of an archive: the files inside."""
        return [] if self.archive is None else self.archive.names()

    def inside(self, name: str) -> "Peek":
        """A look at a file inside the archive; at nothing, if it cannot be read."""
        head = b""
        if self.archive is not None:
            with suppress(UnreadableEntry), self.archive.open(name) as stream:
                head = stream.read(_HEAD)
        return Peek(io.BytesIO(head))


@contextmanager
def peeked(file: BinaryIO) -> Iterator[Peek]:
    """A look at an open file."""
    file.seek(0)
    if is_zip(file.read(4)):
        with opened_zip(file) as archive:
            yield Peek(file, archive)
    else:
        yield Peek(file)
