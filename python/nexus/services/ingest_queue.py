"""What waits in the queue of articles, as far as Redis can say."""

import base64
import json
from uuid import UUID

from redis import RedisError

from nexus.broker import redis_client
from nexus.config import get_settings
from nexus.logging import get_logger
from nexus.queues import INGEST_QUEUE

logger = get_logger(__name__)


def longest_waiting() -> UUID | None:
    """The item whose message is next in turn; None when nothing waits, or there is no telling."""
    url = get_settings().redis_url
    if url is None:
        return None
    try:
        # Messages are pushed at the left and taken from the right.
        message = redis_client(url).lindex(INGEST_QUEUE, -1)
        if message is None:
            return None
        arguments, *_ = json.loads(base64.b64decode(json.loads(str(message))["body"]))
        return UUID(arguments[0])
    except (RedisError, ValueError, LookupError, TypeError) as error:
        logger.warning("queue_unreadable", error=str(error))
        return None
