"""Retry, for a reader and for the operator."""

from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.after_commit import NOT_DONE
from nexus.db.models import Media
from nexus.schemas.media import RetryOut
from nexus.services import media_lifecycle
from nexus.services.enqueue import enqueue
from nexus.services.file_kinds import awaits_upload
from nexus.services.quota import require_room_in_queue
from nexus.services.viewer import Viewer


def retry(session: Session, viewer: Viewer, *, media_id: UUID) -> RetryOut:
    """Reset a failed item and enqueue it."""
    media = media_lifecycle.retry_media(session, media_id, viewer.user_id)
    require_room_in_queue(session, user_id=viewer.user_id)
    return _enqueue(session, media, actor_user_id=viewer.user_id)


def operator_retry(session: Session, *, media_id: UUID, force: bool) -> RetryOut:
    """The operator's retry: any item, and with `force` past the limit on attempts."""
    media = media_lifecycle.revive_media(session, media_id, within_limit=not force)
    return _enqueue(session, media, actor_user_id=None)


def _enqueue(session: Session, media: Media, *, actor_user_id: UUID | None) -> RetryOut:
    if awaits_upload(media):
        return RetryOut(media_id=media.id, enqueued=NOT_DONE)
    actor = actor_user_id or media.created_by_user_id
    enqueued = enqueue(session, media, actor_user_id=actor)
    return RetryOut(media_id=media.id, enqueued=enqueued)
