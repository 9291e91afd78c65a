"""Kindle: "My Clippings.txt", to which a device only ever appends.

A changed highlight is there twice, and a note is an entry of its own that only its place connects
with what it is about.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO

from nexus.importers.items import shortened
from nexus.importers.kindle_books import Books
from nexus.importers.kindle_entries import Clipping, Kind, is_description, parsed
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped
from nexus.importers.text import text_lines

_END = re.compile(r"={5,}\s*")
_ENTRY = re.compile(r"^[^\r\n]+\r?\n\ufeff?- [^\r\n]*[|｜][^\r\n]*\r?\n", re.M)
_MAX_LINES = 5000

_NO_TEXT = "It is a bookmark without text."
_AT_LIMIT = "The publisher's limit for clippings was reached, so its text is not in the file."
_NOT_AN_ENTRY = "This is not an entry as Kindles write them."


def fits(peek: Peek) -> bool:
    return _ENTRY.search(peek.text) is not None and "=====" in peek.text


def read(file: BinaryIO) -> Iterator[Record]:
    books = Books()
    for found in _clippings(file):
        if isinstance(found, Skipped):
            yield found
        elif found.kind is Kind.BOOKMARK:
            yield Skipped(found.line, shortened(found.title), _NO_TEXT)
        elif found.kind is Kind.LIMIT:
            yield Skipped(found.line, shortened(found.title), _AT_LIMIT)
        else:
            yield from books.add(found)
    yield from books.finish()


def _clippings(file: BinaryIO) -> Iterator[Clipping | Skipped]:
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text_lines(file), 1):
        if _END.fullmatch(line.strip("\ufeff")) or len(block) == _MAX_LINES:
            yield from _entries(block)
            block = []
        elif block or line.strip("\ufeff \r\n\t"):
            block.append((number, line))
    yield from _entries(block)


def _entries(block: list[tuple[int, str]]) -> Iterator[Clipping | Skipped]:
    """The entry between two lines of "="; several, if a line between them was lost."""
    starts: list[int] = []
    for at in range(1, len(block)):
        # A text may have a line that looks like it; the blank line that follows tells.
        before_blank = at + 1 < len(block) and not block[at + 1][1].strip()
        is_next = at == 1 or (before_blank and (not starts or at - 1 > starts[-1] + 1))
        if is_next and is_description(block[at][1]):
            starts.append(at - 1)
    if block and starts[:1] != [0]:
        yield Skipped(block[0][0], shortened(block[0][1]), _NOT_AN_ENTRY)
    for start, end in pairwise([*starts, len(block)]):
        (line, title), (_, description), *rest = block[start:end]
        text = "".join(each for _, each in rest).replace("\r\n", "\n").strip("\ufeff \r\n\t")
        yield parsed(line, title, description, text)
