"""Omnivore: the archive of its export, or the list of items from it by itself."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from nexus.importers.archives import is_zip, opened_zip, unpacked
from nexus.importers.fields import date, percent, state_of, text, texts
from nexus.importers.items import item
from nexus.importers.json_values import Entry, Object, objects
from nexus.importers.omnivore_highlights import highlights_of
from nexus.importers.peek import Peek
from nexus.importers.records import ImportedHighlight, Record, Skipped
from nexus.importers.text import text_chunks
from nexus.zips.reader import ZipReader

_LIST = re.compile(r"(^|/)metadata_[^/]*\.json$", re.I)
_MAX_CHUNKS = 100


def fits(peek: Peek) -> bool:
    if peek.archive is not None:
        return any(map(_LIST.search, peek.names))
    return {"item.slug", "item.savedAt", "item.url"} <= peek.paths


def read(file: BinaryIO) -> Iterator[Record]:
    head = file.read(4)
    file.seek(0)
    if not is_zip(head):
        yield from _listed(file, None, "", 0)
        return
    with opened_zip(file) as archive:
        line = 0
        for name in filter(_LIST.search, archive.names()):
            with unpacked(archive, name) as (entries, problems):
                before = line
                for record in _listed(entries, archive, name.rpartition("/")[0], before):
                    line = max(line, record.line)
                    yield record
                yield from problems


def _listed(
    file: BinaryIO, archive: ZipReader | None, folder: str, before: int
) -> Iterator[Record]:
    """The items of a list, with the files that lie in the folder beside it."""
    for entry in objects(file, "item", like=_is_item):
        if isinstance(entry, Skipped):
            yield Skipped(before + entry.line, entry.what, entry.reason)
        elif archive is None:
            yield from _item(entry, [], None)
        else:
            numbered = Entry(before + entry.line, entry.value)
            yield from _with_files(numbered, archive, folder)


def _is_item(value: Object) -> bool:
    return "slug" in value and "savedAt" in value


def _with_files(entry: Entry, archive: ZipReader, folder: str) -> Iterator[Record]:
    beside = f"{folder}/" if folder else ""
    slug = text(entry.value.get("slug"))
    marks: list[ImportedHighlight] = []
    name = archive.find(f"{beside}highlights/{slug}.md")
    if name is not None:
        with unpacked(archive, name) as (file, problems):
            marks = highlights_of("".join(islice(text_chunks(file), _MAX_CHUNKS)))
        yield from problems
    yield from _item(entry, marks, archive.find(f"{beside}content/{slug}.pdf"))


def _item(
    entry: Entry, highlights: list[ImportedHighlight], member: str | None
) -> Iterator[Record]:
    given = entry.value
    progress = percent(given.get("readingProgress"))
    yield from item(
        entry.line,
        given.get("url"),
        title=given.get("title"),
        authors=[text(given.get("author"))],
        saved_at=date(given.get("savedAt")),
        tags=texts(given.get("labels")),
        state=state_of(progress),
        progress=progress,
        archived=text(given.get("state")).casefold() == "archived",
        excerpt=given.get("description"),
        highlights=highlights,
        member=member,
    )
