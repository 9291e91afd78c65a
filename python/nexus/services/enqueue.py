"""Handing an item to the queue, after the commit and never instead of it."""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.after_commit import after_commit
from nexus.db.models import Media
from nexus.services.extractors import maybe_enqueue_extraction


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
