"""Handing an item to the queue: after the commit, and never instead of it."""

from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.after_commit import NOT_DONE, Outcome, after_commit
from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media
from nexus.logging import current_request_id
from nexus.services.extractors import maybe_enqueue_extraction


def enqueue(
    session: Session, media: Media, *, actor_user_id: UUID | None, request_id: str | None = None
) -> Outcome:
    """Enqueue a pending item once it is committed. The outcome says if the broker accepted it."""
    if media.processing_status is not ProcessingStatus.PENDING:
        return NOT_DONE
    kind, media_id, asked_by = media.kind, media.id, request_id or current_request_id()
    return after_commit(
        session,
        lambda: maybe_enqueue_extraction(kind, media_id, asked_by, actor_user_id=actor_user_id),
    )
