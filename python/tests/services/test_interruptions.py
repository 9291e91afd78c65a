"""Attempts that a fault of ours cut off: tried again by us, and not charged to the person."""

from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import func, update
from sqlalchemy.orm import Session

from nexus.celery import celery_app
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import Media
from nexus.errors import ConflictError
from nexus.extractors.interface import Document, Job, TransientExtractionError
from nexus.services import media_lifecycle as lifecycle
from nexus.services.media_retry import operator_retry
from nexus.services.unfinished import release_expired
from nexus.services.viewer import Viewer
from nexus.tasks.ingest import ingest_media
from tests.factories import make_user
from tests.media_states import media_in, row
from tests.queues import extractor_for

S = ProcessingStatus


def crash(session: Session, media_id: UUID) -> None:
    """A worker takes the item and is never heard of again."""
    assert lifecycle.worker_start_attempt(session, media_id)
    past = func.clock_timestamp() - timedelta(seconds=1)
    session.execute(update(Media).where(Media.id == media_id).values(lease_expires_at=past))
    session.commit()
    release_expired(session, limit=1000)
    session.commit()


def fail(session: Session, media_id: UUID) -> None:
    """A worker takes the item, and the site refuses."""
    assert lifecycle.worker_start_attempt(session, media_id)
    lifecycle.mark_failed(session, media_id, FailureStage.EXTRACT, "E_INGEST_FAILED", "403")
    session.commit()


def status(media_id: UUID) -> ProcessingStatus:
    found: ProcessingStatus = row(media_id)["processing_status"]
    return found


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


def test_the_third_crash_in_a_row_fails(session: Session, viewer: Viewer) -> None:
    media_id = media_in(session, viewer, S.PENDING).id
    seen = []
    for _ in range(3):
        crash(session, media_id)
        seen.append(status(media_id))
    assert seen == [S.PENDING, S.PENDING, S.FAILED]
    after = row(media_id)
    assert (after["last_error_code"], after["processing_attempts"]) == ("E_JOB_TIMEOUT", 3)
    assert "3 times" in after["last_error_message"]


def test_crashes_leave_nothing_unfinished_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda _least, most: most)
    pauses = sum(lifecycle.backoff_seconds(tried) for tried in range(lifecycle.MAX_INTERRUPTIONS))
    noticed = lifecycle.LEASE.total_seconds() + celery_app.conf.beat_schedule["sweep"]["schedule"]
    assert (lifecycle.MAX_INTERRUPTIONS + 1) * noticed + pauses < 120


@pytest.mark.parametrize("kind", [MediaKind.PDF, MediaKind.EPUB])
@pytest.mark.parametrize(
    ("shares", "tries"),
    [
        ([0.05] * 3, 3),
        ([0.2] * 3, 3),
        ([0.4] * 3, 2),
        ([0.55] * 2, 2),
        ([0.2, 1.0], 2),
        ([0.2, 0.2, 1.0], 3),
        ([1.0], 1),
    ],
)
def test_a_file_that_is_cut_off_late_is_unfinished_for_two_minutes_at_most(
    kind: MediaKind, shares: list[float], tries: int, session: Session, viewer: Viewer
) -> None:
    media = media_in(session, viewer, S.PENDING, kind=kind)
    tried, passed = 0, 0.0
    while tried < len(shares) and status(media.id) == S.PENDING:
        assert lifecycle.worker_start_attempt(session, media.id)
        session.refresh(media)
        worked = shares[tried] * lifecycle.seconds_for_attempt(media)
        passed += worked + 2.0 * 2**tried
        tried += 1
        lifecycle.interrupt(
            session,
            media.id,
            attempt=tried,
            error_code="E_EXTRACTION_FAILED",
            error_message="It was cut off.",
            worked=timedelta(seconds=worked),
        )
        session.commit()
    assert (status(media.id), tried) == (S.FAILED, tries)
    assert passed <= 120


def test_what_a_silent_worker_did_before_counts(session: Session, viewer: Viewer) -> None:
    media_id = media_in(session, viewer, S.PENDING, kind=MediaKind.PDF).id
    for expected in (S.PENDING, S.FAILED):
        assert lifecycle.worker_start_attempt(session, media_id)
        began = func.clock_timestamp() - timedelta(seconds=70)
        past = func.clock_timestamp() - timedelta(seconds=1)
        values = {"processing_started_at": began, "lease_expires_at": past}
        session.execute(update(Media).where(Media.id == media_id).values(values))
        session.commit()
        release_expired(session, limit=1000)
        session.commit()
        assert status(media_id) == expected


@pytest.mark.parametrize("attempts", [3, 7])
def test_a_forced_retry_survives_a_crash(attempts: int, session: Session, viewer: Viewer) -> None:
    media_id = media_in(session, viewer, S.FAILED, processing_attempts=attempts).id
    operator_retry(session, media_id=media_id, force=True)
    session.commit()
    crash(session, media_id)
    assert status(media_id) == S.PENDING
    crash(session, media_id)
    assert status(media_id) == S.PENDING
    crash(session, media_id)
    assert status(media_id) == S.FAILED, "but not without a limit"


def test_crashes_do_not_use_up_the_persons_retries(session: Session, viewer: Viewer) -> None:
    media_id = media_in(session, viewer, S.PENDING).id
    for tried in range(1, 4):
        crash(session, media_id)
        crash(session, media_id)
        fail(session, media_id)
        assert row(media_id)["processing_attempts"] == 3 * tried, "the fence counts them all"
        if tried < 3:
            lifecycle.retry_media(session, media_id, viewer.user_id)
            session.commit()
    with pytest.raises(ConflictError, match="was tried 3 times"):
        lifecycle.retry_media(session, media_id, viewer.user_id)


def test_retries_by_the_task_do_not_use_up_the_persons(session: Session, viewer: Viewer) -> None:
    def extract(_job: Job) -> Document:
        raise TransientExtractionError("The provider is away.")

    media_id = media_in(session, viewer, S.PENDING, kind=MediaKind.VIDEO).id
    with extractor_for(MediaKind.VIDEO, extract):
        for _ in range(2):
            ingest_media.apply(args=[str(media_id)]).get()
            assert status(media_id) == S.FAILED
            lifecycle.retry_media(session, media_id, viewer.user_id)
            session.commit()
    assert row(media_id)["processing_attempts"] == 6
