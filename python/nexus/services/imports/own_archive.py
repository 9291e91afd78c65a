"""Items of our own archives: restored with their texts, files and places, not fetched again.

What an archive says is not to be believed. Its texts pass the one sanitizer, and become this
person's own rows: no address ever leads anybody else to them.
"""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import BinaryIO, cast

from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.models import Import
from nexus.importers.archives import opened_zip
from nexus.importers.nexus import PERSON, Json, entry_of, lines_of
from nexus.importers.records import InvalidFile
from nexus.logging import get_logger
from nexus.services.imports.lines import Line
from nexus.services.imports.own_details import restore_addresses, restore_details
from nexus.services.imports.own_files import restore_file
from nexus.services.imports.own_person import restore_person
from nexus.services.imports.own_texts import restore_text
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from nexus.zips.problems import UnreadableEntry, ZipTooLarge
from nexus.zips.reader import ZipReader

logger = get_logger(__name__)

FORMAT = "nexus"
MOST_AT_ONCE = 20
"""Texts are cleaned while the batch is open: a batch of them is small."""

_BROKEN = (InvalidFile, UnreadableEntry, ZipTooLarge)
Entries = dict[int, Json]


def restore_items(
    session: Session, viewer: Viewer, found: Import, lines: Sequence[Line], *, now: datetime
) -> Entries:
    """Give the lines of an archive of ours their items; what has neither text nor file in it, or
    is damaged, is left to be fetched. Returns what the archive says of each line."""
    if found.format != FORMAT or found.storage_path is None:
        return {}
    entries: Entries = {}
    with _opened(found.storage_path) as archive:
        if found.position == 0:
            with contextlib.suppress(*_BROKEN):
                restore_person(session, viewer, found, _person(archive))
        for line in lines:
            try:
                entry, part = entry_of(archive, line.item.member or "")
                entries[line.number] = entry
                _restore(session, viewer, archive, line, entry, part, now)
            except _BROKEN as error:
                line.notes.append(f"{str(error).rstrip('.')}: it is fetched again, if it can be.")
    return entries


def restore_rest(session: Session, viewer: Viewer, lines: Sequence[Line], entries: Entries) -> None:
    """What of an item only our own archives know, once it is in its libraries."""
    for line in lines:
        entry = entries.get(line.number)
        if entry is not None and line.media_id is not None:
            restore_addresses(session, viewer, line, entry)
            restore_details(session, viewer, line, entry)


def _restore(
    session: Session,
    viewer: Viewer,
    archive: ZipReader,
    line: Line,
    entry: Json,
    part: str,
    now: datetime,
) -> None:
    number, file = entry.get("text"), entry.get("file")
    if isinstance(number, int):
        texts = lines_of(archive, f"texts/{part}.jsonl") if number > 0 else []
        if not 0 < number <= len(texts) or not isinstance(texts[number - 1], dict):
            raise InvalidFile("The text of this item is missing in the archive")
        restore_text(session, viewer, line, entry, texts[number - 1], now=now)
    elif isinstance(file, str):
        name = archive.find(file)
        if name is None:
            raise InvalidFile("The file of this item is missing in the archive")
        with archive.open(name) as stream:
            restore_file(session, viewer, line, entry, stream, now=now)


def _person(archive: ZipReader) -> object:
    name = archive.find(PERSON)
    lines = lines_of(archive, name) if name else []
    return lines[0] if lines else None


@contextmanager
def _opened(storage_path: str) -> Iterator[ZipReader]:
    """The archive, copied from the store: a zip is read from its end."""
    storage = get_storage_client(get_settings())
    with tempfile.TemporaryFile() as copy:
        for chunk in storage.open_stream(storage_path):
            copy.write(chunk)
        with opened_zip(cast(BinaryIO, copy)) as archive:
            yield archive
