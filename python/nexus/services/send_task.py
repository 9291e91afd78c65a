"""Handing a task to the broker without ever waiting long for it."""

import time

from kombu.exceptions import OperationalError
from redis import RedisError

from nexus.logging import get_logger

logger = get_logger(__name__)

# A broker that hangs, rather than refuses, is left alone for a while: requests wait for it.
_SLOW_SECONDS = 2.0
_AVOID_SECONDS = 5.0


class _Broker:
    avoided_until = 0.0
    clock = staticmethod(time.monotonic)


def try_to_send(task: str, *args: str, countdown: float = 0.0, **kwargs: str | None) -> bool:
    """Whether the broker accepted the task. Called after the commit; one that is down is no error.

    Tasks are sent by name: they import services, never the other way round.
    """
    # Here, so that commands which send nothing do not wait for Celery to load.
    from nexus.celery import celery_app

    began = _Broker.clock()
    if began < _Broker.avoided_until:
        return False
    try:
        celery_app.signature(task, args=args, kwargs=kwargs).apply_async(
            countdown=countdown or None
        )
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("enqueue_failed", task=task, arguments=args, error=str(error))
        now = _Broker.clock()
        if now - began > _SLOW_SECONDS:
            _Broker.avoided_until = now + _AVOID_SECONDS
        return False
    return True
