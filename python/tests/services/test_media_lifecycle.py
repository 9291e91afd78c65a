"""The state machine: every function from every state, its clocks, its counters, its fence."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, ProcessingStatus
from nexus.db.models import Fragment
from nexus.db.session import get_session_factory
from nexus.errors import ConflictError, MediaNotFoundError
from nexus.services import media_lifecycle as lifecycle
from nexus.services.viewer import Viewer
from tests.factories import make_user
from tests.media_states import EARLIER, media_in, row

S = ProcessingStatus
Call = Callable[[Session, UUID, Viewer], Any]

CALLS: dict[str, Call] = {
    "worker_start_attempt": lambda db, item, _: lifecycle.worker_start_attempt(db, item),
    "renew_lease": lambda db, item, _: lifecycle.renew_lease(db, item, attempt=1),
    "mark_ready_for_reading": lambda db, item, _: lifecycle.mark_ready_for_reading(db, item),
    "mark_failed": lambda db, item, _: lifecycle.mark_failed(
        db, item, FailureStage.TRANSCRIBE, "E_NEW", "A new reason."
    ),
    "return_to_pending": lambda db, item, _: lifecycle.return_to_pending(db, item, attempt=1),
    "retry_media": lambda db, item, who: lifecycle.retry_media(db, item, who.user_id),
    "revive_media": lambda db, item, _: lifecycle.revive_media(db, item),
}

MOVES: dict[str, dict[ProcessingStatus, ProcessingStatus]] = {
    "worker_start_attempt": {S.PENDING: S.EXTRACTING},
    "renew_lease": {S.EXTRACTING: S.EXTRACTING},
    "mark_ready_for_reading": {S.EXTRACTING: S.READY_FOR_READING},
    "mark_failed": {
        S.PENDING: S.FAILED,
        S.EXTRACTING: S.FAILED,
        S.EMBEDDING: S.FAILED,
        S.FAILED: S.FAILED,
    },
    "return_to_pending": {S.EXTRACTING: S.PENDING},
    "retry_media": {S.FAILED: S.PENDING},
    "revive_media": {S.FAILED: S.PENDING},
}

RAISES_FROM_WRONG_STATE = {"retry_media", "revive_media"}


@pytest.mark.parametrize(("name", "status"), list(itertools.product(CALLS, S)))
def test_every_function_from_every_state(name: str, status: S, session: Session) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, status)
    before = row(media.id)
    target = MOVES[name].get(status)
    if target is None and name in RAISES_FROM_WRONG_STATE:
        with pytest.raises(ConflictError) as raised:
            CALLS[name](session, media.id, viewer)
        assert (raised.value.code, raised.value.status) == ("E_INVALID_STATE", 409)
    else:
        assert bool(CALLS[name](session, media.id, viewer)) is (target is not None)
    session.commit()
    after = row(media.id)
    if target is None:
        assert after == before
    else:
        assert after["processing_status"] == target
        assert after != before


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_committed_by_the_functions(name: str, session: Session) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, next(iter(MOVES[name])))
    before = row(media.id)
    CALLS[name](session, media.id, viewer)
    assert row(media.id) == before
    session.rollback()
    assert row(media.id) == before


@pytest.mark.parametrize("name", CALLS)
def test_an_item_that_is_gone(name: str, session: Session) -> None:
    viewer = make_user(session)
    if name in RAISES_FROM_WRONG_STATE:
        with pytest.raises(MediaNotFoundError):
            CALLS[name](session, uuid4(), viewer)
    else:
        assert CALLS[name](session, uuid4(), viewer) is False


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {key: after[key] for key in after if after[key] != before[key] and key != "updated_at"}


def _clock(session: Session) -> datetime:
    moment = session.scalar(select(func.clock_timestamp()))
    assert isinstance(moment, datetime)
    return moment


def test_starting_an_attempt_sets_exactly_its_fields(session: Session) -> None:
    media = media_in(session, make_user(session), S.PENDING, processing_attempts=1)
    before, began = row(media.id), _clock(session)
    lifecycle.worker_start_attempt(session, media.id)
    session.commit()
    changed = _changed(before, row(media.id))
    started, lease = changed.pop("processing_started_at"), changed.pop("lease_expires_at")
    assert changed == {"processing_status": S.EXTRACTING, "processing_attempts": 2}
    assert began <= started <= _clock(session)
    assert timedelta(seconds=29) < lease - started < timedelta(seconds=31)


def test_success_sets_exactly_its_fields(session: Session) -> None:
    media = media_in(session, make_user(session), S.EXTRACTING)
    before, began = row(media.id), _clock(session)
    lifecycle.mark_ready_for_reading(session, media.id, attempt=1)
    session.commit()
    changed = _changed(before, row(media.id))
    assert began <= changed.pop("processing_completed_at") <= _clock(session)
    assert changed == {"processing_status": S.READY_FOR_READING, "lease_expires_at": None}


def test_failure_sets_exactly_its_fields(session: Session) -> None:
    media = media_in(session, make_user(session), S.EXTRACTING)
    before, began = row(media.id), _clock(session)
    lifecycle.mark_failed(session, media.id, FailureStage.EXTRACT, "E_X", "Why.", attempt=1)
    session.commit()
    changed = _changed(before, row(media.id))
    assert began <= changed.pop("failed_at") <= _clock(session)
    assert changed == {
        "processing_status": S.FAILED,
        "failure_stage": FailureStage.EXTRACT,
        "last_error_code": "E_X",
        "last_error_message": "Why.",
        "lease_expires_at": None,
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("The site answered 403.", "The site answered 403."),
        ("broken\x00text", "brokentext"),
        ("lone \ud800 half", "lone ? half"),
        ("", "No reason was given."),
        ("x" * 100_000, "x" * 1000),
    ],
    ids=["plain", "nul", "surrogate", "empty", "endless"],
)
def test_recording_a_failure_never_fails_on_its_message(
    given: str, kept: str, session: Session
) -> None:
    media = media_in(session, make_user(session), S.EXTRACTING)
    assert lifecycle.mark_failed(session, media.id, FailureStage.EXTRACT, "E_X", given)
    session.commit()
    assert row(media.id)["last_error_message"] == kept


def test_giving_back_leaves_no_half_made_text_and_keeps_the_count(session: Session) -> None:
    media = media_in(session, make_user(session), S.EXTRACTING)
    session.add(Fragment(media_id=media.id, idx=0, html_sanitized="<p>x", canonical_text="x"))
    session.commit()
    before = row(media.id)
    assert lifecycle.return_to_pending(session, media.id, attempt=1)
    session.commit()
    assert _changed(before, row(media.id)) == {
        "processing_status": S.PENDING,
        "processing_started_at": None,
        "lease_expires_at": None,
        "interrupted_attempts": 1,
        "interruptions": 1,
    }
    assert session.scalar(select(func.count()).where(Fragment.media_id == media.id)) == 0


def test_renewing_moves_only_the_lease(session: Session) -> None:
    media = media_in(session, make_user(session), S.EXTRACTING)
    before = row(media.id)
    assert lifecycle.renew_lease(session, media.id, attempt=1)
    session.commit()
    changed = _changed(before, row(media.id))
    assert changed.keys() == {"lease_expires_at"}
    assert changed["lease_expires_at"] > EARLIER


FENCED: dict[str, Callable[[Session, UUID, int], bool]] = {
    "renew_lease": lambda db, item, n: lifecycle.renew_lease(db, item, attempt=n),
    "mark_ready": lambda db, item, n: lifecycle.mark_ready_for_reading(db, item, attempt=n),
    "mark_failed": lambda db, item, n: lifecycle.mark_failed(
        db, item, FailureStage.EXTRACT, "E_X", "Why.", attempt=n
    ),
    "return_to_pending": lambda db, item, n: lifecycle.return_to_pending(db, item, attempt=n),
}


@pytest.mark.parametrize("name", FENCED)
@pytest.mark.parametrize(
    ("status", "attempt"),
    [(S.EXTRACTING, 1), (S.EXTRACTING, 3), *((s, 2) for s in S if s is not S.EXTRACTING)],
)
def test_only_the_current_attempt_may_write(
    name: str, status: S, attempt: int, session: Session
) -> None:
    media = media_in(session, make_user(session), status, processing_attempts=2)
    before = row(media.id)
    assert FENCED[name](session, media.id, attempt) is False
    session.commit()
    assert row(media.id) == before


def test_a_paused_worker_that_wakes_up_late_changes_nothing(session: Session) -> None:
    media = media_in(session, make_user(session), S.PENDING)
    assert lifecycle.worker_start_attempt(session, media.id)
    session.commit()
    assert lifecycle.return_to_pending(session, media.id, attempt=1)
    session.commit()
    assert lifecycle.worker_start_attempt(session, media.id)
    session.commit()
    for late in FENCED.values():
        assert late(session, media.id, 1) is False
    assert lifecycle.mark_ready_for_reading(session, media.id, attempt=2)
    session.commit()
    assert row(media.id)["processing_status"] == S.READY_FOR_READING


def test_failed_then_retried_then_ready(session: Session) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, S.PENDING)
    lifecycle.worker_start_attempt(session, media.id)
    lifecycle.mark_failed(session, media.id, FailureStage.EXTRACT, "E_X", "Why.", attempt=1)
    lifecycle.retry_media(session, media.id, viewer.user_id)
    lifecycle.worker_start_attempt(session, media.id)
    lifecycle.mark_ready_for_reading(session, media.id, attempt=2)
    session.commit()
    after = row(media.id)
    assert after["processing_status"] == S.READY_FOR_READING
    assert after["processing_attempts"] == 2
    assert after["failed_at"] is after["last_error_code"] is after["failure_stage"] is None


def test_fifty_workers_race_for_one_item(session: Session) -> None:
    media = media_in(session, make_user(session), S.PENDING)

    def start(_: int) -> bool:
        with get_session_factory()() as own, own.begin():
            return lifecycle.worker_start_attempt(own, media.id)

    with ThreadPoolExecutor(50) as pool:
        won = list(pool.map(start, range(50)))
    assert won.count(True) == 1
    after = row(media.id)
    assert (after["processing_status"], after["processing_attempts"]) == (S.EXTRACTING, 1)
