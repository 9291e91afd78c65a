"""POST /media/{id}/retry: the answer, the queue, and every refusal."""

from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind, MembershipRole, ProcessingStatus
from tests.factories import make_library, make_user
from tests.live import LiveNexus
from tests.media_states import media_in, media_with_everything, row
from tests.queues import a_document, extractor_for, queued_ingests

FAILED = ProcessingStatus.FAILED


@pytest.mark.parametrize("kind", [MediaKind.WEB_ARTICLE, MediaKind.VIDEO, MediaKind.PDF])
def test_retry_resets_and_enqueues_what_can_be_extracted(
    kind: MediaKind, nexus: LiveNexus, session: Session
) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, FAILED, kind=kind)
    with nexus.api(viewer.user_id) as api:
        answer = api.post(f"/media/{media.id}/retry", headers={"X-Request-ID": "retry-by-hand"})
        shown = api.get(f"/media/{media.id}").json()["data"]
    enqueued = kind is MediaKind.WEB_ARTICLE
    assert answer.status_code == 200
    assert answer.json() == {"data": {"media_id": str(media.id), "enqueued": enqueued}}
    assert (str(media.id) in queued_ingests()) is enqueued
    if enqueued:
        assert queued_ingests()[str(media.id)] == "retry-by-hand"
    assert shown["processing_status"] == "pending"
    assert shown["failure_stage"] is shown["last_error_message"] is shown["failed_at"] is None


def test_a_file_that_has_yet_to_come_is_not_enqueued(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    waiting, _ = media_with_everything(session, viewer, stage=FailureStage.UPLOAD)
    with nexus.api(viewer.user_id) as api, extractor_for(MediaKind.PDF, lambda _: a_document()):
        answer = api.post(f"/media/{waiting.id}/retry")
        assert answer.json()["data"]["enqueued"] is False
        stored, _ = media_with_everything(session, viewer, stage=FailureStage.EXTRACT)
        assert api.post(f"/media/{stored.id}/retry").json()["data"]["enqueued"] is True
    assert str(waiting.id) not in queued_ingests()
    assert str(stored.id) in queued_ingests()


@pytest.mark.parametrize("status", [status for status in ProcessingStatus if status is not FAILED])
def test_only_what_failed(status: ProcessingStatus, nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, status)
    before = row(media.id)
    with nexus.api(viewer.user_id) as api:
        answer = api.post(f"/media/{media.id}/retry")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "E_INVALID_STATE")
    assert row(media.id) == before


def test_a_thrice_tried_one(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, FAILED, processing_attempts=3)
    with nexus.api(viewer.user_id) as api:
        answer = api.post(f"/media/{media.id}/retry")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "E_RETRY_LIMIT_REACHED")
    assert row(media.id)["processing_status"] == FAILED


def test_readers_members_and_strangers(nexus: LiveNexus, session: Session) -> None:
    owner, admin, member, stranger = (make_user(session) for _ in range(4))
    roles = {admin.user_id: MembershipRole.ADMIN, member.user_id: MembershipRole.MEMBER}
    library = make_library(session, owner, members=roles)
    media = media_in(session, owner, FAILED, library_ids=[library.id])
    path = f"/media/{media.id}/retry"
    with nexus.api(stranger.user_id) as api:
        not_theirs = api.post(path)
        not_there = api.post(f"/media/{uuid4()}/retry")
    with nexus.api(member.user_id) as api:
        forbidden = api.post(path)
    with nexus.api(admin.user_id) as api:
        allowed = api.post(path)
    assert (not_theirs.status_code, not_there.status_code) == (404, 404)
    assert not_theirs.json()["error"] | {"request_id": 0} == not_there.json()["error"] | {
        "request_id": 0
    }
    assert not_theirs.json()["error"]["code"] == "E_MEDIA_NOT_FOUND"
    assert (forbidden.status_code, forbidden.json()["error"]["code"]) == (403, "E_FORBIDDEN")
    assert allowed.status_code == 200
