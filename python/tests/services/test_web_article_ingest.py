"""Saved addresses become articles: real pages, a real browser, the real database."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from pytest_httpserver import HTTPServer
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from werkzeug import Response

from nexus.config import get_settings
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import Fragment, FragmentImage, LibraryMedia, Media, MediaAlias, MediaOutline
from nexus.db.session import get_session_factory
from nexus.db.task_session import task_session
from nexus.extractors.interface import Document, FragmentText, Job
from nexus.extractors.web_article import node_client as node_ingest
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from nexus.services import media_lifecycle
from nexus.services.document_store import store_document
from nexus.services.ingest import claim, run
from nexus.services.media import create_provisional_web_article
from nexus.services.media_read import get_media
from nexus.services.sweeper import sweep_unfinished
from nexus.services.unfinished import FORGOTTEN_AFTER, release_expired, take_forgotten
from nexus.services.viewer import Viewer
from nexus.tasks import ingest_web_article as ingest_task
from tests.factories import make_media, make_user

WORDS = "Tides follow the moon, and harbours follow the tides. " * 12
PAGE = f"""<!doctype html><html lang="en"><head><title>On tides</title></head><body>
<nav><a href="/">Home</a></nav><article><h1>On tides</h1><p>{WORDS}</p>
<p onclick="steal()">Second <b>paragraph</b>. {WORDS}</p><script>alert(1)</script>
<img src="/boat.png" alt="A boat">
<img src="/pier.png" width="640" height="480"><p hidden>not for reading</p></article>
</body></html>"""

NOTED = PAGE.replace(
    '<img src="/boat',
    "<h2>The moon<sup id=r><a href='#n'>1</a></sup></h2><p>Text.</p>"
    f"<p id=n><a href='#r'>Back</a> {WORDS}</p><img src=\"/boat",
)

FORGER = PAGE.replace("follow", "ignore").replace(
    "<title>",
    "<link rel=canonical href=/tides><script>history.replaceState(0, '', '/tides')</script><title>",
)

FILES: dict[str, dict[str, Any]] = {
    "report.pdf": {"content_type": "application/pdf"},
    "attached": {
        "content_type": "text/html",
        "headers": {"Content-Disposition": "attachment; filename=report.pdf"},
    },
    "mistaken": {"content_type": "text/html"},
}

DECLARED = PAGE.replace(
    "<title>On tides",
    """<meta property="og:site_name" content="The Pilot"><meta name="author" content="Jane Doe">
    <meta property="article:published_time" content="2024-05-03T10:00:00+0200">
    <meta name="description" content="What tides do."><meta property="og:image" content="/sea.jpg">
    <title>On tides | The Pilot""",
)

HUNGRY = """<!doctype html><p>Few words.<script>
const kept = []; for (let n = 0; n < 80; n++) kept.push(new Uint8Array(5e7).fill(1));
</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        server.expect_request("/tides").respond_with_data(PAGE, content_type="text/html")
        server.expect_request("/noted").respond_with_data(NOTED, content_type="text/html")
        server.expect_request("/moved").respond_with_response(_redirect("/moved-again"))
        server.expect_request("/moved-again").respond_with_response(_redirect("/tides?from=1"))
        server.expect_request("/forger").respond_with_data(FORGER, content_type="text/html")
        server.expect_request("/declared").respond_with_data(DECLARED, content_type="text/html")
        server.expect_request("/hungry").respond_with_data(HUNGRY, content_type="text/html")
        server.expect_request("/forbidden").respond_with_data("no", status=403)
        server.expect_request("/endless").respond_with_response(_redirect("/tides?" + "a" * 3000))
        server.expect_request("/empty").respond_with_data("", content_type="text/html")
        for name, headers in FILES.items():
            server.expect_request(f"/{name}").respond_with_data(b"%PDF-1.7 1 0 obj", **headers)
        yield server


def _redirect(location: str) -> Response:
    return Response(status=302, headers={"Location": location})


def save(session: Session, viewer: Viewer, url: str) -> UUID:
    result = create_provisional_web_article(session, viewer.user_id, url)
    session.commit()
    return result.media_id


def ingest(media_id: UUID, viewer: Viewer) -> None:
    claimed = claim(task_session, media_id)
    if claimed is not None:
        run(task_session, claimed, actor_user_id=viewer.user_id)


