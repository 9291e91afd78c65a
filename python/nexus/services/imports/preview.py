"""The preview of a file: every line of it as a row, counts, samples, what is skipped and why."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, BinaryIO
from uuid import uuid4

from psycopg import Cursor
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import ImportOutcome, ImportState
from nexus.db.models import Import
from nexus.errors import InvalidRequestError
from nexus.schemas.imports import ImportOut
from nexus.services.imports.parse import invalid, parsed
from nexus.services.imports.read import import_out
from nexus.services.imports.states import forget_file
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient
from nexus.storage.paths import import_path
from nexus.storage.protocol import CHUNK_BYTES
from nexus.text import collapse_name

SAMPLES = 10
MAX_PREVIEWS = 5
"""How many previews of one person are kept; of more, the oldest go."""
FORGOTTEN_AFTER = timedelta(days=7)
_MAX_NAME = 255
_MOST_REASONS = 50
_SHOWN = 300
# A statement must end within half a minute.
_ROWS_AT_ONCE = 5000
_CONTENT_TYPE = "application/octet-stream"


def create_preview(
    session: Session, viewer: Viewer, storage: StorageClient, *, file: BinaryIO, name: str
) -> ImportOut:
    """Read a file and keep what is in it. Nothing happens to the library yet."""
    with parsed(file) as lines:
        first = next(lines, {})
        if "format" not in first:
            raise _no_format(first)
        found = Import(
            id=uuid4(),
            user_id=viewer.user_id,
            name=_name(name),
            format=first["format"],
            format_label=first["label"],
        )
        session.add(found)
        session.flush()
        has_members = _keep_records(session, found, lines)
    if has_members:
        _keep_file(found, storage, file)
    _forget_oldest(session, viewer)
    session.flush()
    return import_out(session, user_id=viewer.user_id, import_id=found.id)


def forget_old_previews(session: Session) -> int:
    """Forget previews that nobody started. Returns how many there were."""
    old = select(Import).where(
        Import.state == ImportState.PREVIEW, Import.updated_at < func.now() - FORGOTTEN_AFTER
    )
    return _forget(session, session.scalars(old.with_for_update(skip_locked=True)).all())


def _forget_oldest(session: Session, viewer: Viewer) -> None:
    previews = (
        select(Import)
        .where(Import.user_id == viewer.user_id, Import.state == ImportState.PREVIEW)
        .order_by(Import.created_at.desc(), Import.id)
        .offset(MAX_PREVIEWS)
        .with_for_update(skip_locked=True)
    )
    _forget(session, session.scalars(previews).all())


def _forget(session: Session, previews: Any) -> int:
    for preview in previews:
        forget_file(session, preview)
        session.delete(preview)
    session.flush()
    return len(previews)


def _keep_records(session: Session, found: Import, lines: Iterator[dict[str, Any]]) -> bool:
    """Store the rows and count them; whether documents inside the file will be needed."""
    counter = _Counter(found)
    connection = session.connection().connection.driver_connection
    assert connection is not None
    with connection.cursor() as cursor:
        while _copy(cursor, counter, lines):
            pass
    found.items, found.highlights = counter.items, counter.highlights
    found.skipped, found.samples = counter.skipped, counter.samples
    found.skipped_reasons = dict(counter.reasons.most_common(_MOST_REASONS))
    if not counter.items and not counter.skipped:
        raise invalid(counter.problem or "There is nothing to import in this file.")
    return counter.has_members


class _Counter:
    """Turns what was read into rows, and counts as they go by."""

    def __init__(self, found: Import) -> None:
        self.import_id = found.id
        self.number = self.items = self.highlights = self.skipped = 0
        self.reasons: Counter[str] = Counter()
        self.samples: list[dict[str, Any]] = []
        self.has_members = False
        self.problem: str | None = None

    def row(self, line: dict[str, Any]) -> tuple[Any, ...] | None:
        if "invalid" in line:
            if line.get("whole") or not self.number:
                raise invalid(line["invalid"])
            # What was readable stays; that there was more is said once.
            line = {"skipped": {"line": 0, "what": "", "reason": line["invalid"]}}
        if "item" in line:
            return self._item(line["item"])
        return self._skipped(line["skipped"]) if "skipped" in line else None

    def _item(self, item: dict[str, Any]) -> tuple[Any, ...]:
        highlights = len(item.get("highlights", ()))
        self.items += 1
        self.highlights += highlights
        self.has_members = self.has_members or item.get("member") is not None
        if len(self.samples) < SAMPLES:
            self.samples.append(_sample(item, highlights))
        return self._row(item, ImportOutcome.WAITING, None)

    def _skipped(self, skipped: dict[str, Any]) -> tuple[Any, ...]:
        self.skipped += 1
        self.reasons[skipped["reason"]] += 1
        return self._row(skipped, ImportOutcome.SKIPPED, skipped["reason"])

    def _row(self, record: dict[str, Any], outcome: str, reason: str | None) -> tuple[Any, ...]:
        self.number += 1
        line = min(max(int(record["line"]), 0), 2**31 - 1)
        return (self.import_id, self.number, line, json.dumps(record), outcome, reason)


def _copy(cursor: Cursor[Any], counter: _Counter, lines: Iterator[dict[str, Any]]) -> bool:
    """Store the next rows; False when there are no more."""
    statement = "COPY import_records (import_id, number, line, record, outcome, reason) FROM STDIN"
    with cursor.copy(statement) as copy:
        for _ in range(_ROWS_AT_ONCE):
            line = next(lines, None)
            if line is None:
                return False
            row = counter.row(line)
            if row is not None:
                copy.write_row(row)
    return True


def _sample(item: dict[str, Any], highlights: int) -> dict[str, Any]:
    return {
        "title": _short(item.get("title")),
        "url": _short(item.get("url")),
        "tags": [tag[:_SHOWN] for tag in item.get("tags", ())][:SAMPLES],
        "folders": [folder[:_SHOWN] for folder in item.get("folders", ())][:SAMPLES],
        "highlights": highlights,
    }


def _short(text: str | None) -> str | None:
    return None if text is None else text[:_SHOWN]


def _name(name: str) -> str:
    return collapse_name(name)[:_MAX_NAME] or "Import"


def _no_format(first: dict[str, Any]) -> InvalidRequestError:
    if "invalid" in first:
        return invalid(first["invalid"])
    labels = ", ".join(first.get("unknown", ()))
    return InvalidRequestError(
        f"This file is in no format that Nexus can import. It can import: {labels}.",
        code="E_IMPORT_UNKNOWN_FORMAT",
    )


def _keep_file(found: Import, storage: StorageClient, file: BinaryIO) -> None:
    """Before the commit: a file without its row is deleted as an orphan, never the reverse."""
    size = file.seek(0, 2)
    file.seek(0)
    path = import_path(found.id, prefix=get_settings().storage_prefix)
    chunks = iter(lambda: file.read(CHUNK_BYTES), b"")
    storage.put(path, content_type=_CONTENT_TYPE, size_bytes=size, chunks=chunks)
    found.storage_path = path
