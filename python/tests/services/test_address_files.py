"""Addresses that turn out to be files: kept as uploads are, and seen by nobody else."""

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from uuid import UUID, uuid4

import pytest
from pytest_httpserver import HTTPServer
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug import Request, Response

from nexus.config import get_settings
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import LibraryMedia, Media, MediaFile
from nexus.db.task_session import task_session
from nexus.extractors import download
from nexus.extractors.interface import AddressIsFile, Document, Job
from nexus.outbound.limits import Limits
from nexus.services import media_lifecycle
from nexus.services.ingest import claim, run
from nexus.services.media_create import create_from_url
from nexus.services.media_read import get_media
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from nexus.storage.errors import StorageFull, StorageUnavailable
from tests.factories import make_media, make_user
from tests.patience import PATIENCE_SECONDS
from tests.queues import extractor_for

S = ProcessingStatus
PDF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n"
EPUB = (
    b"PK\x03\x04\x14\x00\x00\x00\x00\x00" + b"\x00" * 16 + b"\x08\x00\x00\x00"
    b"mimetypeapplication/epub+zip" + b"\x00" * 100
)
NOT_A_PAGE = "this is not a web page"
MIB = 1024 * 1024
# Ends responses that hang.
done = threading.Event()


class Clock:
    """One that stands, or on which a second passes with each look, of which each piece has one."""

    runs = False

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks) if self.runs else 0.0


@pytest.fixture(scope="module")
def site() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        server.expect_request("/epub").respond_with_data(EPUB, content_type="application/zip")
        server.expect_request("/octets.pdf").respond_with_data(
            PDF, content_type="application/octet-stream"
        )
        server.expect_request("/as-html").respond_with_data(PDF, content_type="text/html")
        server.expect_request("/page").respond_with_data(
            b"%PDF-1.7 is how a PDF begins.<p>" + b"x" * 2000, content_type="text/html"
        )
        server.expect_request("/lies.pdf").respond_with_data(
            b"<!doctype html><p>Sign in", content_type="application/pdf"
        )
        server.expect_request("/inside").respond_with_response(
            Response(status=302, headers={"Location": "http://10.0.0.1/secret.pdf"})
        )
        server.expect_request("/gone.pdf").respond_with_data("no", status=410)
        server.expect_request("/announced").respond_with_handler(announced)
        server.expect_request("/endless").respond_with_handler(endless)
        server.expect_request("/silent").respond_with_handler(silent)
        server.expect_request("/trickling").respond_with_handler(trickling)
        yield server


def announced(_request: Request) -> Response:
    return Response(iter([PDF]), headers={"Content-Length": str(200 * MIB)})


def endless(_request: Request) -> Response:
    def body() -> Iterator[bytes]:
        yield EPUB
        while True:
            yield bytes(MIB)

    return Response(body(), content_type="application/epub+zip")


def silent(_request: Request) -> Response:
    def body() -> Iterator[bytes]:
        yield PDF
        done.wait(PATIENCE_SECONDS)

    return Response(body(), content_type="application/pdf")


def trickling(_request: Request) -> Response:
    def body() -> Iterator[bytes]:
        yield PDF
        while not done.wait(0.01):
            yield b"x"

    return Response(body(), content_type="application/pdf")


def pdf_at(
    site: HTTPServer, name: str = "On%20tides.pdf", *, body: bytes = b"", **more: str
) -> str:
    """A PDF of its own at an address of its own."""
    path = f"/{uuid4()}/{name}"
    content = body or PDF + uuid4().bytes
    site.expect_request(path.replace("%20", " ")).respond_with_data(
        content, content_type="application/pdf", headers=more
    )
    return site.url_for(path)


def save(session: Session, viewer: Viewer, url: str) -> UUID:
    saved = create_from_url(session, viewer, kind="web_article", url=url).media_id
    session.commit()
    return saved


def ingest(media_id: UUID, viewer: Viewer) -> None:
    """As if the browser had found that the address is no page."""

    def is_file(job: Job) -> Document:
        raise AddressIsFile(NOT_A_PAGE, url=job.url)

    with extractor_for(MediaKind.WEB_ARTICLE, is_file):
        claimed = claim(task_session, media_id)
        assert claimed is not None
        run(task_session, claimed, actor_user_id=viewer.user_id, wake=False)