def row(session: Session, media_id: UUID) -> Media:
    session.expire_all()
    return session.get_one(Media, media_id)


def test_headings_and_places_in_a_page_are_offsets_in_its_text(
    session: Session, site: HTTPServer
) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, site.url_for("/noted"))
    ingest(media_id, viewer)
    fragment = session.scalars(select(Fragment).where(Fragment.media_id == media_id)).one()
    text = fragment.canonical_text
    moon, back = text.index("The moon"), text.index("Back")
    assert f'<a href="#offset-0-{back}">1</a>' in fragment.html_sanitized
    assert f'<a href="#offset-0-{moon + len("The moon")}">Back</a>' in fragment.html_sanitized
    outline = session.get_one(MediaOutline, media_id)
    assert {"label": "The moon", "fragment_idx": 0, "offset": moon, "children": []} in (
        outline.contents
    )


def test_a_page_becomes_readable(session: Session, site: HTTPServer) -> None:
    viewer = make_user(session)
    url = site.url_for("/tides") + "#harbours"
    media_id = save(session, viewer, url)
    ingest_task.apply(args=[str(media_id), str(viewer.user_id)]).get()
    media = row(session, media_id)
    assert media.processing_status is ProcessingStatus.READY_FOR_READING
    assert (media.title, media.processing_attempts) == ("On tides", 1)
    assert media.requested_url == url
    assert media.canonical_url == site.url_for("/tides")
    assert media.processing_completed_at is not None
    assert (media.failed_at, media.last_error_code, media.lease_expires_at) == (None, None, None)
    fragment = session.scalars(select(Fragment).where(Fragment.media_id == media_id)).one()
    assert fragment.idx == 0
    assert fragment.html_sanitized == sanitize_html(fragment.html_sanitized, url)
    assert fragment.canonical_text == canonicalize(sanitize_html(fragment.html_sanitized, url))
    assert "Second paragraph. Tides" in fragment.canonical_text
    assert "not for reading" not in fragment.canonical_text
    for trace in ("<script", "onclick", "alert(1)"):
        assert trace not in fragment.html_sanitized
    assert "/media/image?url=http" in fragment.html_sanitized
    images = session.scalars(
        select(FragmentImage)
        .where(FragmentImage.fragment_id == fragment.id)
        .order_by(FragmentImage.idx)
    )
    assert [(image.address, image.width, image.height) for image in images] == [
        (site.url_for("/boat.png"), None, None),
        (site.url_for("/pier.png"), 640, 480),
    ]


def test_what_a_page_declares_is_stored(session: Session, site: HTTPServer) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, site.url_for("/declared"))
    ingest(media_id, viewer)
    media = row(session, media_id)
    assert (media.title, media.site_name, media.authors) == ("On tides", "The Pilot", ["Jane Doe"])
    assert (media.published_at, media.language) == ("2024-05-03T10:00:00+02:00", "en")
    assert media.excerpt == "What tides do."
    assert media.lead_image_url == site.url_for("/sea.jpg")


def test_a_page_cannot_take_the_address_of_another(session: Session, site: HTTPServer) -> None:
    forger, reader = make_user(session), make_user(session)
    forged = save(session, forger, site.url_for("/forger"))
    ingest(forged, forger)
    genuine = save(session, reader, site.url_for("/tides"))
    ingest(genuine, reader)
    assert row(session, forged).canonical_url == site.url_for("/forger")
    found = get_media(session, reader, media_id=genuine).id
    text = session.scalars(select(Fragment.canonical_text).where(Fragment.media_id == found)).one()
    assert "Tides follow the moon" in text


