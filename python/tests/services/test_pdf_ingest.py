"""PDFs on the one pipeline: from a stored file to a readable item, whatever dies on the way."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import psutil
import pytest
from pytest_httpserver import HTTPServer
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from werkzeug import Response

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, Media, MediaOutline
from nexus.db.task_session import task_session
from nexus.extractors.pdf import link
from nexus.services.document_read import get_outline
from nexus.services.ingest import claim, run
from nexus.services.media import create_provisional_web_article
from nexus.services.media_read import get_media
from nexus.services.sweeper import sweep_unfinished
from nexus.services.unfinished import FORGOTTEN_AFTER
from nexus.services.viewer import Viewer
from nexus.storage.errors import StorageUnavailable
from nexus.storage.local import LocalStorage
from nexus.tasks import ingest_web_article
from nexus.tasks.ingest import ingest_media
from tests import pdf_files
from tests.factories import make_user
from tests.media_states import stored_file
from tests.patience import PATIENCE_SECONDS
from tests.queues import queued_ingests


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


def kept(session: Session, viewer: Viewer, data: bytes) -> Media:
    return stored_file(session, viewer, MediaKind.PDF, data, title="upload")


def texts(session: Session, media_id: UUID) -> list[str]:
    session.rollback()
    query = select(Fragment.canonical_text).where(Fragment.media_id == media_id)
    return [text.replace("\n", " ") for text in session.scalars(query)]


def test_a_stored_file_becomes_readable(session: Session, viewer: Viewer) -> None:
    media = kept(session, viewer, pdf_files.outlined())
    ingest_media(str(media.id))
    seen = get_media(session, viewer, media_id=media.id)
    assert seen.processing_status == "ready_for_reading"
    assert (seen.title, seen.page_count) == ("The Outlined Book", 6)
    assert seen.capabilities.can_highlight
    session.expire_all()
    outline = get_outline(session, viewer, media_id=media.id)
    assert [page["label"] for page in outline["pages"]] == ["i", "ii", "1", "2", "3", "4"]
    assert len(outline["fragments"]) == 1
    assert {page["fragment_id"] for page in outline["pages"]} == {outline["fragments"][0]["id"]}
    stored = session.get_one(MediaOutline, media.id)
    assert stored.extractor_version == "pdf.js 5.5.207"
    assert stored.fingerprint


def test_a_scan_opens_and_says_that_it_has_no_text(session: Session, viewer: Viewer) -> None:
    media = kept(session, viewer, pdf_files.scan(3))
    ingest_media(str(media.id))
    seen = get_media(session, viewer, media_id=media.id)
    assert seen.processing_status == "ready_for_reading"
    assert seen.title == "upload"
    assert (seen.word_count, seen.page_count) == (0, 3)
    can = seen.capabilities
    assert can.can_read
    assert (can.can_highlight, can.can_quote, can.can_search) == (False, False, False)
    session.expire_all()
    outline = get_outline(session, viewer, media_id=media.id)
    assert outline["fragments"] == []
    assert [(page["number"], page["fragment_id"]) for page in outline["pages"]] == [
        (1, None),
        (2, None),
        (3, None),
    ]


FAILURES = {
    "password": (pdf_files.locked, "E_PDF_PASSWORD"),
    "broken": (pdf_files.hopeless, "E_PDF_INVALID"),
    "too long": (lambda: pdf_files.blank_pages(5_001), "E_FILE_TOO_COMPLEX"),
}


@pytest.mark.parametrize(("build", "code"), FAILURES.values(), ids=FAILURES)
def test_what_cannot_be_read_fails_at_once(
    build: Callable[[], bytes], code: str, session: Session, viewer: Viewer
) -> None:
    media = kept(session, viewer, build())
    ingest_media(str(media.id))
    seen = get_media(session, viewer, media_id=media.id)
    assert (seen.processing_status, seen.last_error_code) == ("failed", code)
    assert seen.failure_stage == "extract"
    assert seen.last_error_message
    assert (seen.processing_attempts, seen.can_retry) == (1, code == "E_FILE_TOO_COMPLEX")


def test_files_from_before_there_was_an_extractor_are_read(
    session: Session, viewer: Viewer
) -> None:
    media = kept(session, viewer, pdf_files.plain(1))
    long_ago = func.now() - FORGOTTEN_AFTER * 1_000
    session.execute(update(Media).where(Media.id == media.id).values(updated_at=long_ago))
    session.commit()
    with task_session() as own:
        sweep_unfinished(own)
    assert str(media.id) in queued_ingests()
    ingest_media(str(media.id))
    assert texts(session, media.id) == [" ".join(pdf_files.page_lines(1))]


@pytest.fixture
def slow_store(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A store that gives all but the first bytes of a file only once it is told to."""
    go_on = threading.Event()
    read = LocalStorage.open_stream

    def open_stream(self: LocalStorage, path: str) -> Iterator[bytes]:
        data = b"".join(read(self, path))
        yield data[:100]
        assert go_on.wait(PATIENCE_SECONDS)
        yield data[100:]

    monkeypatch.setattr(LocalStorage, "open_stream", open_stream)
    yield go_on
    go_on.set()


def _pdf_processes() -> list[psutil.Process]:
    name = Path(link.PROGRAM).name
    return [
        each
        for each in psutil.Process().children(recursive=True)
        if any(name in part for part in each.cmdline())
    ]


def test_a_killed_process_costs_nothing(
    slow_store: threading.Event, session: Session, viewer: Viewer
) -> None:
    media = kept(session, viewer, pdf_files.plain(2))
    killed: list[int] = []

    def kill_first() -> None:
        while not (running := _pdf_processes()):
            slow_store.wait(0.02)
        killed.append(running[0].pid)
        os.kill(running[0].pid, signal.SIGKILL)
        slow_store.set()

    killer = threading.Thread(target=kill_first)
    killer.start()
    ingest_media(str(media.id))
    killer.join()
    assert killed
    session.rollback()
    session.refresh(media)
    assert media.processing_status is ProcessingStatus.READY_FOR_READING
    assert len(texts(session, media.id)) == 1
    assert media.interrupted_attempts == 1
    assert not _pdf_processes()


def test_a_store_that_is_away_is_not_the_files_fault(session: Session, viewer: Viewer) -> None:
    media = kept(session, viewer, pdf_files.plain(1))
    ready = claim(task_session, media.id)
    assert ready is not None
    with pytest.MonkeyPatch.context() as patched:

        def away(*_: object) -> None:
            raise StorageUnavailable("away")

        patched.setattr(LocalStorage, "open_stream", away)
        assert run(task_session, ready, actor_user_id=None, wake=False)
    ingest_media(str(media.id))
    assert len(texts(session, media.id)) == 1


def test_an_address_that_is_a_pdf_becomes_readable(session: Session, viewer: Viewer) -> None:
    with HTTPServer(host="127.0.0.1") as server:
        server.expect_request("/abs/1").respond_with_response(
            Response(status=302, headers={"Location": "/pdf/1v2"})
        )
        server.expect_request("/pdf/1v2").respond_with_data(
            pdf_files.described(), content_type="application/pdf"
        )
        made = create_provisional_web_article(session, viewer.user_id, server.url_for("/abs/1"))
        session.commit()
        ingest_web_article.apply(args=[str(made.media_id), str(viewer.user_id)]).get()
        ingest_media(str(made.media_id))
    seen = get_media(session, viewer, media_id=made.media_id)
    assert (seen.kind, seen.processing_status) == ("pdf", "ready_for_reading")
    assert seen.title == "On Rivers"
    assert texts(session, made.media_id) == [" ".join(pdf_files.page_lines(1))]
