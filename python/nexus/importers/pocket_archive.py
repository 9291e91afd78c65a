"""The archive of Pocket: lists of items, with highlights and collections in files of their own."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import BinaryIO

from nexus.importers.archives import unpacked
from nexus.importers.fields import date, mappings, text
from nexus.importers.items import highlight, item
from nexus.importers.json_values import DAMAGE, Object, objects, values
from nexus.importers.records import ImportedHighlight, Record, Skipped
from nexus.zips.reader import ZipReader

LIST = re.compile(r"(^|/)[^/]+\.csv$", re.I)
ANNOTATIONS = re.compile(r"(^|/)annotations/[^/]+\.json$", re.I)
COLLECTION = re.compile(r"(^|/)collections/[^/]+\.json$", re.I)

# What is said about items elsewhere is held until they are read, up to this many characters.
_MAX_HELD = 16 * 1024 * 1024


@dataclass(slots=True)
class Extra:
    title: str = ""
    folders: list[str] = field(default_factory=list)
    excerpt: str = ""
    highlights: list[ImportedHighlight] = field(default_factory=list)


class Extras:
    """What is known of items from outside the lists, by their addresses."""

    def __init__(self) -> None:
        self._by_url: dict[str, Extra] = {}
        self._held = 0

    def read(self, archive: ZipReader) -> Iterator[Record]:
        """Hold what the archive has; what is damaged is reported, what is too much given out."""
        for name in archive.names():
            if ANNOTATIONS.search(name):
                read = self._read_annotations
            elif COLLECTION.search(name):
                read = self._read_collection
            else:
                continue
            with unpacked(archive, name) as (file, problems):
                yield from read(file)
                yield from problems
            if self._held > _MAX_HELD:
                yield from self.finish(0)

    def take(self, url: str) -> Extra:
        return self._by_url.pop(url, None) or Extra()

    def finish(self, line: int) -> Iterator[Record]:
        """Items that are in no list."""
        rest, self._by_url, self._held = self._by_url, {}, 0
        for number, (url, extra) in enumerate(rest.items(), line + 1):
            yield from item(
                number,
                url,
                title=extra.title,
                folders=extra.folders,
                excerpt=extra.excerpt,
                highlights=extra.highlights,
            )

    def _of(self, given: Object) -> Extra:
        extra = self._by_url.setdefault(text(given.get("url")), Extra())
        extra.title = extra.title or text(given.get("title"))
        self._held += 200
        return extra

    def _read_annotations(self, file: BinaryIO) -> Iterator[Record]:
        for entry in objects(file, "item", like=lambda value: "highlights" in value):
            if isinstance(entry, Skipped):
                yield entry
                continue
            extra = self._of(entry.value)
            for each in mappings(entry.value.get("highlights")):
                made = highlight(each.get("quote"), created_at=date(each.get("created_at")))
                extra.highlights += made
                self._held += sum(len(mark.quote) + 200 for mark in made)

    def _read_collection(self, file: BinaryIO) -> Iterator[Record]:
        folder = ""
        with suppress(*DAMAGE):
            folder = next((text(value) for _, value in values(file, "title")), "")
        file.seek(0)
        for entry in objects(file, "items.item", like=lambda value: "url" in value):
            if isinstance(entry, Skipped):
                yield entry
                continue
            extra = self._of(entry.value)
            extra.folders.append(folder)
            extra.excerpt = extra.excerpt or text(entry.value.get("excerpt"))
            extra.highlights += highlight("", entry.value.get("note"))
            self._held += len(extra.excerpt) + len(folder)
