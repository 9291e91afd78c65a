"""The report of an import: every line of the file and what became of it, as CSV."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from nexus.db.enums import ImportOutcome, ProcessingStatus
from nexus.db.models import ImportRecord, Media

_AT_ONCE = 1000
_HEAD = ("line", "title", "address", "outcome", "reason", "media_id")
# Spreadsheets take a cell that begins like this for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_WORDS = {
    ImportOutcome.WAITING: "not imported yet",
    ImportOutcome.ADDED: "added",
    ImportOutcome.EXISTING: "already in your library",
    ImportOutcome.FAILED: "failed",
    ImportOutcome.SKIPPED: "skipped",
    ImportOutcome.UNDONE: "undone",
}


def report_lines(
    sessions: Callable[[], AbstractContextManager[Session]], *, import_id: UUID
) -> Iterator[str]:
    """The report, a piece at a time; no transaction is held between two pieces."""
    yield _written([_HEAD])
    last = 0
    while True:
        with sessions() as session:
            rows = session.execute(_page(import_id, last)).all()
        if not rows:
            return
        yield _written([_cells(row) for row in rows])
        last = rows[-1].number


def _page(import_id: UUID, last: int) -> Any:
    return (
        select(
            ImportRecord.number,
            ImportRecord.line,
            ImportRecord.record["title"].astext.label("title"),
            ImportRecord.record["url"].astext.label("url"),
            ImportRecord.record["what"].astext.label("what"),
            ImportRecord.outcome,
            ImportRecord.reason,
            ImportRecord.media_id,
            Media.processing_status,
            Media.last_error_message,
        )
        .outerjoin(Media, Media.id == ImportRecord.media_id)
        .where(ImportRecord.import_id == import_id, ImportRecord.number > last)
        .order_by(ImportRecord.number)
        .limit(_AT_ONCE)
    )


def _cells(row: Row[*tuple[Any, ...]]) -> tuple[str, ...]:
    reason = row.reason or ""
    if row.processing_status is ProcessingStatus.FAILED and row.last_error_message:
        reason = f"{reason} {row.last_error_message}".strip()
    title = row.title or row.what or ""
    media_id = str(row.media_id or "")
    return (str(row.line), title, row.url or "", _WORDS[row.outcome], reason, media_id)


def _written(rows: list[tuple[str, ...]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([[_safe(cell) for cell in row] for row in rows])
    return written.getvalue()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
