"""Raindrop: its CSV export."""

from collections.abc import Iterator
from typing import BinaryIO

from nexus.importers.csv_rows import Row, csv_rows
from nexus.importers.fields import date, flag, separated
from nexus.importers.items import highlight, item, records
from nexus.importers.peek import Peek
from nexus.importers.records import Record

_COLUMNS = {"url", "title", "folder", "tags", "created"}
_RAINDROP = {"excerpt", "highlights", "favorite", "cover"}
_NO_FOLDER = {"", "unsorted"}


def fits(peek: Peek) -> bool:
    columns = {*peek.columns}
    return columns >= _COLUMNS and bool(columns & _RAINDROP)


def read(file: BinaryIO) -> Iterator[Record]:
    yield from records(csv_rows(file), _item)


def _item(row: Row) -> Iterator[Record]:
    marks = row["highlights"].splitlines()
    folder = row["folder"]
    yield from item(
        row.line,
        row["url"],
        title=row["title"],
        saved_at=date(row["created"]),
        tags=separated(row["tags"], ","),
        folders=[] if folder.casefold() in _NO_FOLDER else [folder],
        favourite=flag(row["favorite"]),
        excerpt=row["excerpt"],
        highlights=[
            *highlight("", row["note"]),
            *(made for mark in marks for made in highlight(mark)),
        ],
    )
