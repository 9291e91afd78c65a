"""Uploads end to end over the BFF: announce, PUT the bytes, confirm, download."""

from contextlib import closing
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import LibraryMedia, Media, MediaFile, PendingUpload
from nexus.db.session import get_session_factory
from nexus.tasks.housekeeping import fail_abandoned_uploads
from tests.api.uploads import PDF, an_epub, announce, announcement, confirm, put, uploaded
from tests.live import LiveNexus
from tests.media_states import let_undo_expire, local_storage, row
from tests.queues import a_document, extractor_for, queued_ingests


@pytest.fixture(scope="module")
def browser(nexus: LiveNexus) -> Any:
    with closing(nexus.signed_up()) as client:
        yield client


def a_pdf() -> bytes:
    return PDF + uuid4().bytes


def _media(browser: httpx.Client, target: Any) -> Any:
    return browser.get(f"/api/media/{target['media_id']}").json()["data"]


@pytest.mark.parametrize("door", ["/api/media/upload/init", "/api/media"])
@pytest.mark.parametrize("kind", ["pdf", "epub"])
def test_the_whole_way(door: str, kind: str, browser: httpx.Client) -> None:
    data = a_pdf() if kind == "pdf" else an_epub(uuid4().hex)
    answer = browser.post(door, json=announcement(data, kind))
    assert answer.status_code == 201
    target = answer.json()["data"]
    assert target.keys() == {
        "media_id",
        "storage_path",
        "upload_url",
        "upload_headers",
        "expires_at",
    }
    assert target["storage_path"].endswith(f"media/{target['media_id']}/original.{kind}")
    waiting = _media(browser, target)
    assert (waiting["title"], waiting["processing_status"]) == ("A fine file", "pending")
    assert not any(waiting["capabilities"].values())

    put(browser, target, data)
    outcome = confirm(browser, target).json()["data"]
    assert outcome == {
        "media_id": target["media_id"],
        "duplicate": False,
        "processing_status": "pending",
        "enqueued": True,
    }
    media = _media(browser, target)
    assert media["capabilities"]["can_download_file"] is True
    assert media["capabilities"]["can_read"] is (kind == "pdf")
    link = browser.get(f"/api/media/{target['media_id']}/file").json()["data"]
    assert browser.get(link["url"]).content == data
    part = browser.get(link["url"], headers={"Range": "bytes=0-3"})
    assert (part.status_code, part.content) == (206, data[:4])
    assert confirm(browser, target).json()["data"] == outcome, "asked twice, answered twice"


def test_a_kind_with_an_extractor_is_handed_on(browser: httpx.Client) -> None:
    data = a_pdf()
    target = announce(browser, data)
    put(browser, target, data)
    assert target["media_id"] not in queued_ingests()
    with extractor_for(MediaKind.PDF, lambda _: a_document()):
        assert confirm(browser, target).json()["data"]["enqueued"] is True
    assert target["media_id"] in queued_ingests()


ANNOUNCEMENTS: dict[str, tuple[dict[str, Any], tuple[int, str]]] = {
    "article": ({"kind": "web_article"}, (400, "E_INVALID_KIND")),
    "unknown kind": ({"kind": "docx"}, (400, "E_INVALID_KIND")),
    "wrong type": ({"content_type": "text/plain"}, (400, "E_INVALID_REQUEST")),
    "nul in the name": ({"filename": "a\x00.pdf"}, (400, "E_INVALID_REQUEST")),
    "too large": ({"size_bytes": 100 * 1024 * 1024 + 1}, (413, "E_FILE_TOO_LARGE")),
    "size as text": ({"size_bytes": "12"}, (400, "E_INVALID_REQUEST")),
    "size as truth": ({"size_bytes": True}, (400, "E_INVALID_REQUEST")),
    "size with a point": ({"size_bytes": 1.5}, (400, "E_INVALID_REQUEST")),
    "no name": ({"filename": None}, (400, "E_INVALID_REQUEST")),
    "more than asked": ({"sha256": "ab"}, (400, "E_INVALID_REQUEST")),
}


