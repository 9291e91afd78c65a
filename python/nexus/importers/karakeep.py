"""Karakeep, formerly Hoarder: its JSON export, with lists. Highlights are not in it."""

from collections.abc import Iterator
from typing import BinaryIO

from nexus.importers.fields import date, flag, mapping, text, texts
from nexus.importers.folders import Folder, paths
from nexus.importers.items import highlight, item, shortened
from nexus.importers.json_values import Entry, Object, objects
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped

_NO_FILE = "It is an uploaded file, which is not in this export."
_MAX_LISTS = 10_000


def fits(peek: Peek) -> bool:
    found = peek.paths
    return "bookmarks" in found and ("lists" in found or "bookmarks.item.content" in found)


def read(file: BinaryIO) -> Iterator[Record]:
    # The names of the lists come behind the bookmarks that are in them.
    folders = _folders(file)
    file.seek(0)
    for entry in objects(file, "bookmarks.item", like=_is_bookmark):
        if isinstance(entry, Skipped):
            yield entry
        else:
            yield from _item(entry, folders)


def _folders(file: BinaryIO) -> dict[str, str]:
    found: dict[str, Folder] = {}
    for entry in objects(file, "lists.item", like=_is_list):
        if isinstance(entry, Entry) and len(found) < _MAX_LISTS:
            given = entry.value
            found[text(given.get("id"))] = Folder(
                text(given.get("name")), text(given.get("parentId"))
            )
    return paths(found)


def _is_list(value: Object) -> bool:
    return "name" in value and "parentId" in value


def _is_bookmark(value: Object) -> bool:
    return "content" in value and "createdAt" in value


def _item(entry: Entry, folders: dict[str, str]) -> Iterator[Record]:
    given, content = entry.value, mapping(entry.value.get("content"))
    if not content:
        yield Skipped(entry.line, shortened(text(given.get("title"))), _NO_FILE)
        return
    yield from item(
        entry.line,
        content.get("url"),
        title=given.get("title"),
        saved_at=date(given.get("createdAt")),
        tags=texts(given.get("tags")),
        folders=[folders[name] for name in texts(given.get("lists")) if name in folders],
        archived=flag(given.get("archived")),
        highlights=[*highlight("", content.get("text")), *highlight("", given.get("note"))],
    )
