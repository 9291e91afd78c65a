"""GET /media/events through the BFF: who hears what, when, and what an interruption leaves."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session
from starlette.requests import ClientDisconnect
from starlette.types import Message

from nexus.db.enums import FailureStage, MembershipRole
from nexus.db.models import Membership
from nexus.db.session import database_url, get_session_factory
from nexus.http.event_stream import EventStream
from nexus.services import media_events, media_lifecycle
from nexus.services.media_events import MAX_STREAMS_PER_USER, MediaEvents
from tests.api.uploads import PDF, announce, confirm, put, uploaded
from tests.coroutines import run
from tests.live import LiveNexus, wait_for

Event = tuple[str, Any]


@contextmanager
def listening(browser: httpx.Client) -> Iterator[Iterator[Event]]:
    """The events of an open stream, after its hello."""
    with browser.stream("GET", "/api/media/events") as answer:
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        events = _parse(_lines(answer))
        assert next(events) == ("hello", {})
        yield events


def _lines(answer: httpx.Response) -> Iterator[str]:
    """Split as browsers split event streams: at line feeds, not at every Unicode separator."""
    rest = ""
    for chunk in answer.iter_text():
        *whole, rest = (rest + chunk).split("\n")
        yield from whole


def _parse(lines: Iterator[str]) -> Iterator[Event]:
    name, data = "", ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data = line.removeprefix("data: ")
        elif line.startswith(":"):
            yield "comment", line
        elif name:
            yield name, json.loads(data)
            name = ""


def _until(events: Iterator[Event], name: str) -> list[Event]:
    """Events up to and with the next of that name."""
    heard: list[Event] = []
    for event in events:
        heard.append(event)
        if event[0] == name:
            return heard
    raise AssertionError("the stream ended")


def _of(events: Iterator[Event], media_id: str) -> Any:
    """What the next event about one item says of it."""
    while True:
        data = _until(events, "media")[-1][1]
        if data["media_id"] == media_id:
            return data["media"]


def _of_others(browser: httpx.Client, events: Iterator[Event]) -> Iterator[Event]:
    """Events but for those of items the person has now: that of a new account may come late."""
    own = {item["id"] for item in browser.get("/api/media").json()["data"]["media"]}
    return (one for one in events if one[0] != "media" or one[1]["media_id"] not in own)


def _save(browser: httpx.Client) -> str:
    body = {"kind": "video", "url": f"https://v.example.org/{uuid4().hex}"}
    media_id: str = browser.post("/api/media", json=body).json()["data"]["media_id"]
    return media_id


def _new_library(browser: httpx.Client) -> str:
    library_id: str = browser.post("/api/libraries", json={"name": "Ours"}).json()["data"]["id"]
    return library_id


def _join(session: Session, friend: httpx.Client, library_id: str) -> None:
    friend_id = UUID(friend.get("/api/me").json()["data"]["id"])
    role = MembershipRole.MEMBER
    session.add(Membership(library_id=UUID(library_id), user_id=friend_id, role=role))
    session.commit()


def _lifecycle(media_id: str, step: str) -> None:
    with get_session_factory()() as session, session.begin():
        item = UUID(media_id)
        if step == "start":
            media_lifecycle.worker_start_attempt(session, item)
        elif step == "fail":
            stage = FailureStage.EXTRACT
            media_lifecycle.mark_failed(session, item, stage, "E_X", "It\nbroke.\u2028Really.")
        else:
            media_lifecycle.mark_ready_for_reading(session, item)


@pytest.fixture
def browser(nexus: LiveNexus) -> Iterator[httpx.Client]:
    with closing(nexus.signed_up()) as client:
        yield client


def test_a_new_item_and_each_of_its_changes_arrive(browser: httpx.Client) -> None:
    with listening(browser) as events:
        media_id = _save(browser)
        new = _of(events, media_id)
        assert new == browser.get(f"/api/media/{media_id}").json()["data"]
        for step, status in (("start", "extracting"), ("ready", "ready_for_reading")):
            _lifecycle(media_id, step)
            assert _of(events, media_id)["processing_status"] == status
        failing = _save(browser)
        _lifecycle(failing, "fail")
        failed = next(
            media
            for media in iter(lambda: _of(events, failing), None)
            if media["processing_status"] == "failed"
        )
        assert failed["last_error_message"] == "It\nbroke.\u2028Really."


def test_a_removal_is_heard_by_the_members_of_its_library(
    nexus: LiveNexus, browser: httpx.Client
) -> None:
    media_id = _save(browser)
    library_id = browser.get("/api/libraries").json()["data"]["libraries"][0]["id"]
    with closing(nexus.signed_up()) as stranger, listening(stranger) as others:
        with listening(browser) as events:
            assert browser.delete(f"/api/media/{media_id}").status_code == 204
            assert _until(events, "removed")[-1] == ("removed", {"library_id": library_id})
        others = _of_others(stranger, others)
        own = _save(stranger)
        heard = _until(others, "media")
        assert heard[-1][1]["media_id"] == own
        assert [name for name, _ in heard] == ["media"]


@pytest.mark.parametrize("holds", [0, 1], ids=["empty", "with an item"])
def test_a_deleted_library_is_heard_by_those_who_were_its_members(
    nexus: LiveNexus, browser: httpx.Client, session: Session, holds: int
) -> None:
    library_id = _new_library(browser)
    for _ in range(holds):
        browser.post(f"/api/libraries/{library_id}/media", json={"media_id": _save(browser)})
    with ExitStack() as people:
        friend, stranger = (people.enter_context(closing(nexus.signed_up())) for _ in range(2))
        _join(session, friend, library_id)
        streams = [people.enter_context(listening(one)) for one in (browser, friend, stranger)]
        assert browser.delete(f"/api/libraries/{library_id}").status_code == 204
        others = _of_others(stranger, streams[2])
        own = _save(stranger)
        for events in streams[:2]:
            assert _until(events, "removed")[-1] == ("removed", {"library_id": library_id})
        heard = _until(others, "media")
        assert [(name, data["media_id"]) for name, data in heard] == [("media", own)]


def test_a_rolled_back_change_is_never_heard(browser: httpx.Client) -> None:
    media_id = _save(browser)
    with listening(browser) as events:
        with get_session_factory()() as session:
            media_lifecycle.worker_start_attempt(session, UUID(media_id))
            session.rollback()
        _lifecycle(media_id, "fail")
        assert _of(events, media_id)["processing_status"] == "failed"


def test_only_readers_hear_of_an_item(nexus: LiveNexus, browser: httpx.Client) -> None:
    with closing(nexus.signed_up()) as stranger, listening(stranger) as overheard:
        secret = _save(browser)
        _lifecycle(secret, "start")
        own = _save(stranger)
        heard: list[str] = []
        while own not in heard:
            heard.append(_until(overheard, "media")[-1][1]["media_id"])
        assert secret not in heard, "it happened before, and was not heard"


def test_members_of_a_shared_library_hear_too(
    nexus: LiveNexus, browser: httpx.Client, session: Session
) -> None:
    library = _new_library(browser)
    with closing(nexus.signed_up()) as friend:
        _join(session, friend, library)
        media_id = _save(browser)
        with listening(friend) as events:
            browser.post(f"/api/libraries/{library}/media", json={"media_id": media_id})
            assert _of(events, media_id)["id"] == media_id
            _lifecycle(media_id, "start")
            assert _of(events, media_id)["processing_status"] == "extracting"


def test_what_is_ones_own_is_heard_by_nobody_else(
    nexus: LiveNexus, browser: httpx.Client, session: Session
) -> None:
    library_id = _new_library(browser)
    media_id = _save(browser)
    browser.post(f"/api/libraries/{library_id}/media", json={"media_id": media_id})
    with closing(nexus.signed_up()) as friend:
        _join(session, friend, library_id)
        with listening(browser) as events, listening(friend) as others:
            browser.patch(f"/api/media/{media_id}/mine", json={"archived": True})
            assert _of(events, media_id)["archived"] is True
            own = _save(friend)
            heard = _until(others, "media")
            assert [(name, data["media_id"]) for name, data in heard] == [("media", own)]


def test_a_merged_item_is_announced_under_its_old_id(browser: httpx.Client) -> None:
    data = PDF + uuid4().bytes
    first = uploaded(browser, data)
    target = announce(browser, data)
    put(browser, target, data)
    with listening(browser) as events:
        confirm(browser, target)
        winner = _of(events, target["media_id"])
    assert (winner["id"], winner["duplicate"]) == (first["id"], True)


def test_a_lost_listener_comes_back_and_says_so(browser: httpx.Client, session: Session) -> None:
    with listening(browser) as events:
        killed = session.scalars(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND query = 'LISTEN media_events'"
            )
        ).all()
        session.commit()
        assert killed
        assert _until(events, "resync")[-1] == ("resync", {})
        media_id = _save(browser)
        assert _of(events, media_id)["id"] == media_id


def test_a_payload_that_is_no_id_does_not_end_the_listening(
    browser: httpx.Client, session: Session
) -> None:
    with listening(browser) as events:
        session.execute(text("SELECT pg_notify('media_events', 'nonsense')"))
        session.commit()
        assert _until(events, "resync")[-1] == ("resync", {})
        media_id = _save(browser)
        assert _of(events, media_id)["id"] == media_id


def test_a_quiet_stream_is_kept_open(
    browser: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(media_events, "HEARTBEAT_SECONDS", 0.05)
    with listening(browser) as events:
        for _ in range(3):
            _until(events, "comment")
        media_id = _save(browser)
        assert _of(events, media_id)["id"] == media_id


def test_too_many_streams_are_refused_and_closed_ones_do_not_count(browser: httpx.Client) -> None:
    with ExitStack() as streams:
        for _ in range(MAX_STREAMS_PER_USER):
            streams.enter_context(listening(browser))
        refused = browser.get("/api/media/events")
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "E_RATE_LIMITED")
        assert refused.headers["Retry-After"] == "30"
        assert browser.get("/api/media").status_code == 200

    def accepted() -> bool:
        with browser.stream("GET", "/api/media/events") as answer:
            return answer.status_code == 200

    wait_for(accepted)


def test_nobody_listens_without_signing_in(nexus: LiveNexus) -> None:
    with nexus.browser() as nobody:
        assert nobody.get("/api/media/events").status_code == 401


def test_a_client_that_left_before_the_first_byte_holds_nothing() -> None:
    events, user_id = MediaEvents(database_url(), get_session_factory()), uuid4()

    async def gone(_message: Message) -> None:
        raise OSError("the client is gone")

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError("never")

    async def try_once() -> None:
        scope = {"type": "http", "asgi": {"spec_version": "2.4"}, "method": "GET"}
        with pytest.raises(ClientDisconnect):
            await EventStream(lambda: events.subscription(user_id))(scope, receive, gone)

    async def try_often() -> None:
        for _ in range(MAX_STREAMS_PER_USER + 1):
            await try_once()

    run(try_often())
    assert events._queues == {}


def test_a_reader_that_falls_behind_is_told_to_start_over() -> None:
    events, user_id = MediaEvents(database_url(), get_session_factory()), uuid4()
    with events.subscription(user_id):
        (queue,) = events._queues[user_id]
        for number in range(queue.maxsize + 10):
            media_events._put(queue, str(number).encode())
        assert queue.get_nowait() == media_events.RESYNC
        assert queue.qsize() == 9
