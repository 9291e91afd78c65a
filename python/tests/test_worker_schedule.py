"""The schedule that every worker carries."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from nexus.celery import celery_app
from nexus.queues import DEFAULT_QUEUE
from nexus.worker_schedule import send_if_due
from tests.live import wait_for
from tests.queues import redis_of_tests

NAME = "often"
HOUR = 3600.0


def every(seconds: float) -> dict[str, Any]:
    return {"task": "nexus.sweep", "schedule": seconds, "options": {"expires": 60.0}}


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """Redis, with nothing in the queue, and one entry in the schedule."""
    monkeypatch.setitem(celery_app.conf.beat_schedule, NAME, every(HOUR))
    with redis_of_tests() as client:
        client.delete(DEFAULT_QUEUE, f"nexus:sent:{NAME}")
        yield client
        client.delete(DEFAULT_QUEUE, f"nexus:sent:{NAME}")


def test_of_many_workers_one_sends(queue: Redis) -> None:
    seconds = [send_if_due(celery_app, NAME) for _ in range(3)]
    assert queue.llen(DEFAULT_QUEUE) == 1
    assert all(HOUR / 2 < each < HOUR + 0.1 for each in seconds)


def test_it_is_sent_again_when_it_is_due_again(
    queue: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(celery_app.conf.beat_schedule, NAME, every(0.1))
    send_if_due(celery_app, NAME)
    wait_for(lambda: not queue.exists(f"nexus:sent:{NAME}"), what="the time has passed")
    send_if_due(celery_app, NAME)
    assert queue.llen(DEFAULT_QUEUE) == 2


def test_an_emptied_redis_costs_one_run(queue: Redis) -> None:
    send_if_due(celery_app, NAME)
    queue.delete(DEFAULT_QUEUE, f"nexus:sent:{NAME}")
    send_if_due(celery_app, NAME)
    assert queue.llen(DEFAULT_QUEUE) == 1


def test_a_redis_that_is_away_is_asked_again_soon(
    queue: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nexus import worker_schedule
    from nexus.config import get_settings

    away = get_settings().model_copy(update={"redis_url": "unix:///nowhere/redis.sock"})
    monkeypatch.setattr(worker_schedule, "get_settings", lambda: away)
    assert send_if_due(celery_app, NAME) <= 1
    assert queue.llen(DEFAULT_QUEUE) == 0
