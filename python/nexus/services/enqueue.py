"""Handing an item to the queue: after the commit, and never instead of it."""

from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.after_commit import NOT_DONE, Outcome, after_commit
from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media
from nexus.logging import current_request_id
from nexus.services.extractors import maybe_enqueue_extraction

_LATER_SECONDS = 0.1


def enqueue(
    session: Session, media: Media, *, actor_user_id: UUID | None, request_id: str | None = None
) -> Outcome:
    """Enqueue a pending item once it is committed. The outcome says if the broker accepted it.

    One that has to wait gets a message that is delivered when its time has come.
    """
    if media.processing_status is not ProcessingStatus.PENDING:
        return NOT_DONE
    kind, media_id, asked_by = media.kind, media.id, request_id or current_request_id()
    not_before = media.not_before

    def send() -> bool:
        return maybe_enqueue_extraction(
            kind,
            media_id,
            asked_by,
            actor_user_id=actor_user_id,
            countdown=0.0 if not_before is None else _seconds_until(not_before),
        )

    return after_commit(session, send)


def _seconds_until(moment: datetime) -> float:
    """A little more: a message that comes too early does nothing."""
    return max(0.0, (moment - datetime.now(UTC)).total_seconds()) + _LATER_SECONDS
