"""Retry: what each failed stage leaves behind is gone, who may ask, and how often."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.after_commit import run_after_commit
from nexus.db.enums import FailureStage, MembershipRole, ProcessingStatus
from nexus.db.models import Fragment, MediaFile
from nexus.errors import ApiError, ConflictError
from nexus.services import media_lifecycle as lifecycle
from nexus.services import media_retry
from nexus.services.viewer import Viewer
from tests.factories import make_library, make_user
from tests.media_states import local_storage, media_in, media_with_everything, row

CLEARED = (
    "failure_stage",
    "last_error_code",
    "last_error_message",
    "failed_at",
    "processing_started_at",
    "processing_completed_at",
    "lease_expires_at",
)


@dataclass(frozen=True)
class Left:
    """What is still there after a reset."""

    status: ProcessingStatus
    fragments: int
    file: bool


AFTER_RESET = {
    FailureStage.UPLOAD: Left(ProcessingStatus.PENDING, fragments=0, file=False),
    FailureStage.EXTRACT: Left(ProcessingStatus.PENDING, fragments=0, file=True),
    FailureStage.TRANSCRIBE: Left(ProcessingStatus.PENDING, fragments=0, file=True),
    FailureStage.OTHER: Left(ProcessingStatus.PENDING, fragments=0, file=True),
    FailureStage.EMBED: Left(ProcessingStatus.READY_FOR_READING, fragments=2, file=True),
}


@pytest.mark.parametrize("stage", FailureStage)
@pytest.mark.parametrize("how", ["retry", "revive"])
def test_reset_leaves_no_residue(stage: FailureStage, how: str, session: Session) -> None:
    viewer = make_user(session)
    media, path = media_with_everything(session, viewer, stage=stage, processing_attempts=2)
    if how == "retry":
        lifecycle.retry_media(session, media.id, viewer.user_id)
    else:
        lifecycle.revive_media(session, media.id)
    session.commit()
    assert local_storage().stat(path) is not None, "bytes go only after the commit"
    run_after_commit(session)

    after, expected = row(media.id), AFTER_RESET[stage]
    assert {name: after[name] for name in CLEARED} == dict.fromkeys(CLEARED)
    assert after["processing_status"] == expected.status
    assert after["processing_attempts"] == 2
    assert (after["file_sha256"] is not None) is expected.file
    assert _count(session, Fragment, media.id) == expected.fragments
    assert _count(session, MediaFile, media.id) == int(expected.file)
    assert (local_storage().stat(path) is not None) is expected.file


def test_a_rolled_back_reset_keeps_the_bytes(session: Session) -> None:
    viewer = make_user(session)
    media, path = media_with_everything(session, viewer, stage=FailureStage.UPLOAD)
    media_id = media.id
    lifecycle.retry_media(session, media_id, viewer.user_id)
    session.rollback()
    session.close()
    assert local_storage().stat(path) is not None
    assert row(media_id)["processing_status"] == ProcessingStatus.FAILED


@pytest.mark.parametrize(("attempts", "allowed"), [(0, True), (2, True), (3, False), (9, False)])
def test_the_limit_of_attempts(attempts: int, allowed: bool, session: Session) -> None:
    viewer = make_user(session)
    status = ProcessingStatus.FAILED
    media = media_in(session, viewer, status, processing_attempts=attempts)
    before = row(media.id)
    if allowed:
        lifecycle.retry_media(session, media.id, viewer.user_id)
    else:
        with pytest.raises(ConflictError) as raised:
            lifecycle.retry_media(session, media.id, viewer.user_id)
        assert (raised.value.code, raised.value.status) == ("E_RETRY_LIMIT_REACHED", 409)
        session.commit()
        assert row(media.id) == before
        lifecycle.revive_media(session, media.id)
    session.commit()
    after = row(media.id)
    assert after["processing_status"] == ProcessingStatus.PENDING
    assert after["processing_attempts"] == attempts


def test_the_operator_is_not_limited_but_cannot_reset_what_did_not_fail(session: Session) -> None:
    viewer = make_user(session)
    tried = media_in(session, viewer, ProcessingStatus.FAILED, processing_attempts=3)
    assert media_retry.operator_retry(session, media_id=tried.id, force=True).media_id == tried.id
    session.commit()
    assert row(tried.id)["processing_status"] == ProcessingStatus.PENDING
    ready = media_in(session, viewer, ProcessingStatus.READY)
    with pytest.raises(ConflictError):
        media_retry.operator_retry(session, media_id=ready.id, force=True)


# role in a library that holds the item, or None; is the creator; the outcome
ACTORS = {
    "creator": (None, True, None),
    "admin of a library that holds it": (MembershipRole.ADMIN, False, None),
    "plain member": (MembershipRole.MEMBER, False, (403, "E_FORBIDDEN")),
    "member who is the creator": (MembershipRole.MEMBER, True, None),
    "stranger": (None, False, (404, "E_MEDIA_NOT_FOUND")),
}


@pytest.mark.parametrize("who", ACTORS)
def test_who_may_retry(who: str, session: Session) -> None:
    role, is_creator, refusal = ACTORS[who]
    owner, actor = make_user(session), make_user(session)
    library = make_library(session, owner, members={actor.user_id: role} if role else None)
    libraries = [library.id, owner.default_library_id]
    if is_creator and role is None:
        libraries.append(actor.default_library_id)
    creator: Viewer = actor if is_creator else owner
    media = media_in(session, creator, ProcessingStatus.FAILED, library_ids=libraries)
    if refusal is None:
        lifecycle.retry_media(session, media.id, actor.user_id)
        return
    with pytest.raises(ApiError) as raised:
        lifecycle.retry_media(session, media.id, actor.user_id)
    assert (raised.value.status, raised.value.code) == refusal


def test_a_creator_who_lost_sight_of_it_is_a_stranger(session: Session) -> None:
    owner, creator = make_user(session), make_user(session)
    status = ProcessingStatus.FAILED
    media = media_in(session, creator, status, library_ids=[owner.default_library_id])
    with pytest.raises(ApiError) as raised:
        lifecycle.retry_media(session, media.id, creator.user_id)
    assert raised.value.status == 404


def _count(session: Session, model: Any, media_id: Any) -> int:
    count = session.scalar(
        select(func.count()).select_from(model).where(model.media_id == media_id)
    )
    assert count is not None
    return count
