"""Readwise: all highlights as it exports them, and the form in which it takes them.

Both have one row per highlight. The export does not have the addresses of articles.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from nexus.importers.csv_rows import Row, csv_rows
from nexus.importers.fields import color, date, number, separated
from nexus.importers.grouping import Groups
from nexus.importers.items import highlight
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped

_EXPORT = {"highlight", "book title", "book author"}
_IMPORT = {"highlight", "title"}
_IMPORT_MORE = {"author", "url", "note", "location", "date"}
_EMPTY = "This row has neither a highlight nor a note."
# What Readwise calls a favourite; its other tags with a dot are marks for its own use.
_FAVOURITE = ".favorite"


def fits(peek: Peek) -> bool:
    columns = {*peek.columns}
    return columns >= _EXPORT or (columns >= _IMPORT and bool(columns & _IMPORT_MORE))


def read(file: BinaryIO) -> Iterator[Record]:
    groups = Groups()
    for row in csv_rows(file, ragged=True):
        if isinstance(row, Skipped):
            yield row
        elif not (row["highlight"] or row["note"]):
            yield Skipped(row.line, row["book title"] or row["title"], _EMPTY)
        elif "book title" in row.cells:
            yield from _exported(groups, row)
        else:
            yield from _to_import(groups, row)
    yield from groups.finish()


def _exported(groups: Groups, row: Row) -> Iterator[Record]:
    marked_at = date(row["highlighted at"])
    tags = _tags(row["tags"])
    on_page = row["location type"].casefold() == "page"
    mark = highlight(
        row["highlight"],
        row["note"],
        color=color(row["color"]),
        created_at=marked_at,
        page=(row["location"] or None) if on_page else None,
        tags=[tag.lstrip(".") for tag in tags if tag == _FAVOURITE or not tag.startswith(".")],
    )
    authors = _authors(row["book author"])
    yield from groups.add(
        (row["book title"].casefold(), *authors),
        row.line,
        mark,
        order=number(row["location"]),
        tags=[tag for tag in _tags(row["document tags"]) if not tag.startswith(".")],
        saved_at=marked_at,
        url=None,
        title=row["book title"],
        authors=authors,
    )


def _to_import(groups: Groups, row: Row) -> Iterator[Record]:
    marked_at = date(row["date"])
    authors = _authors(row["author"])
    key = (row["url"],) if row["url"] else (row["title"].casefold(), *authors)
    yield from groups.add(
        key,
        row.line,
        highlight(row["highlight"], row["note"], created_at=marked_at),
        order=number(row["location"]),
        saved_at=marked_at,
        url=row["url"],
        title=row["title"],
        authors=authors,
    )


def _tags(cell: str) -> list[str]:
    """Separated by commas; or by spaces, if each begins with "#"."""
    if "," not in cell and cell.startswith("#"):
        return [word.lstrip("#") for word in cell.split()]
    return [tag.lstrip("#") for tag in separated(cell, ",")]


def _authors(cell: str) -> list[str]:
    return [name.strip() for name in re.split(r";|\band\b", cell) if name.strip()]
