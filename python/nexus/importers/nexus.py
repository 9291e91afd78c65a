"""Nexus' own archive, as `export/nexus_archive.py` writes it and `docs/formats.md` describes it.

Texts and files stay in it: `member` says where an item is, and `services/imports` restores it.
"""

import dataclasses
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from nexus.db.enums import HighlightColor, ReadingState
from nexus.importers.archives import opened_zip
from nexus.importers.items import MAX_HIGHLIGHTS, shortened
from nexus.importers.peek import Peek
from nexus.importers.records import ImportedHighlight, ImportedItem, InvalidFile, Record, Skipped
from nexus.zips.problems import UnreadableEntry, ZipTooLarge
from nexus.zips.reader import ZipReader

MANIFEST = "nexus.json"
PERSON = "person.json"
_FORMAT, _VERSION = "nexus", 1
_PART = re.compile(r"items/(\d{5,7})\.jsonl")
_DAMAGED = "This entry of the archive is damaged."
_PART_DAMAGED = "A part of the archive is damaged; its items are missing."

Json = dict[str, Any]


def fits(peek: Peek) -> bool:
    return MANIFEST in peek.names and '"format":"nexus"' in peek.inside(MANIFEST).text


def read(file: BinaryIO) -> Iterator[Record]:
    with opened_zip(file) as archive:
        _check_version(archive)
        line = 0
        for part in sorted(filter(_PART.fullmatch, archive.names())):
            try:
                entries = lines_of(archive, part)
            except (UnreadableEntry, ZipTooLarge):
                yield Skipped(line, part, _PART_DAMAGED)
                continue
            for number, entry in enumerate(entries, start=1):
                line += 1
                yield from _records(line, entry, f"{part}:{number}")


def lines_of(archive: ZipReader, name: str) -> list[Any]:
    """The lines of a part; None for one that is no JSON."""
    return [_json(line) for line in archive.read(name).splitlines() if line.strip()]


def entry_of(archive: ZipReader, member: str) -> tuple[Json, str]:
    """The item that a member names, and the number of its part."""
    part, _, number = member.rpartition(":")
    match = _PART.fullmatch(part)
    if match is None or not number.isdecimal() or archive.find(part) is None:
        raise InvalidFile(_DAMAGED)
    entries = lines_of(archive, part)
    entry = entries[int(number) - 1] if 0 < int(number) <= len(entries) else None
    if not isinstance(entry, dict):
        raise InvalidFile(_DAMAGED)
    return entry, match[1]


def moment(value: object) -> datetime | None:
    """A date with its zone."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None


def dicts(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _check_version(archive: ZipReader) -> None:
    try:
        manifest = _json(archive.read(MANIFEST))
    except UnreadableEntry as error:
        raise InvalidFile(str(error)) from None
    version = manifest.get("version") if isinstance(manifest, dict) else None
    if not isinstance(version, int) or version < 1:
        raise InvalidFile("This archive of Nexus is damaged.")
    if version > _VERSION:
        raise InvalidFile("This archive was written by a newer Nexus. Update this one first.")


def _records(line: int, entry: object, member: str) -> Iterator[Record]:
    if not isinstance(entry, dict):
        yield Skipped(line, "", _DAMAGED)
        return
    title, address = _text(entry, "title"), _text(entry, "address")
    try:
        first = ImportedItem(
            line=line,
            url=address,
            title=title,
            authors=_texts(entry, "authors"),
            saved_at=moment(entry.get("saved_at")),
            tags=_texts(entry, "tags"),
            folders=tuple(_texts_of(dicts(entry.get("libraries")), "name")),
            state=ReadingState(str(entry.get("state"))),
            progress=_number(entry, "progress"),
            archived=entry.get("archived") is True,
            favourite=entry.get("favourite") is True,
            member=member,
        )
        highlights = [_highlight(one, "exact") for one in dicts(entry.get("highlights"))]
        highlights += [_highlight(one, "quote") for one in dicts(entry.get("unplaced"))]
    except (ValueError, TypeError):
        yield Skipped(line, shortened(title or address or ""), _DAMAGED)
        return
    yield _with(first, highlights[:MAX_HIGHLIGHTS])
    for start in range(MAX_HIGHLIGHTS, len(highlights), MAX_HIGHLIGHTS):
        yield _with(first, highlights[start : start + MAX_HIGHLIGHTS])


def _with(item: ImportedItem, highlights: list[ImportedHighlight]) -> ImportedItem:
    return dataclasses.replace(item, highlights=tuple(highlights))


def _highlight(entry: Json, quote: str) -> ImportedHighlight:
    color = entry.get("color")
    return ImportedHighlight(
        quote=_text(entry, quote) or "",
        prefix=_text(entry, "prefix") or "",
        suffix=_text(entry, "suffix") or "",
        note=_text(entry, "note"),
        color=None if color is None else HighlightColor(color),
        created_at=moment(entry.get("created_at")),
        updated_at=moment(entry.get("updated_at")),
        position=_whole(entry, "position"),
        fragment=_whole(entry, "fragment"),
        start=_whole(entry, "start"),
        end=_whole(entry, "end"),
        page=_text(entry, "page"),
    )


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _text(entry: Json, name: str) -> str | None:
    value = entry.get(name)
    return value if isinstance(value, str) else None


def _texts(entry: Json, name: str) -> tuple[str, ...]:
    value = entry.get(name)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _texts_of(entries: list[Json], name: str) -> Iterator[str]:
    yield from (value for one in entries if (value := _text(one, name)))


def _number(entry: Json, name: str) -> float | None:
    value = entry.get(name)
    return float(value) if isinstance(value, int | float) else None


def _whole(entry: Json, name: str) -> int | None:
    value = entry.get(name)
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    return value if fits else None
