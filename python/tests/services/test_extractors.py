"""Handing items to the queue: only what can be extracted, and never waiting for a dead broker."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, partialmethod
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis
from sqlalchemy.orm import Session

from nexus.celery import celery_app
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.embedded.redis import EmbeddedRedis, broker_url
from nexus.embedded.running import running
from nexus.services.extractors import can_extract, maybe_enqueue_extraction
from nexus.services.send_task import _Broker
from tests.factories import make_user
from tests.live import LiveNexus
from tests.media_states import row
from tests.queues import a_document, broker_at, extractor_for, queued_ingests


@pytest.mark.parametrize("kind", [kind for kind in MediaKind if not can_extract(kind)])
def test_without_an_extractor_nothing_is_enqueued(kind: MediaKind) -> None:
    media_id = uuid4()
    assert not can_extract(kind)
    assert maybe_enqueue_extraction(kind, media_id, "request-1") is False
    assert str(media_id) not in queued_ingests()


def test_with_an_extractor_the_item_and_the_request_id_are_queued() -> None:
    media_id = uuid4()
    with extractor_for(MediaKind.VIDEO, lambda _: a_document()):
        assert maybe_enqueue_extraction(MediaKind.VIDEO, media_id, "request-1") is True
    assert queued_ingests()[str(media_id)] == "request-1"
    assert not can_extract(MediaKind.VIDEO)


@contextmanager
def _silent_server() -> Iterator[str]:
    """A broker that takes the connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def _nobody_there() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return f"redis://127.0.0.1:{port}/0"


@contextmanager
def _dialled(seconds: float = 0.0) -> Iterator[list[float]]:
    """The times of all attempts to reach a broker; by its clock, each takes that long."""
    attempts: list[float] = []

    def dial(real: Callable[[Any], Any], connection: Any) -> Any:
        attempts.append(_Broker.clock())
        now = attempts[-1] + seconds
        _Broker.clock = staticmethod(lambda: now)
        return real(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Broker, "avoided_until", 0.0)
        patch.setattr(_Broker, "clock", lambda: 1000.0)
        for kind in (redis.Connection, redis.UnixDomainSocketConnection):
            patch.setattr(kind, "_connect", partialmethod(partial(dial, kind._connect)))
        yield attempts


@pytest.mark.parametrize("absent", ["refused", "no socket file"])
def test_an_unreachable_broker_is_no_error_and_no_wait(absent: str, tmp_path: Path) -> None:
    """A few attempts each time, and no more for having failed before."""
    url = _nobody_there() if absent == "refused" else f"redis+socket://{tmp_path}/none.sock"
    with (
        extractor_for(MediaKind.VIDEO, lambda _: a_document()),
        broker_at(url),
        _dialled() as attempts,
    ):
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        first = len(attempts)
        assert 1 <= first <= 3
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        assert len(attempts) == 2 * first


def test_a_broker_that_takes_nothing_is_no_error(tmp_path: Path) -> None:
    """Out of room: what Redis says without memory, and without a disk to write to."""
    with (
        running(EmbeddedRedis(tmp_path / "redis", durable=False)) as server,
        extractor_for(MediaKind.VIDEO, lambda _: a_document()),
        broker_at(broker_url(server.url)),
    ):
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is True
        with redis.Redis.from_url(server.url) as client:
            client.config_set("maxmemory", 1)
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False


def test_a_broker_that_hangs_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {**celery_app.conf.broker_transport_options, "socket_timeout": 0.1}
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", limits)
    with (
        extractor_for(MediaKind.VIDEO, lambda _: a_document()),
        _silent_server() as silent,
        broker_at(silent),
        _dialled(seconds=2.1) as attempts,
    ):
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        first, avoided_until = len(attempts), _Broker.clock() + 5
        for _ in range(100):
            assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        assert len(attempts) == first
        monkeypatch.setattr(_Broker, "clock", lambda: avoided_until)
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        assert len(attempts) > first


def test_saving_goes_on_without_a_broker(
    nexus: LiveNexus, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = make_user(session)
    body = {"kind": "video", "url": f"https://youtu.be/{uuid4().hex[:11]}"}
    with nexus.api(viewer.user_id) as api, extractor_for(MediaKind.VIDEO, lambda _: a_document()):
        with broker_at(_nobody_there()):
            answer = api.post("/media/url", json=body)
        assert answer.status_code == 201
        data = answer.json()["data"]
        assert (data["created"], data["enqueued"]) == (True, False)
        assert row(data["media_id"])["processing_status"] == ProcessingStatus.PENDING
        monkeypatch.setattr(_Broker, "avoided_until", 0.0)
        again = api.post("/media/url", json=body)
    assert again.json()["data"] == {**data, "created": False, "enqueued": True}
    assert data["media_id"] in queued_ingests()
