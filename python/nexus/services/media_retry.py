"""Retry, for the person who asks and for the operator who insists."""

from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media
from nexus.schemas.media import RetryOut
from nexus.services import media_lifecycle
from nexus.services.file_kinds import awaits_upload
from nexus.services.media_create import enqueue_after_commit
from nexus.services.users import Viewer


def retry(session: Session, viewer: Viewer, *, media_id: UUID) -> RetryOut:
    """Reset a failed item and enqueue it."""
    return _enqueue(session, media_lifecycle.retry_media(session, media_id, viewer.user_id))


def force_retry(session: Session, *, media_id: UUID) -> RetryOut:
    """The operator's retry: no limit on attempts."""
    return _enqueue(session, media_lifecycle.revive_media(session, media_id))


def _enqueue(session: Session, media: Media) -> RetryOut:
    result = RetryOut(media_id=media.id, enqueued=False)
    if media.processing_status is ProcessingStatus.PENDING and not awaits_upload(media):
        enqueue_after_commit(session, media, result)
    return result
