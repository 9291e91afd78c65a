"""How many messages wait in the queue of articles, and sending those that are missing.

A message names an article, but any message wakes a worker for the article whose turn it is: what
matters is that there are enough of them.
"""

from redis import RedisError
from sqlalchemy.orm import Session

from nexus.broker import redis_client
from nexus.config import get_settings
from nexus.logging import get_logger
from nexus.queues import INGEST_QUEUE
from nexus.services.enqueue import enqueue
from nexus.services.ingest_turns import count_startable, next_in_turn

logger = get_logger(__name__)


def missing_messages(session: Session, *, at_most: int) -> int:
    """How many more workers could start than messages wait to wake them."""
    startable = count_startable(session, at_most=at_most)
    return max(0, startable - _length()) if startable else 0


def wake_another(session: Session) -> None:
    """Called when an article is done: its person's share may have room for the next one.

    Messages that came while there was no room did nothing.
    """
    if not missing_messages(session, at_most=get_settings().worker_concurrency):
        return
    media = next_in_turn(session)
    if media is not None:
        enqueue(session, media, actor_user_id=media.created_by_user_id)


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