@pytest.fixture
def small_browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NEXUS_BROWSER_MEMORY_BYTES", str(500 * 1024 * 1024))
    node_ingest.stop()
    get_settings.cache_clear()
    yield
    node_ingest.stop()
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.mark.heavy
@pytest.mark.usefixtures("small_browser")
@pytest.mark.parametrize("mode", ["serve", "oneshot"])
def test_a_page_that_eats_memory_says_so(
    session: Session, site: HTTPServer, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("NEXUS_INGEST_MODE", mode)
    viewer = make_user(session)
    hungry = save(session, viewer, site.url_for(f"/hungry?{mode}"))
    ingest(hungry, viewer)
    media = row(session, hungry)
    assert media.processing_status is ProcessingStatus.FAILED
    assert (media.failure_stage, media.last_error_code, media.last_error_message) == (
        FailureStage.EXTRACT,
        "E_INGEST_TOO_MUCH_MEMORY",
        "This page needs too much memory",
    )
    after = save(session, viewer, site.url_for(f"/tides?after={mode}"))
    ingest(after, viewer)
    assert row(session, after).processing_status is ProcessingStatus.READY_FOR_READING


def test_a_second_delivery_changes_nothing(session: Session, site: HTTPServer) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, site.url_for("/tides") + f"?{uuid4()}")
    ingest(media_id, viewer)
    before = row(session, media_id).updated_at
    ingest(media_id, viewer)
    after = row(session, media_id)
    assert (after.updated_at, after.processing_attempts) == (before, 1)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/forbidden", "403"),
        ("/empty", "no article text"),
        ("/missing", "500"),
        ("/endless", "longer than 2048"),
    ],
)
def test_what_cannot_be_read_says_why(
    session: Session, site: HTTPServer, path: str, words: str
) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, site.url_for(path))
    ingest(media_id, viewer)
    media = row(session, media_id)
    assert media.processing_status is ProcessingStatus.FAILED
    assert (media.failure_stage, media.last_error_code) == (
        FailureStage.EXTRACT,
        "E_INGEST_FAILED",
    )
    assert words.lower() in (media.last_error_message or "").lower()
    assert media.failed_at is not None
    assert media.processing_completed_at is None
    assert not session.scalars(select(Fragment).where(Fragment.media_id == media_id)).all()


@pytest.mark.parametrize("name", FILES)
def test_an_address_may_be_a_file(session: Session, site: HTTPServer, name: str) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, site.url_for(f"/{name}"))
    ingest(media_id, viewer)
    media = row(session, get_media(session, viewer, media_id=media_id).id)
    assert (media.kind, media.processing_status) == (MediaKind.PDF, ProcessingStatus.PENDING)
    assert media.file_sha256 is not None


def test_addresses_that_end_at_one_page_become_one_item(session: Session, site: HTTPServer) -> None:
    readers = [make_user(session) for _ in range(3)]
    urls = [site.url_for(path) for path in ("/moved", "/tides?from=1", "/moved-again")]
    saved = [save(session, reader, url) for reader, url in zip(readers, urls, strict=True)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(ingest, saved, readers))
    winner = session.scalars(
        select(Media).where(Media.canonical_url == site.url_for("/tides?from=1"))
    ).one()
    _assert_merged(session, saved, readers, winner.id)


def test_fifty_at_once_leave_one_item(session: Session) -> None:
    url = f"https://example.org/{uuid4()}"
    readers = [make_user(session) for _ in range(50)]
    saved = [save(session, reader, f"{url}#{number}") for number, reader in enumerate(readers)]
    html = sanitize_html("<p>Some text.</p>", url)
    document = Document((FragmentText(html, canonicalize(html)),), "A title", url)
    start = threading.Barrier(50)

    def finish(media_id: UUID, reader: Viewer) -> str:
        with task_session() as own:
            media_lifecycle.worker_start_attempt(own, media_id)
        start.wait()
        with task_session() as own:
            return store_document(
                own,
                Job(media_id, 1, MediaKind.WEB_ARTICLE),
                document,
                canonical_url=url,
                actor_user_id=reader.user_id,
            )

    with ThreadPoolExecutor(50) as pool:
        outcomes = list(pool.map(finish, saved, readers))
    assert sorted(outcomes) == ["merged"] * 49 + ["stored"]
    _assert_merged(session, saved, readers, saved[outcomes.index("stored")])


