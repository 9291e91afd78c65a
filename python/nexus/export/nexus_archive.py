"""The archive that Nexus imports again: `importers/nexus.py` reads it, `docs/formats.md` says how.

The same contents are always the same bytes. Nothing in it depends on ids, on when it was written or
by which release.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from nexus.db.enums import MediaKind
from nexus.db.models import MediaFile, UnplacedHighlight
from nexus.export.archive_details import Details, read_details, read_person
from nexus.export.files import missing_files_note, whole_file
from nexus.export.items import ExportedItem
from nexus.export.job import ExportJob
from nexus.export.zip_stream import ZipStream
from nexus.schemas.highlights import HighlightOfMedia

FORMAT, VERSION = "nexus", 1
# A part is held in memory while it is written and while it is read.
_ITEMS_PER_PART = 50
_TEXT_PER_PART = 4 * 1024 * 1024


def write(job: ExportJob) -> Iterator[bytes]:
    selection = job.selection
    whole = selection.is_everything
    with ZipStream() as archive:
        about = {"format": FORMAT, "version": VERSION, "items": selection.total}
        yield from archive.add("nexus.json", _line(about))
        if whole:
            yield from archive.add("person.json", _line(read_person(selection)))
        part, files = _Part(1), set[str]()
        for batch in selection.batches():
            details = read_details(selection, batch)
            for item in selection.with_texts(batch):
                file = None
                if item.file is not None:
                    with whole_file(job, item) as copied:
                        if copied is not None:
                            file = _file_name(item.file, copied[1])
                            if file not in files:
                                files.add(file)
                                yield from archive.add_file(file, copied[0])
                part.add(item, details[item.media.id], file)
                job.count(item)
                if part.is_full:
                    yield from part.written(archive)
                    part = _Part(part.number + 1)
        yield from part.written(archive)
        if job.missing_files:
            yield from archive.add("missing-files.txt", missing_files_note(job))
        yield from archive.end()


class _Part:
    """Some items, and the texts of those that have one, line by line."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._items: list[bytes] = []
        self._texts: list[bytes] = []

    @property
    def is_full(self) -> bool:
        return len(self._items) >= _ITEMS_PER_PART or sum(map(len, self._texts)) >= _TEXT_PER_PART

    def add(self, item: ExportedItem, details: Details, file: str | None) -> None:
        text = None
        # A file is read again, and has the same text; a page is not fetched again.
        if item.fragments and item.media.kind is MediaKind.WEB_ARTICLE:
            fragments = [{"html": one.html, "label": one.label} for one in item.fragments]
            self._texts.append(_line({"fragments": fragments}))
            text = len(self._texts)
        self._items.append(_line(_item(item, details) | {"text": text, "file": file}))

    def written(self, archive: ZipStream) -> Iterator[bytes]:
        for folder, lines in (("items", self._items), ("texts", self._texts)):
            if lines:
                yield from archive.add(f"{folder}/{self.number:05}.jsonl", b"".join(lines))


def _item(item: ExportedItem, details: Details) -> dict[str, Any]:
    media = item.media
    return {
        "kind": media.kind.value,
        "title": media.title,
        "address": media.requested_url,
        "source": media.canonical_source_url,
        "addresses": details.addresses,
        "authors": media.authors,
        "site": media.site_name,
        "published": media.published_at,
        "language": media.language,
        "excerpt": media.excerpt,
        "image": details.image,
        "saved_at": _time(media.saved_at),
        "opened_at": _time(media.opened_at),
        "state": media.state.value,
        "progress": media.progress,
        "archived": media.archived,
        "favourite": media.favourite,
        "tags": media.tags,
        "libraries": details.libraries,
        "positions": details.positions,
        "text_sha256": _text_hash(item),
        "highlights": [_highlight(item, each) for each in item.highlights],
        "unplaced": [_unplaced(each) for each in item.unplaced],
    }


def _highlight(item: ExportedItem, highlight: HighlightOfMedia) -> dict[str, Any]:
    note = highlight.annotation
    changed = max(highlight.updated_at, note.updated_at) if note else highlight.updated_at
    return {
        "fragment": item.parts[highlight.fragment_id].idx,
        "start": highlight.start_offset,
        "end": highlight.end_offset,
        "exact": highlight.exact,
        "prefix": highlight.prefix,
        "suffix": highlight.suffix,
        "color": highlight.color.value,
        "note": note.body if note else None,
        "created_at": _time(highlight.created_at),
        "updated_at": _time(changed),
    }


def _unplaced(one: UnplacedHighlight) -> dict[str, Any]:
    return {
        "quote": one.quote,
        "prefix": one.prefix,
        "suffix": one.suffix,
        "note": one.note,
        "color": one.color.value if one.color else None,
        "page": one.page,
        "position": one.position,
        "fragment": one.fragment_idx,
        "start": one.start_offset,
        "end": one.end_offset,
        "created_at": _time(one.created_at),
        "updated_at": _time(one.updated_at),
    }


def _text_hash(item: ExportedItem) -> str | None:
    """By which one sees whether a text is the one that was highlighted."""
    if not item.fragments:
        return None
    digest = hashlib.sha256()
    for fragment in item.fragments:
        digest.update(fragment.text.encode() + b"\0")
    return digest.hexdigest()


def _file_name(file: MediaFile, sha256: str) -> str:
    return f"files/{sha256}.{file.storage_path.rpartition('.')[2]}"


def _time(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment else None


def _line(value: dict[str, Any]) -> bytes:
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{written}\n".encode()
