"""Rows out of a dump in the custom format of `pg_dump` 18, which archives had before format 2.

Such a dump is a program: functions, triggers and statements that `pg_restore` would run. Nothing
of that is read here but the rows of tables, which are data.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from nexus.backup.errors import DamagedArchive
from nexus.backup.rows import ZLIB, TableRows, inflated

_MAGIC = b"PGDMP"
_VERSION = b"\x01\x10\x00"  # 1.16.0
_SIZES_AND_CUSTOM = b"\x04\x08\x01"  # integers of 4 bytes, offsets of 8, custom format
_PLAIN, _GZIP = b"\x00", b"\x01"
_ROWS_BLOCK = b"\x01"
_MAX_ENTRIES = 10_000
_MAX_TEXT_BYTES = 1024 * 1024
_PIECE_BYTES = 1024 * 1024
_COPY = re.compile(r"COPY public\.\w+ \(([\w\", ]+)\) FROM stdin;\n")


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    table: str
    copy: str


def rows_of_dump(source: IO[bytes]) -> Mapping[str, TableRows]:
    """The tables in a dump, each with its rows; DamagedArchive for anything else."""
    reader = _Reader(source)
    compressed = reader.header()
    entries = list(reader.entries())
    starts = dict(reader.blocks())
    return {
        entry.table: _rows(reader, starts[entry.number], entry, compressed=compressed)
        for entry in entries
        if entry.number in starts
    }


def _rows(reader: "_Reader", start: int, entry: _Entry, *, compressed: bool) -> TableRows:
    statement = _COPY.fullmatch(entry.copy)
    columns = statement.group(1).split(", ") if statement else ()

    def chunks() -> Iterator[bytes]:
        pieces = reader.block(start)
        return inflated(pieces, ZLIB) if compressed else pieces

    return TableRows(tuple(column.strip('"') for column in columns), chunks)


class _Reader:
    def __init__(self, source: IO[bytes]) -> None:
        self._source = source

    def header(self) -> bool:
        """Whether rows are compressed."""
        known = self._bytes(11) == _MAGIC + _VERSION + _SIZES_AND_CUSTOM
        compression = self._bytes(1)
        if not known or compression not in {_PLAIN, _GZIP}:
            raise DamagedArchive("The database in the archive is in no form that Nexus ever wrote.")
        for _ in range(7):  # when it was made
            self._integer()
        for _ in range(3):  # name of the database, versions of server and program
            self._text()
        return compression == _GZIP

    def entries(self) -> Iterator[_Entry]:
        """The tables with rows, out of a list of everything a database can have."""
        count = self._integer()
        if count > _MAX_ENTRIES:
            raise DamagedArchive("The database in the archive has too many parts.")
        for _ in range(count):
            number = self._integer()
            self._integer()  # whether it has data
            self._text(), self._text()  # ids in the catalogue
            name, kind = self._text(), self._text()
            self._integer()  # section
            self._text(), self._text()  # statements that make and drop it
            copy, schema = self._text(), self._text()
            self._text(), self._text()  # tablespace and access method
            self._integer()  # kind of relation
            self._text(), self._text()  # owner, and what once were object ids
            while self._text() is not None:  # what it depends on
                pass
            self._bytes(9)  # where the data is: found by reading on
            if kind == "TABLE DATA" and schema == "public" and name is not None:
                yield _Entry(number, name, copy or "")

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Number and position of each block of rows behind the list.

        The list follows once more behind them, and is of no interest.
        """
        while self._source.read(1) == _ROWS_BLOCK:
            number = self._integer()
            yield number, self._source.tell()
            while size := self._length():
                self._source.seek(size, 1)

    def block(self, start: int) -> Iterator[bytes]:
        """The bytes of one block."""
        self._source.seek(start)
        while size := self._length():
            while size:
                piece = self._bytes(min(size, _PIECE_BYTES))
                size -= len(piece)
                yield piece

    def _text(self) -> str | None:
        size = self._integer()
        if size < 0:
            return None
        if size > _MAX_TEXT_BYTES:
            raise DamagedArchive("The database in the archive has a part that is too long.")
        return self._bytes(size).decode(errors="replace")

    def _length(self) -> int:
        size = self._integer()
        if size < 0:
            raise DamagedArchive("The database in the archive is damaged.")
        return size

    def _integer(self) -> int:
        negative, *digits = self._bytes(5)
        value = int.from_bytes(digits, "little")
        return -value if negative else value

    def _bytes(self, size: int) -> bytes:
        found = self._source.read(size)
        if len(found) != size:
            raise DamagedArchive("The database in the archive is cut off.")
        return found
