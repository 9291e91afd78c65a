"""The general ingestion task: what it does to an item, and above all what it does not."""

from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from nexus.celery import create_celery
from nexus.config import get_settings
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import Fragment
from nexus.db.session import get_engine
from nexus.db.task_session import task_session
from nexus.extractors.interface import (
    Document,
    Extract,
    ExtractionError,
    Job,
    TransientExtractionError,
)
from nexus.services import media_lifecycle
from nexus.services.media_lifecycle import backoff_seconds
from nexus.tasks.ingest import ingest_media
from tests.factories import make_user
from tests.live import wait_for
from tests.media_states import media_in, row
from tests.queues import a_document, extractor_for

S = ProcessingStatus


def _pending(session: Session, kind: MediaKind = MediaKind.VIDEO, **fields: Any) -> UUID:
    media_id: UUID = media_in(session, make_user(session), S.PENDING, kind=kind, **fields).id
    return media_id


def _reads(_job: Job) -> Document:
    return a_document()


def _raises(error: BaseException) -> Extract:
    def extract(_job: Job) -> Document:
        raise error

    return extract


@pytest.mark.parametrize("kind", [kind for kind in MediaKind if kind is not MediaKind.WEB_ARTICLE])
def test_without_an_extractor_nothing_is_touched(kind: MediaKind, session: Session) -> None:
    media_id = _pending(session, kind)
    before = row(media_id)
    ingest_media.apply(args=[str(media_id)]).get()
    assert row(media_id) == before


@pytest.mark.parametrize("kind", MediaKind)
def test_forced_run_claims_and_fails(kind: MediaKind, session: Session) -> None:
    media_id = _pending(session, kind)
    ingest_media.apply(args=[str(media_id)], kwargs={"_test_force_run": True}).get()
    after = row(media_id)
    assert after["processing_status"] == S.FAILED
    assert after["failure_stage"] == FailureStage.EXTRACT
    assert after["last_error_code"] == "E_EXTRACTOR_NOT_IMPLEMENTED"
    assert after["processing_attempts"] == 1
    assert after["processing_started_at"] is not None
    assert after["failed_at"] is not None


