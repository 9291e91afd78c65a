"""What our own faults cut off is read again by us, and never looks like a failure meanwhile."""

import threading
from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import psutil
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from pytest_httpserver import HTTPServer
from sqlalchemy.orm import Session
from werkzeug import Request, Response

from nexus.config import get_settings
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Media
from nexus.db.session import get_session_factory
from nexus.extractors.interface import Document, ExtractionError, Job
from nexus.extractors.web_article import node_client as node_ingest
from nexus.html import cleaning
from nexus.services import media_lifecycle
from nexus.services.media import create_provisional_web_article
from nexus.services.viewer import Viewer
from nexus.standstill import LONGEST_SECONDS, Standstill
from nexus.tasks import ingest_web_article as ingest_task
from tests.extractors.web_article.listener import Listener
from tests.factories import make_user
from tests.live import wait_for
from tests.queues import extractor_for

S = ProcessingStatus
PAGE = f"<title>Tides</title><article>{'<p>Harbours follow the tides. ' * 60}</article>"
TOO_SLOW = ExtractionError("too slow", code="E_INGEST_TIMEOUT")
Strike = Callable[[], None]


def nodes() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if child.name() == "node"]


def kill_node() -> None:
    for node in nodes():
        node.kill()


def kill_browser() -> None:
    for node in nodes():
        for browser in node.children():
            browser.kill()


def kill_cleaner() -> None:
    """As soon as it has something to clean."""
    assert cleaning._process is not None
    doomed = psutil.Process(cleaning._process.pid)
    doomed.suspend()

    def kill() -> None:
        wait_for(cleaning._lock.locked, what="it has something to clean")
        doomed.kill()

    threading.Thread(target=kill).start()


class Scene:
    """A site that strikes when one of its pages is asked for."""

    def __init__(self, site: HTTPServer, session: Session) -> None:
        self.site = site
        self.session = session
        self.seen: list[tuple[S, str | None]] = []
        """What the person saw whenever the page was asked for."""

    def article(self, viewer: Viewer, strike: Strike, *, times: int) -> Media:
        """Save a page during which that happens so many times, and read it."""
        path = f"/{uuid4()}"
        url = self.site.url_for(path)
        media_id = create_provisional_web_article(self.session, viewer.user_id, url).media_id
        self.session.commit()

        def respond(_request: Request) -> Response:
            self.seen.append(shown(media_id))
            if len(self.seen) <= times:
                strike()
            return Response(PAGE, content_type="text/html")

        self.site.expect_request(path).respond_with_handler(respond)
        ingest_task.apply(args=[str(media_id), str(viewer.user_id)]).get()
        self.session.expire_all()
        return self.session.get_one(Media, media_id)


def shown(media_id: UUID) -> tuple[S, str | None]:
    with get_session_factory()() as session:
        media = session.get_one(Media, media_id)
        return media.processing_status, media.last_error_code


@pytest.fixture
def scene(httpserver: HTTPServer, session: Session) -> Iterator[Scene]:
    yield Scene(httpserver, session)
    node_ingest.stop()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    node_ingest.stop()
    elsewhere = Listener()
    monkeypatch.setenv("NEXUS_EXTRACTOR", elsewhere.place)
    get_settings.cache_clear()
    yield elsewhere
    node_ingest.stop()
    elsewhere.stop()
    monkeypatch.undo()
    get_settings.cache_clear()


def assert_read_again(scene: Scene, media: Media) -> None:
    assert media.processing_status is S.READY_FOR_READING
    assert (media.processing_attempts, media_lifecycle.tries_used(media)) == (2, 1)
    assert (media.last_error_code, media.not_before) == (None, None)
    assert set(scene.seen) == {(S.EXTRACTING, None)}


@pytest.mark.parametrize("strike", [kill_node, kill_browser, kill_cleaner])
def test_a_killed_helper(scene: Scene, strike: Strike) -> None:
    assert_read_again(scene, scene.article(make_user(scene.session), strike, times=1))


def test_a_lost_connection_to_an_extractor_elsewhere(scene: Scene, listener: Listener) -> None:
    def lose() -> None:
        for process in listener.children():
            process.kill()

    assert_read_again(scene, scene.article(make_user(scene.session), lose, times=1))


def test_a_page_that_kills_its_browser_each_time_fails_after_three_tries(scene: Scene) -> None:
    viewer = make_user(scene.session)
    media = scene.article(viewer, kill_browser, times=10)
    assert scene.seen == [(S.EXTRACTING, None)] * 3
    assert (media.processing_status, media.last_error_code) == (S.FAILED, "E_INGEST_FAILED")
    assert "the browser stopped" in (media.last_error_message or "")
    assert (media.processing_attempts, media_lifecycle.tries_used(media)) == (3, 0)
    media_lifecycle.retry_media(scene.session, media.id, viewer.user_id)


@pytest.mark.parametrize("first", [TOO_SLOW, SoftTimeLimitExceeded()], ids=["page", "task"])
def test_a_failure_around_a_standstill_is_not_the_pages(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, first: Exception
) -> None:
    failures = [TOO_SLOW, first]
    stands_still = iter([True, False])

    def extract(_job: Job) -> Document:
        monkeypatch.setattr(Standstill, "noticed", next(stands_still))
        raise failures.pop()

    with extractor_for(MediaKind.WEB_ARTICLE, extract):
        media = scene.article(make_user(scene.session), lambda: None, times=0)
    assert (media.processing_status, media.last_error_code) == (S.FAILED, "E_INGEST_TIMEOUT")
    assert (media.processing_attempts, media_lifecycle.tries_used(media)) == (2, 1)


def test_a_standstill_is_noticed_at_once_and_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("nexus.standstill.time.time", lambda: now[0])
    monkeypatch.setattr("nexus.standstill.TICK_SECONDS", 0.01)
    with Standstill() as standstill:

        def noticed() -> bool:
            return standstill.noticed

        now[0] += LONGEST_SECONDS / 2
        assert not noticed()
        wait_for(lambda: standstill._last == now[0])
        now[0] += LONGEST_SECONDS + 1
        assert noticed()
        wait_for(lambda: standstill._last == now[0])
        assert noticed()
