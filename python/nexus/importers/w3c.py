"""W3C Web Annotations: JSON-LD, one by one in a list or as a collection."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from nexus.db.enums import HighlightColor
from nexus.importers.fields import color, date, mapping, mappings, storable, text, whole
from nexus.importers.grouping import Groups
from nexus.importers.items import highlight
from nexus.importers.json_values import Entry, Object, objects
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped

_PREFIXES = ("item", "items.item", "first.items.item", "@graph.item")


def fits(peek: Peek) -> bool:
    found = peek.paths
    return any(f"{each}.target" in found and f"{each}.type" in found for each in _PREFIXES)


def read(file: BinaryIO) -> Iterator[Record]:
    groups = Groups()
    for entry in objects(file, *_PREFIXES, like=_is_annotation):
        if isinstance(entry, Skipped):
            yield entry
        elif _is_annotation(entry.value):
            yield from _annotation(groups, entry)
    yield from groups.finish()


def _is_annotation(value: Object) -> bool:
    return "target" in value and "Annotation" in _several(value.get("type"))


def _annotation(groups: Groups, entry: Entry) -> Iterator[Record]:
    given = entry.value
    target = next(iter(_objects(given.get("target"))), {})
    source = target.get("source", given.get("target"))
    address = text(source) or text(mapping(source).get("id")) or text(target.get("id"))
    bodies = _objects(given.get("body")) or _objects(given.get("bodyValue"))
    selectors = {text(each.get("type")): each for each in _selectors(target.get("selector"))}
    quote = mapping(selectors.get("TextQuoteSelector"))
    position = whole(mapping(selectors.get("TextPositionSelector")).get("start"))
    created_at = date(given.get("created"))
    yield from groups.add(
        (address,),
        entry.line,
        highlight(
            quote.get("exact"),
            "\n\n".join(text(body.get("value")) for body in bodies if not _is_tag(body)),
            prefix=_context(quote.get("prefix")),
            suffix=_context(quote.get("suffix")),
            color=color(target.get("styleClass")) or _body_color(bodies),
            created_at=created_at,
            updated_at=date(given.get("modified")),
            position=position,
        ),
        order=position,
        tags=[text(body.get("value")) for body in bodies if _is_tag(body)],
        saved_at=created_at,
        url=address,
        title=target.get("dc:title"),
    )


def _several(value: Any) -> list[Any]:
    """What can stand alone or in a list."""
    return value if isinstance(value, list) else [value]


def _objects(value: Any) -> list[Object]:
    found = [{"value": each} if isinstance(each, str) else each for each in _several(value)]
    return mappings(found)


def _selectors(value: Any) -> Iterator[Object]:
    """All of them; one may be refined by another, to a depth that makes sense."""
    for each in mappings(_several(value)):
        inner: Any = each
        for _ in range(5):
            if isinstance(inner, dict):
                yield inner
                inner = inner.get("refinedBy")


def _is_tag(body: Object) -> bool:
    return "tagging" in _several(body.get("purpose"))


def _body_color(bodies: list[Object]) -> HighlightColor | None:
    return next((found for body in bodies if (found := color(body.get("color")))), None)


def _context(value: Any) -> str:
    return storable(value) if isinstance(value, str) else ""