def saved_file(session: Session, viewer: Viewer, url: str) -> Media:
    media_id = save(session, viewer, url)
    ingest(media_id, viewer)
    session.expire_all()
    return session.get_one(Media, get_media(session, viewer, media_id=media_id).id)


def upload_of(session: Session, viewer: Viewer, body: bytes) -> Media:
    media = make_media(
        session,
        viewer,
        kind=MediaKind.PDF,
        title="My private name",
        requested_url=None,
        file_sha256=hashlib.sha256(body).hexdigest(),
    )
    path = f"media/{media.id}/original.pdf"
    session.add(
        MediaFile(
            media_id=media.id, storage_path=path, content_type="application/pdf", size_bytes=1
        )
    )
    session.commit()
    return media


def test_a_pdf_becomes_a_stored_file_under_the_same_id(session: Session, site: HTTPServer) -> None:
    viewer = make_user(session)
    url = pdf_at(site)
    media_id = save(session, viewer, url)
    ingest(media_id, viewer)
    seen = get_media(session, viewer, media_id=media_id)
    assert (seen.id, seen.kind, seen.title) == (media_id, "pdf", "On tides")
    assert (seen.processing_status, seen.requested_url) == (S.PENDING, url)
    assert seen.capabilities.can_download_file
    file = session.get_one(MediaFile, media_id)
    stored = b"".join(get_storage_client(get_settings()).open_stream(file.storage_path))
    media = session.get_one(Media, media_id)
    assert (len(stored), hashlib.sha256(stored).hexdigest()) == (file.size_bytes, media.file_sha256)
    assert media_lifecycle.tries_used(media) == 0
    assert save(session, viewer, url) == media_id, "saved again, it is the same item"


@pytest.mark.parametrize(
    ("path", "kind", "title"),
    [
        ("/epub", MediaKind.EPUB, "epub"),
        ("/octets.pdf", MediaKind.PDF, "octets"),
        ("/as-html", MediaKind.PDF, "as-html"),
    ],
)
def test_the_bytes_decide_not_the_header(
    session: Session, site: HTTPServer, path: str, kind: MediaKind, title: str
) -> None:
    media = saved_file(session, make_user(session), f"{site.url_for(path)}?{uuid4()}")
    assert (media.kind, media.title) == (kind, title)


def test_the_site_may_name_the_file(session: Session, site: HTTPServer) -> None:
    named = {"Content-Disposition": "attachment; filename*=UTF-8''Fl%C3%BCsse%2F..%2F%00.PDF"}
    url = pdf_at(site, "download", body=PDF, **named)
    assert saved_file(session, make_user(session), url).title == "Flüsse_.._"


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("/page", "E_INGEST_FAILED", NOT_A_PAGE),
        ("/lies.pdf", "E_INGEST_FAILED", NOT_A_PAGE),
        ("/inside", "E_INGEST_FAILED", "not public"),
        ("/gone.pdf", "E_INGEST_FAILED", "410"),
        ("/announced", "E_FILE_TOO_LARGE", "larger than 100 MiB"),
        ("/endless", "E_FILE_TOO_LARGE", "larger than 50 MiB"),
        ("/silent", "E_INGEST_TIMEOUT", "too long"),
        ("/trickling", "E_INGEST_TIMEOUT", "too long"),
    ],
)
def test_what_is_not_kept_says_why(
    session: Session,
    site: HTTPServer,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    code: str,
    words: str,
) -> None:
    clock = Clock()
    monkeypatch.setattr(download, "Limits", partial(Limits, clock=clock))
    if path == "/silent":
        # All that matters is that it passes at all: nothing else ends this response.
        monkeypatch.setattr(download, "SILENCE_SECONDS", 0.5)
    clock.runs = path == "/trickling"
    done.clear()
    viewer = make_user(session)
    media_id = save(session, viewer, f"{site.url_for(path)}?{uuid4()}")
    ingest(media_id, viewer)
    done.set()
    session.expire_all()
    media = session.get_one(Media, media_id)
    assert (media.kind, media.processing_status) == (MediaKind.WEB_ARTICLE, S.FAILED)
    assert (media.failure_stage, media.last_error_code) == (FailureStage.EXTRACT, code)
    assert words in (media.last_error_message or "")
    assert session.get(MediaFile, media_id) is None
    assert clock.looks <= download.SECONDS + 3 or not clock.runs


