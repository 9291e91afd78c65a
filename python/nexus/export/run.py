"""Starts an export: everything that can be refused is refused before its first byte."""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from nexus.errors import ConflictError, InvalidRequestError
from nexus.export.formats import FORMATS
from nexus.export.items import Selection, begin_snapshot
from nexus.export.job import ExportJob
from nexus.export.template import pages_by
from nexus.progress import Progress
from nexus.schemas.exports import ExportFormat
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient

_CHUNK = 64 * 1024
_SEND_WITHIN = 1.0
# Held until the transaction ends, however it ends, on whichever machine.
_TURN = text("SELECT pg_try_advisory_xact_lock(hashtextextended(:name, 0))")


@dataclass(frozen=True)
class Export:
    """A file about to be written."""

    filename: str
    content_type: str
    job: ExportJob
    chunks: Generator[bytes, None, None]

    def close(self) -> None:
        """Let go of what writing it needed, whether or not it was written."""
        self.chunks.close()
        self.job.pages.close()


def start_export(
    session: Session,
    viewer: Viewer,
    storage: StorageClient,
    *,
    format: ExportFormat,
    media_ids: Sequence[UUID] | None = None,
    template: str | None = None,
    say: Progress = lambda _: None,
) -> Export:
    """One at a time for each person. Chunks are read from the session, which nothing else uses."""
    if template is not None and format is not ExportFormat.MARKDOWN:
        raise InvalidRequestError("template: only Markdown is written by a template")
    begin_snapshot(session)
    if not session.scalar(_TURN, {"name": f"export {viewer.user_id}"}):
        raise ConflictError(
            "E_EXPORT_RUNNING",
            "Another export of yours is still being written. Wait until it is done, or cancel it.",
        )
    selection = Selection(session, viewer, media_ids)
    chosen = FORMATS[format]
    job = ExportJob(selection, storage, pages_by(template), say)
    return Export(
        filename=f"{_name(selection, media_ids)}{chosen.suffix}",
        content_type=chosen.content_type,
        job=job,
        chunks=_chunks(session, chosen.write(job)),
    )


def _chunks(session: Session, pieces: Iterator[bytes]) -> Generator[bytes, None, None]:
    """Pieces of a size that is worth sending."""
    gathered, sent_at = bytearray(), time.monotonic()
    for piece in pieces:
        gathered += piece
        if len(gathered) >= _CHUNK or (gathered and time.monotonic() > sent_at + _SEND_WITHIN):
            yield bytes(gathered)
            gathered.clear()
            sent_at = time.monotonic()
    # Nothing is held any more when the last bytes go out: the next export may begin.
    session.rollback()
    yield bytes(gathered)


def _name(selection: Selection, media_ids: Sequence[UUID] | None) -> str:
    """After the item, if it is only one."""
    if media_ids is not None and selection.total == 1:
        [[item]] = selection.batches()
        return item.media.title[:80].strip() or "nexus"
    return f"nexus-{datetime.now(UTC):%Y-%m-%d}"
