"""Recovering lost work: Postgres knows what is unfinished, Redis may have forgotten."""

from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.logging import get_logger
from nexus.services.background_turns import take_over_orphans
from nexus.services.enqueue import enqueue
from nexus.services.extractors import extractable_kinds
from nexus.services.imports.states import take_forgotten_imports, wake_import
from nexus.services.ingest_queue import missing_messages
from nexus.services.unfinished import release_expired, take_forgotten

logger = get_logger(__name__)

# Bounds one sweep; the next comes in a few seconds.
_BATCH = 200


def sweep_unfinished(session: Session) -> int:
    """Enqueue what was forgotten or went silent. Safe if several run at once.

    Any message wakes a worker for the article whose turn it is. As long as there is one for each
    worker that could start, articles are not forgotten but waiting, however long that takes.
    """
    # These wait for a moment, so that none of the missing messages is for them.
    lost = release_expired(session, limit=_BATCH)
    missing = missing_messages(session, at_most=_BATCH)
    if missing > 0:
        lost += take_forgotten(session, kinds=[MediaKind.WEB_ARTICLE], limit=missing)
    # Web articles take turns between people; for the others every message names its item.
    if others := [kind for kind in extractable_kinds() if kind is not MediaKind.WEB_ARTICLE]:
        lost += take_forgotten(session, kinds=others, limit=_BATCH)
    take_over_orphans(session)
    for import_id in take_forgotten_imports(session):
        wake_import(session, import_id)
    for media in lost:
        logger.info("media_swept", media_id=str(media.id), attempts=media.processing_attempts)
        enqueue(session, media, actor_user_id=media.created_by_user_id)
    return len(lost)