@pytest.mark.parametrize("name", ANNOUNCEMENTS)
def test_refused_announcements_are_the_same_at_both_doors(name: str, browser: httpx.Client) -> None:
    changes, expected = ANNOUNCEMENTS[name]
    body = announcement(PDF) | changes
    answers = [browser.post(door, json=body) for door in ("/api/media/upload/init", "/api/media")]
    errors = [answer.json()["error"] for answer in answers]
    found = [
        (answer.status_code, error["code"]) for answer, error in zip(answers, errors, strict=True)
    ]
    assert found == [expected, expected]
    assert errors[0]["message"] == errors[1]["message"]


@pytest.mark.parametrize("missing", ["kind", "filename", "content_type", "size_bytes"])
def test_what_is_missing_is_named(missing: str, browser: httpx.Client) -> None:
    body = announcement(PDF)
    del body[missing]
    answer = browser.post("/api/media", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == f"{missing}: Field required"


WRONG_FILES = {
    "text renamed .pdf": ("pdf", b"I am only text", "not in PDF format"),
    "zip that is no epub": ("epub", b"PK\x03\x04" + bytes(60), "not in EPUB format"),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_wrong_files_fail_with_a_reason_and_can_be_replaced(
    name: str, browser: httpx.Client
) -> None:
    kind, wrong, reason = WRONG_FILES[name]
    target = announce(browser, wrong, kind)
    put(browser, target, wrong)
    outcome = confirm(browser, target)
    assert (outcome.status_code, outcome.json()["data"]["processing_status"]) == (200, "failed")
    media = _media(browser, target)
    assert media["failure_stage"] == "upload"
    assert media["last_error_code"] == "E_UPLOAD_FAILED"
    assert reason in media["last_error_message"]
    assert media["processing_attempts"] == 0
    assert not any(media["capabilities"].values())
    assert local_storage().stat(target["storage_path"]) is None
    assert confirm(browser, target).status_code == 409, "it must be retried first"

    right = a_pdf() if kind == "pdf" else an_epub(uuid4().hex)
    assert browser.post(f"/api/media/{target['media_id']}/retry").json() == {
        "data": {"media_id": target["media_id"], "enqueued": False}
    }
    renewed = _renew(browser, target, right, kind)
    assert renewed["media_id"] == target["media_id"]
    put(browser, renewed, right)
    assert confirm(browser, renewed).json()["data"]["processing_status"] == "pending"
    assert _media(browser, target)["capabilities"]["can_download_file"] is True
    assert _media(browser, target)["last_error_message"] is None


def _renew(browser: httpx.Client, target: Any, data: bytes, kind: str = "pdf") -> Any:
    body = announcement(data, kind)
    del body["kind"]
    answer = browser.post(f"/api/media/{target['media_id']}/upload", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def test_a_file_that_never_came(browser: httpx.Client) -> None:
    target = announce(browser, PDF)
    assert confirm(browser, target).json()["data"]["processing_status"] == "failed"
    assert "did not arrive" in _media(browser, target)["last_error_message"]


@pytest.mark.parametrize("change", [-1, 1, -len(PDF)], ids=["short", "long", "empty"])
def test_another_size_than_announced_is_not_stored(change: int, browser: httpx.Client) -> None:
    target = announce(browser, PDF)
    sent = (PDF + b"x")[: len(PDF) + change]
    answer = browser.put(target["upload_url"], content=sent, headers=target["upload_headers"])
    assert answer.status_code in {400, 413}
    assert local_storage().stat(target["storage_path"]) is None
    assert confirm(browser, target).json()["data"]["processing_status"] == "failed"


def test_bytes_cut_off_behind_our_back_are_noticed(browser: httpx.Client) -> None:
    data = a_pdf()
    target = announce(browser, data)
    put(browser, target, data)
    with get_session_factory()() as session, session.begin():
        session.execute(
            update(PendingUpload)
            .where(PendingUpload.media_id == UUID(target["media_id"]))
            .values(size_bytes=len(data) + 5)
        )
    assert confirm(browser, target).json()["data"]["processing_status"] == "failed"
    assert f"{len(data)} of {len(data) + 5}" in _media(browser, target)["last_error_message"]


def test_a_renewed_target_replaces_the_bytes_sent_before(browser: httpx.Client) -> None:
    first, second = a_pdf(), a_pdf() + b"longer"
    target = announce(browser, first)
    put(browser, target, first)
    renewed = _renew(browser, target, second)
    assert local_storage().stat(target["storage_path"]) is None
    put(browser, renewed, second)
    assert confirm(browser, target).json()["data"]["processing_status"] == "pending"
    link = browser.get(f"/api/media/{target['media_id']}/file").json()["data"]
    assert browser.get(link["url"]).content == second


def test_the_same_file_again_is_the_first_item(browser: httpx.Client, session: Session) -> None:
    data = a_pdf()
    first = uploaded(browser, data)
    shelf = browser.post("/api/libraries", json={"name": "Shelf"}).json()["data"]["id"]
    target = announce(browser, data)
    added = browser.post(f"/api/libraries/{shelf}/media", json={"media_id": target["media_id"]})
    assert added.is_success
    put(browser, target, data)
    outcome = confirm(browser, target).json()["data"]
    assert (outcome["media_id"], outcome["duplicate"]) == (first["id"], True)
    again = confirm(browser, target).json()["data"]
    assert again == outcome | {"enqueued": False}, "asked twice, answered twice, enqueued once"
    alias = _media(browser, target)
    assert (alias["id"], alias["duplicate"]) == (first["id"], True)
    assert local_storage().stat(target["storage_path"]) is None
    gone = UUID(target["media_id"])
    for model in (Media, MediaFile, PendingUpload):
        assert session.get(model, gone) is None
    held = select(LibraryMedia.library_id).where(LibraryMedia.media_id == UUID(first["id"]))
    assert UUID(shelf) in session.scalars(held).all(), "it is where the second one was put"


def test_a_duplicate_of_a_failed_item_brings_it_back(
    browser: httpx.Client, session: Session
) -> None:
    data = a_pdf()
    first = uploaded(browser, data)
    session.execute(
        update(Media)
        .where(Media.id == UUID(first["id"]))
        .values(
            processing_status=ProcessingStatus.FAILED,
            failure_stage=FailureStage.EXTRACT,
            last_error_code="E_EXTRACTION_FAILED",
        )
    )
    session.commit()
    target = announce(browser, data)
    put(browser, target, data)
    with extractor_for(MediaKind.PDF, lambda _: a_document()):
        outcome = confirm(browser, target).json()["data"]
    assert outcome == {
        "media_id": first["id"],
        "duplicate": True,
        "processing_status": "pending",
        "enqueued": True,
    }
    assert session.scalar(select(func.count()).where(MediaFile.media_id == UUID(first["id"]))) == 1


def test_same_bytes_of_other_people_or_kinds_are_other_items(
    nexus: LiveNexus, browser: httpx.Client
) -> None:
    data = a_pdf()
    mine = uploaded(browser, data)
    with closing(nexus.signed_up()) as other:
        theirs = uploaded(other, data)
    assert theirs["id"] != mine["id"]
    assert theirs["duplicate"] is False


def test_after_removing_the_first_the_file_can_come_again(browser: httpx.Client) -> None:
    data = a_pdf()
    first = uploaded(browser, data)
    assert browser.delete(f"/api/media/{first['id']}").status_code == 204
    target = announce(browser, data)
    put(browser, target, data)
    outcome = confirm(browser, target).json()["data"]
    assert outcome["duplicate"] is False, "it was removed, so they do not have it already"
    listed = browser.get("/api/media").json()["data"]["media"]
    assert listed[0]["id"] == outcome["media_id"]
    assert listed[0]["capabilities"]["can_download_file"] is True


def test_removing_an_item_removes_a_half_done_upload(
    browser: httpx.Client, session: Session
) -> None:
    data = a_pdf()
    target = announce(browser, data)
    put(browser, target, data)
    assert browser.delete(f"/api/media/{target['media_id']}").status_code == 204
    let_undo_expire(session)
    assert local_storage().stat(target["storage_path"]) is None


def test_only_what_waits_for_bytes_takes_them(browser: httpx.Client) -> None:
    article = browser.post(
        "/api/media", json={"kind": "web_article", "url": f"https://example.org/{uuid4().hex}"}
    ).json()["data"]
    finished = uploaded(browser, a_pdf())
    for media_id in (article["media_id"], finished["id"]):
        body = {"filename": "a.pdf", "content_type": "application/pdf", "size_bytes": 9}
        answer = browser.post(f"/api/media/{media_id}/upload", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "E_INVALID_STATE")
    answer = browser.post(f"/api/media/{article['media_id']}/ingest")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "E_INVALID_STATE")


def test_a_renewed_announcement_is_checked_like_the_first(browser: httpx.Client) -> None:
    target = announce(browser, PDF)
    for changes, code in (
        ({"filename": "a.epub"}, "E_INVALID_REQUEST"),
        ({"size_bytes": 200 * 1024 * 1024}, "E_FILE_TOO_LARGE"),
    ):
        body = announcement(PDF, **changes)
        del body["kind"]
        answer = browser.post(f"/api/media/{target['media_id']}/upload", json=body)
        assert answer.json()["error"]["code"] == code


def test_others_cannot_finish_an_upload(nexus: LiveNexus, browser: httpx.Client) -> None:
    target = announce(browser, PDF)
    with closing(nexus.signed_up()) as stranger:
        assert confirm(stranger, target).status_code == 404


def _age(media_id: str, minutes: int) -> None:
    with get_session_factory()() as session, session.begin():
        then = func.now() - func.make_interval(0, 0, 0, 0, 0, minutes)
        item = UUID(media_id)
        session.execute(
            update(PendingUpload).where(PendingUpload.media_id == item).values(expires_at=then)
        )
        session.execute(update(Media).where(Media.id == item).values(updated_at=then))


def test_abandoned_uploads_end_and_others_do_not(browser: httpx.Client) -> None:
    data = a_pdf()
    abandoned, recent = announce(browser, data), announce(browser, PDF)
    put(browser, abandoned, data)
    kept = uploaded(browser, a_pdf())
    wrong = announce(browser, b"text")
    put(browser, wrong, b"text")
    confirm(browser, wrong)
    for media_id in (abandoned["media_id"], kept["id"], wrong["media_id"]):
        _age(media_id, minutes=31)
    _age(recent["media_id"], minutes=29)
    before = {media_id: row(UUID(media_id)) for media_id in (kept["id"], wrong["media_id"])}
    assert fail_abandoned_uploads.apply().get() >= 1
    ended = _media(browser, abandoned)
    assert (ended["processing_status"], ended["failure_stage"]) == ("failed", "upload")
    assert "never finished" in ended["last_error_message"]
    assert local_storage().stat(abandoned["storage_path"]) is None
    assert _media(browser, recent)["processing_status"] == "pending"
    for media_id, unchanged in before.items():
        assert row(UUID(media_id)) == unchanged
    failed_at = ended["failed_at"]
    fail_abandoned_uploads.apply().get()
    assert _media(browser, abandoned)["failed_at"] == failed_at, "ended once"


@pytest.mark.parametrize(("hours", "expected"), [(1, "pending"), (6, "pending"), (8, "failed")])
def test_a_large_upload_may_take_hours_on_a_slow_line(
    hours: int, expected: str, browser: httpx.Client
) -> None:
    size = 100 * 1024 * 1024
    body = announcement(PDF, "pdf") | {"size_bytes": size}
    target = browser.post("/api/media/upload/init", json=body).json()["data"]
    _age(target["media_id"], minutes=hours * 60)
    fail_abandoned_uploads.apply().get()
    assert _media(browser, target)["processing_status"] == expected


def test_an_abandoned_one_retried_may_wait_again_but_not_for_ever(browser: httpx.Client) -> None:
    target = announce(browser, PDF)
    _age(target["media_id"], minutes=31)
    fail_abandoned_uploads.apply().get()
    assert browser.post(f"/api/media/{target['media_id']}/retry").status_code == 200
    fail_abandoned_uploads.apply().get()
    assert _media(browser, target)["processing_status"] == "pending"
    _age(target["media_id"], minutes=31)
    fail_abandoned_uploads.apply().get()
    assert _media(browser, target)["processing_status"] == "failed"


def test_a_confirmation_in_progress_is_left_alone(browser: httpx.Client) -> None:
    target = announce(browser, PDF)
    _age(target["media_id"], minutes=31)
    with get_session_factory()() as session, session.begin():
        session.get_one(Media, UUID(target["media_id"]), with_for_update=True)
        fail_abandoned_uploads.apply().get()
    assert _media(browser, target)["processing_status"] == "pending"