@pytest.mark.parametrize("env", ["prod", "staging"])
def test_forced_run_is_forbidden_before_any_database(
    env: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    media_id = _pending(session)
    connections: list[object] = []
    event.listen(get_engine(), "checkout", lambda *used: connections.append(used))
    monkeypatch.setenv("NEXUS_ENV", env)
    get_settings.cache_clear()
    try:
        with pytest.raises(RuntimeError, match="_test_force_run"):
            ingest_media.apply(args=[str(media_id)], kwargs={"_test_force_run": True}).get()
        assert connections == []
    finally:
        monkeypatch.undo()
        get_settings.cache_clear()
    assert row(media_id)["processing_status"] == S.PENDING


def test_success(session: Session) -> None:
    media_id = _pending(session)
    with extractor_for(MediaKind.VIDEO, _reads):
        ingest_media.apply(args=[str(media_id)]).get()
        after = row(media_id)
        assert after["processing_status"] == S.READY_FOR_READING
        assert after["processing_attempts"] == 1
        ingest_media.apply(args=[str(media_id)]).get()
    assert row(media_id) == after, "a message delivered twice changes nothing"


FAILURES = {
    "told by the extractor": (ExtractionError("The file is locked."), "E_EXTRACTION_FAILED"),
    "a crash": (ZeroDivisionError("division by zero"), "E_EXTRACTION_FAILED"),
    "out of time": (SoftTimeLimitExceeded(), "E_JOB_TIMEOUT"),
    "bytes in the message": (ExtractionError("bad \x00\ud800"), "E_EXTRACTION_FAILED"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures_end_in_words(name: str, session: Session) -> None:
    error, code = FAILURES[name]
    media_id = _pending(session)
    with extractor_for(MediaKind.VIDEO, _raises(error)):
        ingest_media.apply(args=[str(media_id)]).get()
    after = row(media_id)
    assert (after["processing_status"], after["failure_stage"]) == (S.FAILED, FailureStage.EXTRACT)
    assert after["last_error_code"] == code
    assert after["processing_attempts"] == 1
    message = after["last_error_message"]
    assert message.endswith((".", "?"))
    assert "division" not in message


def test_transient_errors_are_tried_three_times(session: Session) -> None:
    seen: list[Any] = []

    def extract(job: Job) -> Document:
        seen.append(row(job.media_id)["processing_attempts"])
        raise TransientExtractionError("The provider answered 503.")

    media_id = _pending(session)
    with extractor_for(MediaKind.VIDEO, extract):
        ingest_media.apply(args=[str(media_id)]).get()
    after = row(media_id)
    assert seen == [1, 2, 3]
    assert after["processing_status"] == S.FAILED
    assert after["last_error_message"] == "The provider answered 503."
    assert after["processing_attempts"] == 3


def test_a_lost_database_leaves_the_item_to_its_lease(session: Session) -> None:
    media_id = _pending(session)
    lost = OperationalError("INSERT", None, Exception("the connection is lost"))
    with extractor_for(MediaKind.VIDEO, _raises(lost)), pytest.raises(OperationalError):
        ingest_media.apply(args=[str(media_id)]).get()
    after = row(media_id)
    assert (after["processing_status"], after["last_error_code"]) == (S.EXTRACTING, None)
    assert after["lease_expires_at"] is not None


def test_a_transient_error_may_end_well(session: Session) -> None:
    errors = [TransientExtractionError("once")]

    def extract(_job: Job) -> Document:
        if errors:
            raise errors.pop()
        return a_document()

    media_id = _pending(session)
    with extractor_for(MediaKind.VIDEO, extract):
        ingest_media.apply(args=[str(media_id)]).get()
    assert row(media_id)["processing_status"] == S.READY_FOR_READING
    assert row(media_id)["processing_attempts"] == 2


def test_backoff_doubles_and_is_spread_over_all_of_it() -> None:
    for tried, longest in enumerate((2.0, 4.0, 8.0)):
        delays = [backoff_seconds(tried) for _ in range(500)]
        assert 0 <= min(delays) < longest * 0.1
        assert longest * 0.9 < max(delays) <= longest


@pytest.mark.parametrize("status", [status for status in S if status is not S.PENDING])
def test_only_pending_items_are_taken(status: S, session: Session) -> None:
    media = media_in(session, make_user(session), status, kind=MediaKind.VIDEO)
    before = row(media.id)
    with extractor_for(MediaKind.VIDEO, _raises(AssertionError("must not run"))):
        ingest_media.apply(args=[str(media.id)]).get()
    assert row(media.id) == before


def test_an_item_that_is_gone_is_nothing_to_do() -> None:
    with extractor_for(MediaKind.VIDEO, _raises(AssertionError("must not run"))):
        ingest_media.apply(args=[str(uuid4())]).get()


def test_a_worker_that_lost_its_item_does_not_finish_it(session: Session) -> None:
    def extract(job: Job) -> Document:
        # While this one slept, its lease ran out and another worker began.
        with task_session() as other:
            media_lifecycle.return_to_pending(other, job.media_id, attempt=1)
            media_lifecycle.worker_start_attempt(other, job.media_id)
        return a_document()

    media_id = _pending(session)
    with extractor_for(MediaKind.VIDEO, extract):
        ingest_media.apply(args=[str(media_id)]).get()
    after = row(media_id)
    assert (after["processing_status"], after["processing_attempts"]) == (S.EXTRACTING, 2)
    assert session.scalars(select(Fragment).where(Fragment.media_id == media_id)).all() == []


def test_the_lease_is_renewed_while_an_extractor_works(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nexus.services.ingest.RENEW_SECONDS", 0.05)
    leases: list[Any] = []

    def extract(job: Job) -> Document:
        leases.append(row(job.media_id)["lease_expires_at"])
        wait_for(lambda: row(job.media_id)["lease_expires_at"] > leases[0])
        return a_document()

    media_id = _pending(session)
    with extractor_for(MediaKind.VIDEO, extract):
        ingest_media.apply(args=[str(media_id)]).get()
    assert leases
    assert row(media_id)["processing_status"] == S.READY_FOR_READING


def test_logs_carry_the_request_id(session: Session) -> None:
    media_id = _pending(session)
    seen: list[dict[str, Any]] = []

    def extract(_job: Job) -> Document:
        seen.append(structlog.contextvars.get_contextvars())
        return a_document()

    with extractor_for(MediaKind.VIDEO, extract):
        ingest_media.apply(args=[str(media_id)], kwargs={"request_id": "from-the-browser"}).get()
    assert seen[0]["request_id"] == "from-the-browser"
    assert seen[0]["media_id"] == str(media_id)
    assert "media_id" not in structlog.contextvars.get_contextvars()


def test_eager_mode_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert create_celery().conf.task_always_eager is False
    monkeypatch.setenv("CELERY_ALWAYS_EAGER", "true")
    get_settings.cache_clear()
    try:
        assert create_celery().conf.task_always_eager is True
    finally:
        monkeypatch.undo()
        get_settings.cache_clear()
