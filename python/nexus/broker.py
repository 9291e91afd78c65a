"""A connection to Redis beside Celery's own: to ask whether it is there, and to keep counters."""

from functools import lru_cache

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# The caller has something better to do than to wait for it.
_TIMEOUT_SECONDS = 1.0


@lru_cache(maxsize=8)
def redis_client(url: str) -> Redis:
    """The client of this process for a Redis: answers soon or raises RedisError."""
    return Redis.from_url(
        url,
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
