"""Handing an item to the queue, after the commit and never instead of it."""

from collections.abc import Callable
from functools import partial
from typing import Protocol
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.after_commit import after_commit
from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media
from nexus.logging import current_request_id
from nexus.services.extractors import maybe_enqueue_extraction


class TellsWhetherEnqueued(Protocol):
    """An answer that says whether the broker took the item."""

    enqueued: bool


def enqueue_if_pending(
    session: Session, media: Media, *, actor_user_id: UUID | None, answer: TellsWhetherEnqueued
) -> None:
    """Enqueue a pending item on behalf of the request under way; the answer learns the outcome."""
    if media.processing_status is ProcessingStatus.PENDING:
        enqueue_after_commit(
            session,
            media,
            actor_user_id=actor_user_id,
            request_id=current_request_id(),
            tell=partial(setattr, answer, "enqueued"),
        )


def enqueue_after_commit(
    session: Session,
    media: Media,
    *,
    actor_user_id: UUID | None,
    request_id: str | None,
    tell: Callable[[bool], object] = bool,
) -> None:
    """Enqueue once the row is committed; `tell` learns whether the broker took it."""
    kind, media_id = media.kind, media.id
    after_commit(
        session,
        lambda: tell(
            maybe_enqueue_extraction(kind, media_id, request_id, actor_user_id=actor_user_id)
        ),
    )
