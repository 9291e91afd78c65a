"""Linkwarden: its JSON export, with the tree of collections. Highlights are not in it."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, BinaryIO

from nexus.importers.fields import date, mappings, text
from nexus.importers.folders import Folder, paths
from nexus.importers.items import highlight, item
from nexus.importers.json_values import DAMAGE, Entry, Object, events, objects
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped

_LINKS = "collections.item.links.item"
_MAX_COLLECTIONS = 100_000
_MAX_PINNED = 200_000


def fits(peek: Peek) -> bool:
    found = peek.paths
    return "collections" in found and ("collections.item.links" in found or "pinnedLinks" in found)


def read(file: BinaryIO) -> Iterator[Record]:
    outline = _outlined(file)
    file.seek(0)
    for entry in objects(file, _LINKS, like=_is_link):
        if isinstance(entry, Skipped):
            yield entry
        else:
            yield from _item(entry, outline)


@dataclass(slots=True)
class _Collection:
    id: str = ""
    name: str = ""
    parent: str = ""
    links: int = 0


@dataclass(slots=True)
class _Outline:
    """What the file says about all links: where they are, and which are pinned."""

    collections: list[_Collection] = field(default_factory=list)
    pinned: set[str] = field(default_factory=set)
    paths: dict[str, str] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)

    def see(self, prefix: str, event: str, value: Any) -> None:
        if prefix == "collections.item" and event == "start_map":
            if len(self.collections) < _MAX_COLLECTIONS:
                self.collections.append(_Collection())
        elif prefix == _LINKS and event == "start_map" and self.collections:
            self.collections[-1].links += 1
        elif prefix in ("pinnedLinks.item.id", "pinnedLinks.item.url"):
            if len(self.pinned) < _MAX_PINNED:
                self.pinned.add(text(value))
        elif prefix.startswith("collections.item.") and self.collections and event != "map_key":
            key, last = prefix.removeprefix("collections.item."), self.collections[-1]
            if key == "id":
                last.id = text(value)
            elif key == "name":
                last.name = text(value)
            elif key == "parentId":
                last.parent = text(value)

    def finish(self) -> None:
        found = {each.id: Folder(each.name, each.parent) for each in self.collections}
        self.paths = paths(found)
        self.ends = list(accumulate(each.links for each in self.collections))

    def folder(self, line: int, given: Object) -> str:
        """The path of the collection that a link is in, which some links name themselves."""
        index = bisect_left(self.ends, line)
        by_place = self.collections[index].id if index < len(self.collections) else ""
        return self.paths.get(text(given.get("collectionId")) or by_place, "")


def _outlined(file: BinaryIO) -> _Outline:
    outline = _Outline()
    with suppress(*DAMAGE):
        for prefix, event, value in events(file):
            outline.see(prefix, event, value)
    outline.finish()
    return outline


def _is_link(value: Object) -> bool:
    return "url" in value and "name" in value


def _item(entry: Entry, outline: _Outline) -> Iterator[Record]:
    given = entry.value
    names = {text(given.get("id")), text(given.get("url"))} - {""}
    yield from item(
        entry.line,
        given.get("url"),
        title=given.get("name"),
        saved_at=date(given.get("importDate")) or date(given.get("createdAt")),
        tags=[text(tag.get("name")) for tag in mappings(given.get("tags"))],
        folders=[outline.folder(entry.line, given)],
        favourite=bool(names & outline.pinned),
        highlights=highlight("", given.get("description")),
    )
