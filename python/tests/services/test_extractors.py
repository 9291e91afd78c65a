"""Handing items to the queue: only what can be extracted, and never waiting for a dead broker."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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


@pytest.mark.parametrize("absent", ["refused", "no socket file"])
def test_an_unreachable_broker_is_no_error_and_no_wait(absent: str, tmp_path: Path) -> None:
    url = _nobody_there() if absent == "refused" else f"redis+socket://{tmp_path}/none.sock"
    with extractor_for(MediaKind.VIDEO, lambda _: a_document()), broker_at(url):
        began = time.monotonic()
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        assert time.monotonic() - began < 2


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
    monkeypatch.setattr(_Broker, "avoided_until", 0.0)
    limits = {**celery_app.conf.broker_transport_options, "socket_timeout": 2.1}
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", limits)
    with (
        extractor_for(MediaKind.VIDEO, lambda _: a_document()),
        _silent_server() as silent,
        broker_at(silent),
    ):
        assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        began = time.monotonic()
        for _ in range(100):
            assert maybe_enqueue_extraction(MediaKind.VIDEO, uuid4(), None) is False
        assert time.monotonic() - began < 0.5


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
