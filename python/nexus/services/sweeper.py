"""Bringing back work that got lost: Postgres knows what is unfinished, Redis may have forgotten."""

from sqlalchemy.orm import Session

from nexus.logging import get_logger
from nexus.services import media_lifecycle
from nexus.services.enqueue import enqueue_after_commit
from nexus.services.extractors import extractable_kinds
from nexus.services.ingest_queue import longest_waiting

logger = get_logger(__name__)

# Bounds one sweep; the next comes in ten seconds.
_BATCH = 200


def sweep_unfinished(session: Session) -> int:
    """Enqueue what was forgotten or fell silent. Safe when several run at once.

    The queue is first in, first out: what was enqueued after the message that is next in turn
    still waits behind it, and is left alone, however long that takes.
    """
    forgotten = media_lifecycle.take_forgotten(
        session, kinds=extractable_kinds(), next_in_turn=longest_waiting(), limit=_BATCH
    )
    lost = [*media_lifecycle.release_expired(session, limit=_BATCH), *forgotten]
    for media in lost:
        logger.info("media_swept", media_id=str(media.id), attempts=media.processing_attempts)
        enqueue_after_commit(
            session, media, actor_user_id=media.created_by_user_id, request_id=None
        )
    return len(lost)
