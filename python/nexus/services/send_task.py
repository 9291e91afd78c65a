"""Handing a task to the broker without ever waiting long for it."""

import time
from typing import Any

from kombu.exceptions import OperationalError
from redis import RedisError

from nexus.logging import get_logger

logger = get_logger(__name__)

# A broker that hangs, rather than refuses, is left alone for a while: requests wait for it.
_SLOW_SECONDS = 2.0
_AVOID_SECONDS = 5.0


class _Broker:
    avoided_until = 0.0


def try_to_send(task: Any, *args: str, **kwargs: str | None) -> bool:
    """Whether the broker took the task. Called after the commit; one that is away is no error."""
    if time.monotonic() < _Broker.avoided_until:
        return False
    began = time.monotonic()
    try:
        task.apply_async(args=args, kwargs=kwargs)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("enqueue_failed", task=task.name, arguments=args, error=str(error))
        if time.monotonic() - began > _SLOW_SECONDS:
            _Broker.avoided_until = time.monotonic() + _AVOID_SECONDS
        return False
    return True
