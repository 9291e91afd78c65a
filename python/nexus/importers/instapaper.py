"""Instapaper: its CSV export, of which there are three generations."""

import json
from collections.abc import Iterator
from typing import BinaryIO

from nexus.importers.csv_rows import Row, csv_rows
from nexus.importers.fields import epoch, separated, texts
from nexus.importers.items import highlight, item, records
from nexus.importers.peek import Peek
from nexus.importers.records import Record

_COLUMNS = {"url", "title", "selection", "folder"}
_STATES = {"", "unread", "archive", "starred"}


def fits(peek: Peek) -> bool:
    return {*peek.columns} >= _COLUMNS


def read(file: BinaryIO) -> Iterator[Record]:
    yield from records(csv_rows(file), _item)


def _item(row: Row) -> Iterator[Record]:
    folder, selection = row["folder"], row["selection"]
    # Without an address it is a text of one's own, not of a page.
    marks = highlight(selection) if row["url"] else highlight("", selection)
    yield from item(
        row.line,
        row["url"],
        title=row["title"],
        saved_at=epoch(row["timestamp"]),
        tags=_tags(row["tags"]),
        folders=[] if folder.casefold() in _STATES else [folder],
        archived=folder.casefold() == "archive",
        favourite=folder.casefold() == "starred",
        highlights=marks,
    )


def _tags(cell: str) -> list[str]:
    try:
        return texts(json.loads(cell or "[]"))
    except (ValueError, RecursionError):
        return separated(cell.strip("[]"), ",")
