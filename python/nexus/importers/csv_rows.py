"""The rows of a CSV file by the names of their columns, however long the file is.

A quote too many makes a row swallow those that follow it. Such a row does not have the columns of
the header, and is then given up after its first line, so that the others are read as what they are.
"""

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from nexus.importers.items import shortened
from nexus.importers.records import Skipped
from nexus.importers.text import text_lines

MAX_RECORD = 1024 * 1024
# The default is too small for the highlights of a long text. It holds for the whole process.
csv.field_size_limit(MAX_RECORD)
# Rereading is bounded too: a file can be made of nothing but quotes.
_REREAD = 4 * MAX_RECORD

WRONG_COLUMNS = "This row does not have the columns of the header."
CUT_OFF = "The file ends in the middle of this row."


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """The text in a column, without space around it; empty if there is no such column."""
        return self.cells.get(column, "").strip()


def header(head: str) -> tuple[str, ...]:
    """The names of the columns of a table that begins like this, in small letters."""
    for line in head.splitlines():
        if line.strip(" \ufeff,;\t"):
            try:
                names = next(csv.reader([line], delimiter=_delimiter(line)))
            except csv.Error:
                return ()
            return _names(names)
    return ()


def csv_rows(file: IO[bytes], *, ragged: bool = False) -> Iterator[Row | Skipped]:
    """The rows under the header. `ragged` rows, made by hand, may leave out columns at the end."""
    lines = _Lines(file)
    columns: tuple[str, ...] = ()
    delimiter = ","
    while (found := lines.record(delimiter)) is not None:
        line, row = found
        if not columns:
            columns = header(lines.taken[0])
            delimiter = _delimiter(lines.taken[0])
            continue
        if row is not None and not any(cell.strip() for cell in row):
            continue
        if row is not None and _complete(row, columns, ragged=ragged):
            yield Row(line, dict(zip(columns, row, strict=False)))
            continue
        what = shortened(lines.taken[0])
        ends = lines.taken[-1].endswith(("\n", "\r"))
        lines.give_up()
        yield Skipped(line, what, WRONG_COLUMNS if ends else CUT_OFF)


def _complete(row: list[str], columns: tuple[str, ...], *, ragged: bool) -> bool:
    if len(row) < len(columns):
        return ragged
    return not any(row[len(columns) :])


def _delimiter(line: str) -> str:
    """A comma; or what a spreadsheet put in its place."""
    return max(",;\t", key=line.count)


def _names(cells: list[str]) -> tuple[str, ...]:
    return tuple(cell.strip(" \ufeff").casefold() for cell in cells)


class _TooLong(Exception):
    pass


class _Lines:
    """Lines for a csv.reader, which can be given back."""

    def __init__(self, file: IO[bytes]) -> None:
        self._source = text_lines(file)
        self._again: deque[str] = deque()
        self._reread = _REREAD
        self._number = 0
        self._size = 0
        self.taken: list[str] = []

    def record(self, delimiter: str) -> tuple[int, list[str] | None] | None:
        """The line it begins in and its cells, None if they cannot be told; None at the end."""
        self.taken, self._size = [], 0
        line = self._number + 1
        try:
            return line, next(csv.reader(self, delimiter=delimiter))
        except StopIteration:
            return None
        except (csv.Error, _TooLong):
            return line, None

    def give_up(self) -> None:
        """Read all but the first line of the record again, as rows of their own."""
        rest = self.taken[1:]
        size = sum(map(len, rest))
        if rest and size <= self._reread:
            self._reread -= size
            self._again.extendleft(reversed(rest))
            self._number -= len(rest)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._size > MAX_RECORD:
            raise _TooLong
        if self._again:
            line = self._again.popleft()
        else:
            line = next(self._source)
            # What is read for the first time pays for rereading.
            self._reread += len(line)
        self._number += 1
        self._size += len(line)
        self.taken.append(line)
        return line
