"""Looking into the real queue, and bending where it leads for a moment."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from kombu import pools

from nexus.celery import celery_app
from nexus.config import get_settings
from nexus.db.enums import MediaKind
from nexus.extractors.interface import Document, Extract, FragmentText
from nexus.html.sanitize import sanitize_html
from nexus.queues import DEFAULT_QUEUE, INGEST_QUEUE
from nexus.services.extractors import AVAILABLE_EXTRACTORS


def a_document() -> Document:
    """What an extractor of a test has read."""
    return Document(fragments=(FragmentText(sanitize_html("<p>x", "https://a.test/"), "x"),))


@contextmanager
def extractor_for(kind: MediaKind, extract: Extract) -> Iterator[None]:
    """An extractor that is registered while the block lasts."""
    before = AVAILABLE_EXTRACTORS.get(kind)
    AVAILABLE_EXTRACTORS[kind] = extract
    try:
        yield
    finally:
        if before is None:
            del AVAILABLE_EXTRACTORS[kind]
        else:
            AVAILABLE_EXTRACTORS[kind] = before


def queued_ingests() -> dict[str, str | None]:
    """The items waiting in the queue, each with the request id it carries."""
    return dict(_waiting())


def queued_ids() -> list[str]:
    """The items waiting in the queue, the last that came first, each as often as it is there."""
    return [media_id for media_id, _ in _waiting()]


def queued_placements() -> list[str]:
    """The items whose highlights are to be placed."""
    with redis_of_tests() as client:
        messages = [json.loads(message) for message in client.lrange(DEFAULT_QUEUE, 0, -1)]
    of_task = (one for one in messages if one["headers"]["task"] == "nexus.place_highlights")
    return [json.loads(base64.b64decode(one["body"]))[0][0] for one in of_task]


def _waiting() -> list[tuple[str, str | None]]:
    with redis_of_tests() as client:
        messages = client.lrange(INGEST_QUEUE, 0, -1)
    found = []
    for message in messages:
        args, kwargs, _ = json.loads(base64.b64decode(json.loads(message)["body"]))
        found.append((args[0], kwargs.get("request_id")))
    return found


def forget_queued() -> None:
    """Empty the queue, so that a worker finds only what its own test puts there."""
    with redis_of_tests() as client:
        client.delete(INGEST_QUEUE)


def redis_of_tests() -> redis.Redis:
    """The Redis of the tests, to be closed."""
    url = get_settings().redis_url
    assert url is not None
    return redis.Redis.from_url(url)


@contextmanager
def broker_at(url: str) -> Iterator[None]:
    """Publish somewhere else while the block lasts."""
    before = celery_app.conf.broker_url
    _use_broker(url)
    try:
        yield
    finally:
        _use_broker(before)


def _use_broker(url: str) -> None:
    celery_app.conf.broker_url = celery_app.conf.broker_write_url = url
    # Celery forgets its open connections as it does in a forked worker.
    celery_app._after_fork()
    pools.reset()  # type: ignore[no-untyped-call]
