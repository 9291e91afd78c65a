"""Recovering lost work: Postgres knows what is unfinished, Redis may have forgotten."""

from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.logging import get_logger
from nexus.services import media_lifecycle
from nexus.services.enqueue import enqueue
from nexus.services.extractors import extractable_kinds
from nexus.services.ingest_queue import missing_messages

logger = get_logger(__name__)

# Bounds one sweep; the next comes in ten seconds.
_BATCH = 200


def sweep_unfinished(session: Session) -> int:
    """Enqueue what was forgotten or went silent. Safe if several run at once.

    Any message wakes a worker for the article whose turn it is. As long as there is one for each
    worker that could start, articles are not forgotten but waiting, however long that takes.
    """
    lost = media_lifecycle.release_expired(session, limit=_BATCH)
    missing = missing_messages(session, at_most=_BATCH) - len(lost)
    if missing > 0:
        articles = [MediaKind.WEB_ARTICLE]
        lost += media_lifecycle.take_forgotten(session, kinds=articles, limit=missing)
    # Web articles take turns between people; for the others every message names its item.
    if others := [kind for kind in extractable_kinds() if kind is not MediaKind.WEB_ARTICLE]:
        lost += media_lifecycle.take_forgotten(session, kinds=others, limit=_BATCH)
    for media in lost:
        logger.info("media_swept", media_id=str(media.id), attempts=media.processing_attempts)
        enqueue(session, media, actor_user_id=media.created_by_user_id)
    return len(lost)
