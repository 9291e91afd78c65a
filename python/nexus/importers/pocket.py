"""Pocket: the archive of 2025, one of its lists by itself, and the older page of links."""

from collections.abc import Iterator
from typing import IO, BinaryIO

from nexus.importers.archives import unpacked
from nexus.importers.csv_rows import Row, csv_rows
from nexus.importers.fields import epoch, separated
from nexus.importers.html_events import Tag, html_events
from nexus.importers.items import item
from nexus.importers.peek import Peek, peeked
from nexus.importers.pocket_archive import ANNOTATIONS, COLLECTION, LIST, Extras
from nexus.importers.records import Record, Skipped
from nexus.zips.reader import ZipReader

_COLUMNS = {"title", "url", "time_added", "tags", "status"}


def fits(peek: Peek) -> bool:
    if peek.archive is not None:
        return _fits_archive(peek)
    page = peek.text.lower()
    is_page = page.startswith("<") and ("<title>pocket export" in page or " time_added=" in page)
    return is_page or {*peek.columns} >= _COLUMNS


def _fits_archive(peek: Peek) -> bool:
    if any(ANNOTATIONS.search(name) for name in peek.names):
        return True
    lists = (name for name in peek.names if LIST.search(name))
    if any({*peek.inside(name).columns} >= _COLUMNS for name in lists):
        return True
    # Someone may have had nothing but collections.
    collections = (name for name in peek.names if COLLECTION.search(name))
    return any({"slug", "items"} <= peek.inside(name).paths for name in collections)


def read(file: BinaryIO) -> Iterator[Record]:
    with peeked(file) as peek:
        if peek.archive is not None:
            yield from _archive(peek.archive)
            return
        is_page = peek.text.startswith("<")
    file.seek(0)
    if is_page:
        yield from _page(file)
    else:
        yield from _listed(file, Extras(), 0)


def _archive(archive: ZipReader) -> Iterator[Record]:
    extras, line = Extras(), 0
    yield from extras.read(archive)
    for name in filter(LIST.search, archive.names()):
        with unpacked(archive, name) as (file, problems):
            before = line
            for record in _listed(file, extras, before):
                line = record.line
                yield record
            yield from problems
    yield from extras.finish(line)


def _listed(file: IO[bytes], extras: Extras, before: int) -> Iterator[Record]:
    """The items of a list, with what else is known of them; `before` it were so many lines."""
    for row in csv_rows(file):
        if isinstance(row, Skipped):
            yield Skipped(before + row.line, row.what, row.reason)
        else:
            yield from _item(row, extras, before)


def _item(row: Row, extras: Extras, before: int) -> Iterator[Record]:
    more = extras.take(row["url"])
    yield from item(
        before + row.line,
        row["url"],
        title=row["title"],
        saved_at=epoch(row["time_added"]),
        tags=separated(row["tags"], "|"),
        folders=more.folders,
        archived=row["status"].casefold() == "archive",
        excerpt=more.excerpt,
        highlights=more.highlights,
    )


def _page(file: IO[bytes]) -> Iterator[Record]:
    """The older export: links under two headings."""
    heading, title, link = "", "", None
    for event in html_events(file):
        if isinstance(event, str):
            title += event[:10_000] if len(title) < 10_000 else ""
            continue
        if event.name == "h1":
            heading = title if event.is_end else heading
        elif event.name == "a" or event.name in ("li", "ul"):
            if link is not None:
                yield from _linked(link, title, archived="archive" in heading.lower())
            link = event if event.name == "a" and not event.is_end else None
        title = ""
    if link is not None:
        yield from _linked(link, title, archived="archive" in heading.lower())


def _linked(link: Tag, title: str, *, archived: bool) -> Iterator[Record]:
    given = link.attributes
    yield from item(
        link.line,
        given.get("href", ""),
        title=title,
        saved_at=epoch(given.get("time_added")),
        tags=separated(given.get("tags", ""), ","),
        archived=archived,
    )
