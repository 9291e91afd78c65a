"""A Redis connection besides Celery's own, for health checks and counters."""

from functools import lru_cache

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# Short: no request may hang because Redis does.
_TIMEOUT_SECONDS = 1.0


@lru_cache(maxsize=8)
def redis_client(url: str) -> Redis:
    """This process's client for a Redis server; every call returns soon or raises RedisError."""
    return Redis.from_url(
        url,
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
