"""POST /media/url and its twin POST /media: contract, identity, refusals, usage."""

from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus, UsageOperation
from nexus.db.models import LibraryMedia, Media, UsageRecord
from nexus.services.viewer import Viewer
from tests.factories import make_user
from tests.live import LiveNexus
from tests.media_states import media_in, row
from tests.queues import queued_ingests

BOTH_DOORS = pytest.mark.parametrize("door", ["/media/url", "/media"])


def fresh_url() -> str:
    return f"https://example.org/{uuid4().hex}"


def fresh_video() -> str:
    return uuid4().hex[:11]


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


def _error(answer: httpx.Response) -> tuple[int, str]:
    assert answer.json().keys() == {"error"}
    assert answer.json()["error"]["request_id"] == answer.headers["X-Request-ID"]
    return answer.status_code, answer.json()["error"]["code"]


@BOTH_DOORS
def test_a_new_article(door: str, nexus: LiveNexus, viewer: Viewer, session: Session) -> None:
    url = fresh_url()
    messy = url.replace("https://example.org", "HTTPS://Example.org:443") + "?utm_source=x&b=1#c"
    with nexus.api(viewer.user_id) as api:
        answer = api.post(door, json={"kind": "web_article", "url": messy})
        assert answer.status_code == 201
        data = answer.json()["data"]
        assert data == {"media_id": data["media_id"], "created": True, "enqueued": True}
        media = api.get(f"/media/{data['media_id']}").json()["data"]
        again = api.post(door, json={"kind": "web_article", "url": f"{url}?b=1"})
    assert media["canonical_url"] == f"{url}?b=1"
    assert media["requested_url"] == messy
    assert media["canonical_source_url"] == messy.replace(
        "HTTPS://Example.org", "https://example.org"
    ).removesuffix("#c")
    assert media["title"] == messy
    assert media["processing_status"] == "pending"
    assert media["external_playback_url"] is media["provider"] is None
    assert (again.status_code, again.json()["data"]["created"]) == (200, False)
    assert again.json()["data"]["media_id"] == data["media_id"]
    assert data["media_id"] in queued_ingests()
    used = session.scalars(select(UsageRecord).where(UsageRecord.user_id == viewer.user_id)).all()
    assert [(one.operation, one.amount, str(one.media_id)) for one in used] == [
        (UsageOperation.INGEST_URLS, 1, data["media_id"])
    ]


@BOTH_DOORS
def test_every_spelling_of_a_video_is_one_item(door: str, nexus: LiveNexus, viewer: Viewer) -> None:
    video = fresh_video()
    spellings = [
        f"https://www.youtube.com/watch?v={video}&t=4",
        f"https://youtu.be/{video}?si=abc",
        f"http://m.youtube.com/shorts/{video}",
        f"https://www.youtube-nocookie.com/embed/{video}",
        f"https://music.youtube.com/watch?v={video}",
        f"https://youtube.com/live/{video}",
    ]
    with nexus.api(viewer.user_id) as api:
        answers = [api.post(door, json={"kind": "video", "url": url}) for url in spellings]
        ids = {answer.json()["data"]["media_id"] for answer in answers}
        assert len(ids) == 1
        media = api.get(f"/media/{ids.pop()}").json()["data"]
    assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 200, 200]
    assert {answer.json()["data"]["enqueued"] for answer in answers} == {False}
    watch = f"https://www.youtube.com/watch?v={video}"
    assert (media["provider"], media["provider_id"]) == ("youtube", video)
    assert media["canonical_url"] == media["external_playback_url"] == watch
    assert media["capabilities"]["can_play"] is True
    assert media["capabilities"]["can_read"] is False


def test_a_video_elsewhere_and_an_article_on_youtube(nexus: LiveNexus, viewer: Viewer) -> None:
    video = fresh_video()
    with nexus.api(viewer.user_id) as api:
        elsewhere = api.post("/media/url", json={"kind": "video", "url": f"https://v.org/{video}"})
        article_url = f"https://www.youtube.com/watch?v={video}"
        article = api.post("/media/url", json={"kind": "web_article", "url": article_url})
        as_video = api.post("/media/url", json={"kind": "video", "url": article_url})
        first = api.get(f"/media/{elsewhere.json()['data']['media_id']}").json()["data"]
        second = api.get(f"/media/{article.json()['data']['media_id']}").json()["data"]
    assert first["external_playback_url"] == first["canonical_url"] == f"https://v.org/{video}"
    assert first["provider"] is None
    assert second["external_playback_url"] is second["provider"] is None
    assert as_video.json()["data"]["created"] is True, "identity is kind and address"