def test_the_same_file_by_upload_and_by_address_is_one(session: Session, site: HTTPServer) -> None:
    viewer, body = make_user(session), PDF + uuid4().bytes
    uploaded = upload_of(session, viewer, body)
    media_id = save(session, viewer, pdf_at(site, body=body))
    ingest(media_id, viewer)
    seen = get_media(session, viewer, media_id=media_id)
    assert (seen.id, seen.title, seen.duplicate) == (uploaded.id, "My private name", True)
    held = select(func.count()).where(LibraryMedia.library_id == viewer.default_library_id)
    assert session.scalar(held) == 1


def test_nobody_gets_what_another_person_uploaded(session: Session, site: HTTPServer) -> None:
    uploader, other, body = make_user(session), make_user(session), PDF + uuid4().bytes
    uploaded = upload_of(session, uploader, body)
    url = pdf_at(site, body=body)
    media_id = save(session, uploader, url)
    assert save(session, other, url) == media_id, "both wait for the same page"
    ingest(media_id, uploader)
    for viewer in (uploader, other):
        assert get_media(session, viewer, media_id=media_id).id == media_id
        assert get_media(session, viewer, media_id=media_id).title == "On tides"
    session.expire_all()
    assert session.get_one(Media, uploaded.id).title == "My private name"
    assert session.scalars(
        select(LibraryMedia.library_id).where(LibraryMedia.media_id == uploaded.id)
    ).all() == [uploader.default_library_id]


def test_two_people_with_one_address_share_the_file(session: Session, site: HTTPServer) -> None:
    first, second = make_user(session), make_user(session)
    url = pdf_at(site)
    media = saved_file(session, first, url)
    found = create_from_url(session, second, kind="web_article", url=url)
    session.commit()
    assert (found.media_id, found.created) == (media.id, True)
    assert get_media(session, second, media_id=media.id).requested_url == url


def test_addresses_that_end_at_one_file_become_one_item(session: Session, site: HTTPServer) -> None:
    first, second = make_user(session), make_user(session)
    url = pdf_at(site)
    short = f"/{uuid4()}"
    site.expect_request(short).respond_with_response(
        Response(status=302, headers={"Location": url})
    )
    media = saved_file(session, first, url)
    assert saved_file(session, second, site.url_for(short)).id == media.id
    assert get_media(session, second, media_id=media.id).requested_url == site.url_for(short)


def test_a_late_worker_leaves_the_file_alone(session: Session, site: HTTPServer) -> None:
    viewer, url = make_user(session), pdf_at(site)
    media_id = save(session, viewer, url)

    def is_file(job: Job) -> Document:
        with task_session() as other:
            media_lifecycle.return_to_pending(other, job.media_id, attempt=job.attempt)
            media_lifecycle.worker_start_attempt(other, job.media_id)
        raise AddressIsFile(NOT_A_PAGE, url=job.url)

    with extractor_for(MediaKind.WEB_ARTICLE, is_file):
        claimed = claim(task_session, media_id)
        assert claimed is not None
        run(task_session, claimed, actor_user_id=viewer.user_id)
    session.expire_all()
    media = session.get_one(Media, media_id)
    assert (media.kind, media.processing_status) == (MediaKind.WEB_ARTICLE, S.EXTRACTING)
    storage = get_storage_client(get_settings())
    assert storage.stat(f"media/{media_id}/original.pdf") is None


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (StorageFull("full"), S.FAILED, "E_STORAGE_FULL"),
        (StorageUnavailable("away"), S.PENDING, None),
    ],
)
def test_a_storage_that_fails_leaves_the_page_as_it_was(
    session: Session,
    site: HTTPServer,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: S,
    code: str | None,
) -> None:
    class Failing:
        def delete(self, _path: str) -> None:
            raise error

    monkeypatch.setattr("nexus.services.ingest.get_storage_client", lambda _: Failing())
    viewer = make_user(session)
    media_id = save(session, viewer, pdf_at(site))
    ingest(media_id, viewer)
    session.expire_all()
    media = session.get_one(Media, media_id)
    assert (media.kind, media.processing_status) == (MediaKind.WEB_ARTICLE, status)
    assert media.last_error_code == code
    assert media.file_sha256 is None
