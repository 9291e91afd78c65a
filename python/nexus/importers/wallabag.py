"""wallabag: its JSON export, with annotations."""

from collections.abc import Iterator
from typing import BinaryIO

from nexus.importers.fields import date, flag, mappings, texts
from nexus.importers.items import highlight, item, records
from nexus.importers.json_values import Entry, Object, objects
from nexus.importers.peek import Peek
from nexus.importers.records import Record


def fits(peek: Peek) -> bool:
    return "item.url" in peek.paths and "item.is_archived" in peek.paths


def read(file: BinaryIO) -> Iterator[Record]:
    yield from records(objects(file, "item", like=_is_entry), _item)


def _is_entry(value: Object) -> bool:
    return "url" in value and "is_archived" in value


def _item(entry: Entry) -> Iterator[Record]:
    given = entry.value
    yield from item(
        entry.line,
        given.get("url") or given.get("given_url"),
        title=given.get("title"),
        authors=texts(given.get("published_by")),
        saved_at=date(given.get("created_at")),
        tags=_tags(given),
        archived=flag(given.get("is_archived")),
        favourite=flag(given.get("is_starred")),
        highlights=[
            mark
            for each in mappings(given.get("annotations"))
            for mark in highlight(
                each.get("quote"), each.get("text"), created_at=date(each.get("created_at"))
            )
        ],
    )


def _tags(given: Object) -> list[str]:
    """Names; objects with a label, as the API has them, too."""
    tags = given.get("tags")
    return texts(tags) + texts([tag.get("label") for tag in mappings(tags)])
