"""Books on their whole way: uploaded or saved, read, shown with their pictures, and deleted."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from pytest_httpserver import HTTPServer
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, FragmentImage, Media, MediaPicture
from nexus.db.task_session import task_session
from nexus.extractors.epub import process
from nexus.extractors.interface import AddressIsFile, Document, Job
from nexus.services import ingest, media_lifecycle
from nexus.services.media_create import create_from_url
from nexus.services.media_read import get_media
from nexus.services.media_removal import remove_media
from nexus.services.stored_files import ORPHANED_AFTER
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from nexus.storage.errors import StorageFull, StorageUnavailable
from nexus.storage.local import LocalStorage
from nexus.storage.paths import item_folder, picture_path
from nexus.tasks import sweep
from nexus.tasks.housekeeping import delete_orphaned_files
from nexus.tasks.ingest import ingest_media
from tests.api.uploads import uploaded
from tests.epub_files import Book, a_book, line, long_book, nav, page, png, toc
from tests.factories import make_user
from tests.live import LiveNexus
from tests.media_states import let_undo_expire, local_storage, store_bytes, stored_file
from tests.queues import extractor_for, queued_ids

S = ProcessingStatus


def a_picture_book() -> bytes:
    """A book of its own, with a cover and a picture in its text."""
    marks = toc(line("2.xhtml", "Text", kind="bodymatter"), "landmarks")
    book = Book(
        documents={
            "1.xhtml": page('<div><img src="c.png" alt="Cover"/></div>'),
            "2.xhtml": page(f'<h1>One</h1><p>Words {uuid4()}.</p><p><img src="a.png"/></p>'),
        },
        files={
            "c.png": png(60, 90),
            "a.png": png(20, 10, 9),
            "nav.xhtml": nav(toc(line("2.xhtml", "Chapter one")), marks),
        },
        properties={"c.png": "cover-image", "nav.xhtml": "nav"},
        metadata="<dc:title>The Tides</dc:title><dc:creator>Ann Author</dc:creator>"
        "<dc:publisher>The Press</dc:publisher><dc:language>en</dc:language>",
    )
    return book.bytes()


def stored_book(session: Session, viewer: Viewer, data: bytes, **fields: object) -> UUID:
    return stored_file(session, viewer, MediaKind.EPUB, data, **fields).id


def after_reading(session: Session, media_id: UUID) -> Media:
    ingest_media.apply(args=[str(media_id)]).get()
    session.expire_all()
    return session.get_one(Media, media_id)


def stored_objects(media_id: UUID) -> list[str]:
    folder = item_folder(media_id, prefix=get_settings().storage_prefix)
    return sorted(found.path.removeprefix(folder) for found in local_storage().list_prefix(folder))


def test_from_the_upload_to_the_page(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser, nexus.signed_up() as stranger:
        data = a_picture_book()
        media_id = uploaded(browser, data, "epub")["id"]
        ingest_media.apply(args=[media_id]).get()
        media = browser.get(f"/api/media/{media_id}").json()["data"]
        assert (media["processing_status"], media["title"]) == ("ready_for_reading", "The Tides")
        assert (media["authors"], media["site_name"]) == (["Ann Author"], "The Press")
        assert media["capabilities"]["can_read"] is True
        outline = browser.get(f"/api/media/{media_id}/outline").json()["data"]
        _, text = outline["fragments"]
        assert text["label"] == "Chapter one"
        assert outline["start"] == {"fragment_id": text["id"], "offset": 0}
        fragment = browser.get(f"/api/fragments/{text['id']}").json()["data"]
        (image,) = fragment["images"]
        assert (image["width"], image["height"]) == (20, 10)
        assert f'<img src="{image["src"]}" alt="">' in fragment["html_sanitized"]

        shown = browser.get(f"/api{image['src']}")
        assert (shown.status_code, shown.content) == (200, png(20, 10, 9))
        assert shown.headers["content-type"] == "image/png"
        assert shown.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in shown.headers["content-security-policy"]
        again = browser.get(f"/api{image['src']}", headers={"If-None-Match": shown.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert browser.get(f"/api{media['lead_image_url']}").content == png(60, 90)
        for path in (image["src"], media["lead_image_url"]):
            refused = stranger.get(f"/api{path}")
            assert refused.status_code == 404
            assert refused.json()["error"]["code"] == "E_MEDIA_NOT_FOUND"
        # The same file again is the same item.
        assert uploaded(browser, data, "epub")["id"] == media_id


@pytest.mark.parametrize("name", ["../original.epub", "x.png", "%2e%2e%2foriginal.epub", "a" * 300])
def test_only_pictures_of_the_text_are_served(name: str, nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        media_id = uploaded(browser, a_picture_book(), "epub")["id"]
        answer = browser.get(f"/api/media/{media_id}/pictures/{name}")
        assert answer.status_code in (400, 404)


def test_deleting_a_book_deletes_every_picture(session: Session) -> None:
    viewer = make_user(session)
    media_id = stored_book(session, viewer, a_picture_book())
    assert after_reading(session, media_id).processing_status is S.READY_FOR_READING
    # What an attempt left whose transaction failed.
    leftover = picture_path(media_id, f"{'0' * 64}.png", prefix=get_settings().storage_prefix)
    store_bytes(leftover, png())
    assert len(stored_objects(media_id)) == 4
    remove_media(session, viewer, media_id=media_id)
    session.commit()
    assert len(stored_objects(media_id)) == 4, "it can still be undone"
    let_undo_expire(session)
    assert stored_objects(media_id) == []
    assert session.scalar(select(func.count()).where(MediaPicture.media_id == media_id)) == 0


def test_pictures_of_failed_attempts_are_swept_up(session: Session) -> None:
    media_id = stored_book(session, make_user(session), a_picture_book())
    after_reading(session, media_id)
    prefix = get_settings().storage_prefix
    left = picture_path(media_id, f"{'1' * 64}.png", prefix=prefix)
    recent = picture_path(media_id, f"{'2' * 64}.png", prefix=prefix)
    gone = picture_path(uuid4(), f"{'3' * 64}.png", prefix=prefix)
    for path in (left, recent, gone):
        store_bytes(path, png())
    then = time.time() - ORPHANED_AFTER.total_seconds() * 1.1
    for path in [left, gone, *session.scalars(select(MediaPicture.storage_path))]:
        with local_storage().open_object(path) as file:
            os.utime(file.fileno(), (then, then))
    assert delete_orphaned_files.apply().get() == 2
    assert [local_storage().stat(path) for path in (left, gone)] == [None, None]
    assert local_storage().stat(recent) is not None
    assert len(stored_objects(media_id)) == 4


def test_a_book_is_read_again_without_leaving_anything_twice(session: Session) -> None:
    media_id = stored_book(session, make_user(session), a_picture_book())
    before = after_reading(session, media_id).processing_attempts
    names = set(session.scalars(select(MediaPicture.name).where(MediaPicture.media_id == media_id)))
    session.execute(
        update(Media)
        .where(Media.id == media_id)
        .values({"processing_status": S.FAILED, "failure_stage": "extract", "last_error_code": "E"})
    )
    session.commit()
    media_lifecycle.revive_media(session, media_id)
    session.commit()
    media = after_reading(session, media_id)
    assert (media.processing_status, media.processing_attempts) == (S.READY_FOR_READING, before + 1)
    again = select(MediaPicture.name).where(MediaPicture.media_id == media_id)
    assert set(session.scalars(again)) == names
    assert fragments_of(session, media_id) == 2


def fragments_of(session: Session, media_id: UUID) -> int:
    return session.scalar(select(func.count()).where(Fragment.media_id == media_id)) or 0


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (Book(raw={"META-INF/license.lcpl": "{}"}).bytes(), "E_EPUB_DRM", "copy protection"),
        (Book(spine="").bytes(), "E_EPUB_INVALID", "lists nothing to read"),
        (b"PK\x03\x04", "E_EPUB_INVALID", "not a zip archive"),
    ],
)
def test_what_cannot_be_read_fails_with_its_own_code(
    data: bytes, code: str, words: str, session: Session
) -> None:
    media = after_reading(session, stored_book(session, make_user(session), data))
    assert (media.processing_status, media.failure_stage) == (S.FAILED, "extract")
    assert media.last_error_code == code
    assert words in (media.last_error_message or "")
    assert stored_objects(media.id) == ["/original.epub"]


def test_a_killed_process_is_tried_again_by_us(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first process dies, the second finds the book."""
    died = tmp_path / "died"
    program = (
        f"import os, pathlib, signal\nmark = pathlib.Path({str(died)!r})\n"
        "if not mark.exists():\n    mark.touch()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "from nexus.extractors.epub.reader import main\nmain()"
    )
    monkeypatch.setattr(process, "_COMMAND", ("-c", program))
    media_id = stored_book(session, make_user(session), a_picture_book())
    media = after_reading(session, media_id)
    assert died.exists()
    assert media.processing_status is S.READY_FOR_READING
    assert (media.processing_attempts, media.interrupted_attempts) == (2, 1)
    assert fragments_of(session, media_id) == 2


