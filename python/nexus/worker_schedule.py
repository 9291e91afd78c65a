"""Every worker carries the schedule, so that nothing depends on one process that sends it.

Each task that is due is sent by the worker that gets a key in Redis, which expires when it is due
again. A worker that dies takes nothing with it; a queue that was emptied only means one run more.
"""

import time
from collections.abc import Mapping
from typing import Any

from celery import Celery, bootsteps
from kombu.exceptions import OperationalError
from redis import Redis, RedisError

from nexus.broker import redis_client
from nexus.config import get_settings
from nexus.logging import get_logger

logger = get_logger(__name__)

_KEY = "nexus:sent:{}"
# Work that is waiting comes before chores that became due while nothing ran.
_FIRST_SECONDS = 2.0
_RETRY_SECONDS = 1.0
# A worker looks a little after the key has expired.
_MARGIN_SECONDS = 0.05


class Schedule(bootsteps.StartStopStep):  # type: ignore[misc]
    """Runs on the timer of the worker's own loop, while it is connected to the queue."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        """Called again after each loss of the connection, which clears the timer."""
        for name in parent.app.conf.beat_schedule:
            parent.timer.call_after(_FIRST_SECONDS, self._run, (parent, name))

    def _run(self, consumer: Any, name: str) -> None:
        seconds = send_if_due(consumer.app, name)
        consumer.timer.call_after(seconds, self._run, (consumer, name))


def send_if_due(app: Celery, name: str) -> float:
    """Send the task of this entry unless a worker has; the seconds until it is due again."""
    entry: Mapping[str, Any] = app.conf.beat_schedule[name]
    interval, key = float(entry["schedule"]), _KEY.format(name)
    began = time.monotonic()
    try:
        redis = redis_client(str(get_settings().redis_url))
        if not redis.set(key, 1, nx=True, px=round(interval * 1000)):
            return max(float(redis.pttl(key)) / 1000, 0.0) + _MARGIN_SECONDS
        _send(app, entry, redis, key)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("schedule_not_sent", entry=name, error=str(error))
        return _RETRY_SECONDS
    return max(interval - (time.monotonic() - began), 0.0) + _MARGIN_SECONDS


def _send(app: Celery, entry: Mapping[str, Any], redis: Redis, key: str) -> None:
    try:
        app.send_task(entry["task"], **entry.get("options", {}))
    except BaseException:
        # Or nobody would try again before it is due the next time.
        redis.delete(key)
        raise


def carry_schedule(app: Celery) -> None:
    app.steps["consumer"].add(Schedule)
