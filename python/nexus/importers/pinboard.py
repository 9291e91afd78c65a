"""Pinboard: its JSON export."""

from collections.abc import Iterator
from typing import BinaryIO

from nexus.db.enums import ReadingState
from nexus.importers.fields import date, flag, text
from nexus.importers.items import highlight, item, records
from nexus.importers.json_values import Entry, Object, objects
from nexus.importers.peek import Peek
from nexus.importers.records import Record


def fits(peek: Peek) -> bool:
    return {"item.href", "item.description"} <= peek.paths


def read(file: BinaryIO) -> Iterator[Record]:
    yield from records(objects(file, "item", like=_is_bookmark), _item)


def _is_bookmark(value: Object) -> bool:
    return "href" in value and "description" in value


def _item(entry: Entry) -> Iterator[Record]:
    given = entry.value
    yield from item(
        entry.line,
        given.get("href"),
        title=given.get("description"),
        saved_at=date(given.get("time")),
        tags=text(given.get("tags")).split(),
        state=ReadingState.UNREAD if flag(given.get("toread")) else None,
        highlights=highlight("", given.get("extended")),
    )
