"""Readwise Reader: its CSV export of everything saved."""

import ast
from collections.abc import Iterator
from typing import BinaryIO

from nexus.importers.csv_rows import Row, csv_rows
from nexus.importers.fields import date, fraction, separated, state_of, text
from nexus.importers.items import item, records, shortened
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped

_COLUMNS = {"title", "url", "document tags", "saved date", "location"}
_FROM_A_FEED = "It came with a feed and was never saved."
_MAX_LIST = 20_000


def fits(peek: Peek) -> bool:
    return {*peek.columns} >= _COLUMNS


def read(file: BinaryIO) -> Iterator[Record]:
    yield from records(csv_rows(file), _item)


def _item(row: Row) -> Iterator[Record]:
    location = row["location"].casefold()
    if location == "feed":
        yield Skipped(row.line, shortened(row["title"] or row["url"]), _FROM_A_FEED)
        return
    progress = fraction(row["reading progress"])
    yield from item(
        row.line,
        row["url"],
        title=row["title"],
        saved_at=date(row["saved date"]),
        tags=_tags(row["document tags"]),
        state=state_of(progress),
        progress=progress,
        archived=location == "archive",
    )


def _tags(cell: str) -> list[str]:
    """A list as Python writes it: with quotes of either kind, as each text needs it."""
    try:
        found = ast.literal_eval(cell) if 0 < len(cell) <= _MAX_LIST else []
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return [tag.strip("'\" ") for tag in separated(cell.strip("[]"), ",")]
    return [text(each) for each in found] if isinstance(found, list | tuple | set) else []