def _assert_merged(
    session: Session, saved: list[UUID], readers: list[Viewer], winner_id: UUID
) -> None:
    session.expire_all()
    assert session.scalars(select(Media.id).where(Media.id.in_(saved))).all() == [winner_id]
    assert session.scalar(select(func.count()).where(Fragment.media_id == winner_id)) == 1
    for media_id, reader in zip(saved, readers, strict=True):
        answer = get_media(session, reader, media_id=media_id)
        assert (answer.id, answer.duplicate) == (winner_id, media_id != winner_id)
        held = session.scalars(
            select(LibraryMedia.media_id).where(
                LibraryMedia.library_id == reader.default_library_id
            )
        ).all()
        assert held == [winner_id]
    aliases = session.scalars(select(MediaAlias.alias_id).where(MediaAlias.media_id == winner_id))
    assert set(aliases) == set(saved) - {winner_id}


def test_a_failed_winner_is_revived(session: Session, site: HTTPServer) -> None:
    first, second = make_user(session), make_user(session)
    url = site.url_for("/tides") + f"?{uuid4()}"
    dead = make_media(session, first, canonical_url=url, requested_url=url, processing_attempts=3)
    media_lifecycle.mark_failed(session, dead.id, FailureStage.EXTRACT, "E_INGEST_FAILED", "no")
    session.commit()
    media_id = save(session, second, url)
    ingest(media_id, second)
    winner = row(session, dead.id)
    assert winner.processing_status is ProcessingStatus.READY_FOR_READING
    assert (winner.processing_attempts, winner.last_error_code) == (4, None)
    assert get_media(session, second, media_id=media_id).id == dead.id


def test_a_worker_that_wakes_up_late_changes_nothing(session: Session) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, f"https://example.org/{uuid4()}")
    html = sanitize_html("<p>Old.</p>", "https://example.org/")
    url = "https://example.org/late"
    document = Document((FragmentText(html, "Old."),), "Late", url)
    assert media_lifecycle.worker_start_attempt(session, media_id)
    session.commit()
    _expire_lease(session, media_id)
    with task_session() as sweeping:
        assert media_id in {media.id for media in release_expired(sweeping, limit=100_000)}
    assert media_lifecycle.worker_start_attempt(session, media_id)
    session.commit()
    with task_session() as late:
        outcome = store_document(
            late,
            Job(media_id, 1, MediaKind.WEB_ARTICLE),
            document,
            canonical_url=url,
            actor_user_id=viewer.user_id,
        )
    assert outcome == "outdated"
    media = row(session, media_id)
    assert (media.processing_status, media.processing_attempts, media.title) == (
        ProcessingStatus.EXTRACTING,
        2,
        media.requested_url,
    )


def test_the_sweeper_gives_up_after_three_attempts(session: Session) -> None:
    viewer = make_user(session)
    media_id = save(session, viewer, f"https://example.org/{uuid4()}")
    for attempt in (1, 2, 3):
        assert media_lifecycle.worker_start_attempt(session, media_id)
        session.commit()
        _expire_lease(session, media_id)
        with task_session() as sweeping:
            sweep_unfinished(sweeping)
        assert row(session, media_id).processing_attempts == attempt
    media = row(session, media_id)
    assert media.processing_status is ProcessingStatus.FAILED
    assert (media.failure_stage, media.last_error_code) == (FailureStage.EXTRACT, "E_JOB_TIMEOUT")


def test_the_sweeper_takes_what_was_forgotten_and_only_once(session: Session) -> None:
    viewer = make_user(session)
    fresh, stale = (save(session, viewer, f"https://example.org/{uuid4()}") for _ in range(2))
    pdf = make_media(session, viewer, kind=MediaKind.PDF)
    long_ago = func.now() - FORGOTTEN_AFTER * 2
    session.execute(update(Media).where(Media.id.in_([stale, pdf.id])).values(updated_at=long_ago))
    session.commit()

    def take(_: Any) -> set[UUID]:
        with get_session_factory()() as own, own.begin():
            taken = take_forgotten(own, kinds=[MediaKind.WEB_ARTICLE], limit=100_000)
            return {media.id for media in taken}

    with ThreadPoolExecutor(4) as pool:
        taken = [media_id for found in pool.map(take, range(4)) for media_id in found]
    assert taken.count(stale) == 1
    assert fresh not in taken
    assert pdf.id not in taken


def _expire_lease(session: Session, media_id: UUID) -> None:
    past = func.now() - media_lifecycle.LEASE
    session.execute(update(Media).where(Media.id == media_id).values(lease_expires_at=past))
    session.commit()
