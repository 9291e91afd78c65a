"""How many messages wait in the queue of articles, and sending those that are missing.

A message names an article, but any message wakes a worker for the article whose turn it is: what
matters is that there are enough of them.
"""

from redis import RedisError
from sqlalchemy.orm import Session

from nexus.broker import redis_client
from nexus.config import get_settings
from nexus.db.after_commit import after_commit
from nexus.logging import get_logger
from nexus.queues import INGEST_QUEUE
from nexus.services.background_turns import next_in_background
from nexus.services.enqueue import enqueue
from nexus.services.extractors import maybe_enqueue_extraction
from nexus.services.ingest_turns import count_startable, next_in_turn

logger = get_logger(__name__)

_SOON_SECONDS = 5.0
# Between two imported pages, other work has a chance where there is a single worker.
_GAP_SECONDS = 0.1


def missing_messages(session: Session, *, at_most: int) -> int:
    """How many more workers could start than messages wait to wake them."""
    startable = count_startable(session, at_most=at_most)
    return max(0, startable - _length()) if startable else 0


def wake_another(session: Session) -> None:
    """Called when an article is done: its person's share may have room for the next one.

    Messages that came while there was no room did nothing.
    """
    missing = missing_messages(session, at_most=get_settings().worker_concurrency)
    media = next_in_turn(session) if missing else None
    if media is not None:
        enqueue(session, media, actor_user_id=media.created_by_user_id)
    else:
        _wake_for_background(session)


def _wake_for_background(session: Session) -> None:
    """An imported page may be next, maybe after its site had a pause."""
    found = next_in_background(session)
    if found is None:
        return
    media, seconds = found
    if seconds > _SOON_SECONDS:
        return  # the sweeper wakes somebody
    kind, media_id = media.kind, media.id
    after_commit(
        session,
        lambda: maybe_enqueue_extraction(kind, media_id, None, countdown=seconds + _GAP_SECONDS),
    )


def _length() -> int:
    """Zero if it is unknown: a message too many changes nothing."""
    url = get_settings().redis_url
    if url is None:
        return 0
    try:
        length = redis_client(url).llen(INGEST_QUEUE)
        assert isinstance(length, int)
        return length
    except RedisError as error:
        logger.warning("queue_unreadable", error=str(error))
        return 0