@pytest.mark.parametrize("when", ["open_stream", "put"])
def test_a_store_that_is_away_is_a_fault_of_ours(
    when: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    media_id = stored_book(session, make_user(session), a_picture_book())

    def away(*_args: object, **_kwargs: object) -> Iterator[bytes]:
        raise StorageUnavailable("away")

    monkeypatch.setattr(LocalStorage, when, away)
    media = after_reading(session, media_id)
    assert (media.processing_status, media.interrupted_attempts) == (S.FAILED, 3)
    assert "file store does not respond" in (media.last_error_message or "")


def test_a_full_store_says_so(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    media_id = stored_book(session, make_user(session), a_picture_book())

    def full(*_args: object, **_kwargs: object) -> None:
        raise StorageFull("full")

    monkeypatch.setattr(LocalStorage, "put", full)
    media = after_reading(session, media_id)
    assert (media.processing_status, media.last_error_code) == (S.FAILED, "E_STORAGE_FULL")


def test_a_lost_file_says_so(session: Session) -> None:
    media_id = stored_book(session, make_user(session), a_picture_book())
    (name,) = stored_objects(media_id)
    prefix = get_settings().storage_prefix
    get_storage_client(get_settings()).delete(item_folder(media_id, prefix=prefix) + name)
    media = after_reading(session, media_id)
    assert media.processing_status is S.FAILED
    assert "Upload it again" in (media.last_error_message or "")


def test_books_that_waited_for_an_extractor_are_picked_up(session: Session) -> None:
    media_id = stored_book(session, make_user(session), a_picture_book())
    session.execute(
        update(Media).where(Media.id == media_id).values(updated_at=func.now() - ORPHANED_AFTER)
    )
    session.commit()
    sweep.apply().get()
    assert str(media_id) in queued_ids()


def test_a_saved_address_that_is_a_book_becomes_one(session: Session) -> None:
    viewer = make_user(session)
    with HTTPServer(host="127.0.0.1", threaded=True) as site:
        site.expect_request("/tides.epub").respond_with_data(
            a_picture_book(), content_type="application/octet-stream"
        )
        url = site.url_for("/tides.epub")
        media_id = create_from_url(session, viewer, kind="web_article", url=url).media_id
        session.commit()

        def is_file(job: Job) -> Document:
            raise AddressIsFile("this is not a web page", url=job.url)

        with extractor_for(MediaKind.WEB_ARTICLE, is_file):
            claimed = ingest.claim(task_session, media_id)
            assert claimed is not None
            ingest.run(task_session, claimed, actor_user_id=viewer.user_id, wake=False)
    media = after_reading(session, media_id)
    assert (media.kind, media.title) == (MediaKind.EPUB, "The Tides")
    assert media.processing_status is S.READY_FOR_READING


def test_a_comic_is_ready_too(session: Session) -> None:
    files = {f"{n}.png": png(20, 30, n) for n in range(3)}
    data = a_book(*(f'<img src="{n}.png" alt=""/>' for n in range(3)), files=files)
    viewer = make_user(session)
    media_id = stored_book(session, viewer, data)
    media = after_reading(session, media_id)
    assert (media.processing_status, media.word_count) == (S.READY_FOR_READING, 0)
    seen = get_media(session, viewer, media_id=media_id).capabilities
    assert (seen.can_read, seen.can_highlight, seen.can_search) == (True, False, False)
    sizes = session.execute(
        select(FragmentImage.width, FragmentImage.height)
        .join(Fragment, Fragment.id == FragmentImage.fragment_id)
        .where(Fragment.media_id == media_id)
    ).all()
    assert [tuple(size) for size in sizes] == [(20, 30)] * 3


def test_a_book_of_two_thousand_documents(session: Session, nexus: LiveNexus) -> None:
    viewer = make_user(session)
    media_id = stored_book(session, viewer, long_book(2_000, 2_000_000))
    media = after_reading(session, media_id)
    assert media.processing_status is S.READY_FOR_READING
    with nexus.api(viewer.user_id) as client:
        outline = client.get(f"/media/{media_id}/outline").json()["data"]
        assert len(outline["fragments"]) == len(outline["contents"]) == 2_000
        last = client.get(f"/fragments/{outline['fragments'][-1]['id']}").json()["data"]
        assert re.search(r'href="#offset-0-0"', last["html_sanitized"])