REFUSALS: dict[str, tuple[Any, tuple[int, str]]] = {
    "pdf by address": (
        {"kind": "pdf", "url": "https://example.org/a.pdf"},
        (400, "E_INVALID_KIND"),
    ),
    "epub": ({"kind": "epub", "url": "https://example.org/a"}, (400, "E_INVALID_KIND")),
    "podcast": (
        {"kind": "podcast_episode", "url": "https://example.org/a"},
        (400, "E_INVALID_KIND"),
    ),
    "unknown kind": ({"kind": "book", "url": "https://example.org/a"}, (400, "E_INVALID_KIND")),
    "kind in capitals": ({"kind": "VIDEO", "url": "https://v.org/a"}, (400, "E_INVALID_KIND")),
    "kind with nul": ({"kind": "video\x00", "url": "https://v.org/a"}, (400, "E_INVALID_KIND")),
    "no scheme": ({"kind": "video", "url": "example.org"}, (400, "E_INVALID_URL")),
    "youtube channel": (
        {"kind": "video", "url": "https://www.youtube.com/@somebody"},
        (400, "E_INVALID_URL"),
    ),
    "private": ({"kind": "web_article", "url": "http://10.0.0.1/"}, (400, "E_INVALID_URL")),
    "no url": ({"kind": "video"}, (400, "E_INVALID_REQUEST")),
    "no kind": ({"url": "https://example.org/a"}, (400, "E_INVALID_REQUEST")),
    "url is a number": ({"kind": "video", "url": 5}, (400, "E_INVALID_REQUEST")),
    "url is null": ({"kind": "video", "url": None}, (400, "E_INVALID_REQUEST")),
    "kind is a list": ({"kind": ["video"], "url": "https://v.org"}, (400, "E_INVALID_REQUEST")),
    "more than asked": (
        {"kind": "video", "url": "https://v.org/a", "title": "Mine"},
        (400, "E_INVALID_REQUEST"),
    ),
    "a list": ([1], (400, "E_INVALID_REQUEST")),
    "a text": ("hello", (400, "E_INVALID_REQUEST")),
    "null": (None, (400, "E_INVALID_REQUEST")),
    "nothing": ({}, (400, "E_INVALID_REQUEST")),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_are_the_same_at_both_doors(
    name: str, nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    body, expected = REFUSALS[name]
    with nexus.api(viewer.user_id) as api:
        answers = [api.post(door, json=body) for door in ("/media/url", "/media")]
        assert api.get("/media").json()["data"]["media"] == []
    assert [_error(answer) for answer in answers] == [expected, expected]
    messages = {answer.json()["error"]["message"] for answer in answers}
    assert len(messages) == 1
    assert "one-of" not in messages.pop()


def test_bodies_that_are_not_json(nexus: LiveNexus, viewer: Viewer) -> None:
    with nexus.api(viewer.user_id) as api:
        for content in (b"", b"{", b"\xff", b"[1, 2"):
            answer = api.post(
                "/media", content=content, headers={"Content-Type": "application/json"}
            )
            assert _error(answer) == (400, "E_INVALID_REQUEST")


def test_no_token_no_item(nexus: LiveNexus) -> None:
    with nexus.api() as api:
        answer = api.post("/media/url", json={"kind": "video", "url": "https://v.org/a"})
    assert _error(answer) == (401, "E_UNAUTHENTICATED")


def test_two_people_share_the_row_and_not_the_library(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    other, stranger, url = make_user(session), make_user(session), fresh_url()
    body = {"kind": "web_article", "url": url}
    with nexus.api(viewer.user_id) as mine, nexus.api(other.user_id) as theirs:
        first = mine.post("/media/url", json=body).json()["data"]
        path = f"/media/{first['media_id']}"
        assert theirs.get(path).status_code == 404
        second = theirs.post("/media/url", json=body).json()["data"]
        assert second == first, "nothing tells that somebody else has it"
        assert theirs.get(path).status_code == 200
    with nexus.api(stranger.user_id) as nobody:
        assert nobody.get(path).status_code == 404
    used = select(func.count()).where(UsageRecord.user_id == other.user_id)
    assert session.scalar(used) == 0


@pytest.mark.parametrize("attempts", [1, 3, 7])
def test_a_failed_item_is_tried_again(
    attempts: int, nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    other, url = make_user(session), fresh_url()
    failed = ProcessingStatus.FAILED
    media = media_in(session, other, failed, canonical_url=url, processing_attempts=attempts)
    with nexus.api(viewer.user_id) as api:
        answer = api.post("/media/url", json={"kind": "web_article", "url": url})
    assert answer.json()["data"] == {
        "media_id": str(media.id),
        "created": True,
        "enqueued": True,
    }
    after = row(media.id)
    assert after["processing_status"] == ProcessingStatus.PENDING
    assert after["processing_attempts"] == attempts
    assert after["last_error_code"] is after["failed_at"] is None


@pytest.mark.parametrize(
    "status", [status for status in ProcessingStatus if status is not ProcessingStatus.FAILED]
)
def test_an_item_in_any_other_state_is_left_as_it_is(
    status: ProcessingStatus, nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    url = fresh_url()
    media = media_in(session, make_user(session), status, canonical_url=url)
    before = row(media.id)
    with nexus.api(viewer.user_id) as api:
        answer = api.post("/media/url", json={"kind": "web_article", "url": url})
    assert answer.json()["data"]["enqueued"] is (status is ProcessingStatus.PENDING)
    assert row(media.id) == before
    held = select(LibraryMedia.media_id).where(LibraryMedia.library_id == viewer.default_library_id)
    assert session.scalars(held).all() == [media.id]


def test_an_embedding_that_failed_is_readable_at_once(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    url = fresh_url()
    stage = FailureStage.EMBED
    failed = ProcessingStatus.FAILED
    media = media_in(session, viewer, failed, canonical_url=url, failure_stage=stage)
    with nexus.api(viewer.user_id) as api:
        answer = api.post("/media/url", json={"kind": "web_article", "url": url})
    assert answer.json()["data"]["enqueued"] is False
    assert row(media.id)["processing_status"] == ProcessingStatus.READY_FOR_READING


def test_the_row_is_of_the_kind_asked_for(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    url = fresh_url()
    with nexus.api(viewer.user_id) as api:
        for kind in ("web_article", "video"):
            api.post("/media/url", json={"kind": kind, "url": url})
    kinds = session.scalars(select(Media.kind).where(Media.canonical_url == url)).all()
    assert set(kinds) == {MediaKind.WEB_ARTICLE, MediaKind.VIDEO}
