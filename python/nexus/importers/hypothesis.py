"""Hypothesis: annotations as its client exports them and as its API lists them."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from nexus.importers.fields import date, mapping, mappings, storable, text, texts, whole
from nexus.importers.grouping import Groups
from nexus.importers.items import highlight
from nexus.importers.json_values import Entry, Object, objects
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped

_PREFIXES = ("annotations.item", "rows.item", "item")


def fits(peek: Peek) -> bool:
    found = peek.paths
    return any(f"{each}.uri" in found and f"{each}.target" in found for each in _PREFIXES)


def read(file: BinaryIO) -> Iterator[Record]:
    groups = Groups()
    for entry in objects(file, *_PREFIXES, like=_is_annotation):
        if isinstance(entry, Skipped):
            yield entry
        else:
            yield from _annotation(groups, entry)
    yield from groups.finish()


def _is_annotation(value: Object) -> bool:
    return "uri" in value and "target" in value


def _annotation(groups: Groups, entry: Entry) -> Iterator[Record]:
    given = entry.value
    target = next(iter(mappings(given.get("target"))), {})
    by_type = {text(each.get("type")): each for each in mappings(target.get("selector"))}
    quote = mapping(by_type.get("TextQuoteSelector"))
    # In UTF-16 units of a text that is not at hand: near enough to tell two places apart.
    position = whole(mapping(by_type.get("TextPositionSelector")).get("start"))
    created_at = date(given.get("created"))
    yield from groups.add(
        (text(given.get("uri")),),
        entry.line,
        highlight(
            quote.get("exact"),
            given.get("text"),
            prefix=_raw(quote.get("prefix")),
            suffix=_raw(quote.get("suffix")),
            created_at=created_at,
            updated_at=date(given.get("updated")),
            position=position,
            page=text(mapping(by_type.get("PageSelector")).get("label")) or None,
            tags=texts(given.get("tags")),
        ),
        order=position,
        saved_at=created_at,
        url=given.get("uri"),
        title=_title(given),
    )


def _raw(value: Any) -> str:
    """Context keeps the space at its edges: it says where a word ends."""
    return storable(value) if isinstance(value, str) else ""


def _title(given: Object) -> str:
    title = mapping(given.get("document")).get("title")
    return next(iter(texts(title)), text(title))
