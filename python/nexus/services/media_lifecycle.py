"""The media state machine. Nothing else changes `processing_status`.

    pending → extracting → ready_for_reading → embedding → ready
        any of them but the ready ones → failed → (retry) → pending

The row is the job: `processing_attempts` is the fencing token of the attempt that holds it, and
`lease_expires_at` says how long that attempt may be silent. Functions lock the row, never commit,
and treat an unexpected state as a no-op: messages can be delivered twice, and a crash is worse.
"""

import random
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, ProcessingStatus
from nexus.db.models import Fragment, Media, MediaFile
from nexus.errors import ConflictError, MediaNotFoundError
from nexus.extractors.kinds import FILE_KINDS, KINDS
from nexus.logging import get_logger
from nexus.services.media_access import require_may_retry
from nexus.services.stored_files import delete_stored_file

logger = get_logger(__name__)

MAX_ATTEMPTS = 3
# How often an attempt may be cut off by a fault of ours and restarted, per attempt of a person.
MAX_INTERRUPTIONS = 2
# A file that was read for so long counts as interrupted once more, and has that much less time when
# it is tried again: three attempts that are cut off late would take many minutes.
LATE = timedelta(seconds=30)
# After this, another try would not end within two minutes either.
_TOO_LATE = timedelta(seconds=65)
LEASE = timedelta(seconds=30)
_BACKOFF_SECONDS = 2.0
_MAX_MESSAGE_LENGTH = 1000

_SUCCEEDED = frozenset({ProcessingStatus.READY, ProcessingStatus.READY_FOR_READING})


def worker_start_attempt(session: Session, media_id: UUID) -> bool:
    """pending → extracting. True if this caller now holds the attempt."""
    media = _lock(session, media_id)
    if media is None or media.processing_status is not ProcessingStatus.PENDING:
        logger.info("worker_start_attempt_noop", media_id=str(media_id), status=_status(media))
        return False
    start_attempt(session, media)
    return True


def start_attempt(session: Session, media: Media) -> None:
    """pending → extracting, for a pending row that the caller has locked."""
    media.processing_status = ProcessingStatus.EXTRACTING
    media.processing_attempts += 1
    media.processing_started_at = func.clock_timestamp()
    media.lease_expires_at = func.clock_timestamp() + LEASE
    media.not_before = None
    session.flush()


def renew_lease(session: Session, media_id: UUID, *, attempt: int) -> bool:
    """Say that the attempt is alive. False if it is no longer the current one."""
    media = lock_current_attempt(session, media_id, attempt=attempt)
    if media is None:
        return False
    media.lease_expires_at = func.clock_timestamp() + LEASE
    session.flush()
    return True


def lock_current_attempt(session: Session, media_id: UUID, *, attempt: int) -> Media | None:
    """The row, locked, if this attempt still holds it: checked before the final write."""
    media = _lock(session, media_id)
    if media is None or not _is_current(media, attempt):
        logger.warning("attempt_outdated", media_id=str(media_id), status=_status(media))
        return None
    return media


def mark_ready_for_reading(session: Session, media_id: UUID, *, attempt: int | None = None) -> bool:
    """extracting → ready_for_reading. False, and nothing changed, from any other state."""
    media = _lock(session, media_id)
    if media is None or not _is_current(media, attempt):
        logger.warning("unexpected_state", media_id=str(media_id), status=_status(media))
        return False
    finish_attempt(media)
    session.flush()
    return True


def finish_attempt(media: Media) -> None:
    """extracting → ready_for_reading, for the row that `lock_current_attempt` returned."""
    media.processing_status = ProcessingStatus.READY_FOR_READING
    media.processing_completed_at = func.clock_timestamp()
    _clear_failure(media)


def mark_failed(
    session: Session,
    media_id: UUID,
    stage: FailureStage,
    error_code: str,
    error_message: str,
    *,
    attempt: int | None = None,
) -> bool:
    """Any unfinished state → failed, with the reason. A late failure never undoes a success."""
    media = _lock(session, media_id)
    outdated = attempt is not None and media is not None and not _is_current(media, attempt)
    if media is None or media.processing_status in _SUCCEEDED or outdated:
        logger.warning(
            "late_failure_ignored",
            media_id=str(media_id),
            error_code=error_code,
            status=_status(media),
        )
        return False
    media.processing_status = ProcessingStatus.FAILED
    media.failure_stage = stage
    media.last_error_code = error_code
    media.last_error_message = _storable(error_message)
    media.failed_at = func.clock_timestamp()
    media.lease_expires_at = None
    session.flush()
    return True


def interrupt(
    session: Session,
    media_id: UUID,
    *,
    attempt: int,
    error_code: str,
    error_message: str,
    worked: timedelta = timedelta(),
) -> bool:
    """A fault of ours cut the attempt off. True if the item is tried again, after a moment.

    If that keeps happening, it fails with the reason. Neither counts against the person.
    """
    media = lock_current_attempt(session, media_id, attempt=attempt)
    if media is None:
        return False
    late = (worked >= LATE) + (worked >= _TOO_LATE) if media.kind in FILE_KINDS else 0
    if media.interruptions + late < MAX_INTERRUPTIONS:
        wait = timedelta(seconds=backoff_seconds(media.interruptions))
        media.interruptions += late
        return return_to_pending(session, media_id, attempt=attempt, wait=wait)
    media.interrupted_attempts += 1
    mark_failed(session, media_id, FailureStage.EXTRACT, error_code, error_message, attempt=attempt)
    return False


def backoff_seconds(tried: int) -> float:
    """Doubling, with full jitter: items that failed together do not come back together."""
    return random.uniform(0, _BACKOFF_SECONDS * 2**tried)  # noqa: S311


def return_to_pending(
    session: Session, media_id: UUID, *, attempt: int, wait: timedelta | None = None
) -> bool:
    """extracting → pending: the attempt was cut off, and does not count against the person."""
    media = lock_current_attempt(session, media_id, attempt=attempt)
    if media is None:
        return False
    _delete_fragments(session, media_id)
    media.processing_status = ProcessingStatus.PENDING
    media.processing_started_at = None
    media.lease_expires_at = None
    media.not_before = None if wait is None else func.clock_timestamp() + wait
    media.interrupted_attempts += 1
    media.interruptions += 1
    session.flush()
    return True


def return_as_file(session: Session, media_id: UUID, *, attempt: int) -> bool:
    """extracting → pending: the address is a file, whose text is read in attempts of its own."""
    media = lock_current_attempt(session, media_id, attempt=attempt)
    if media is None:
        return False
    media.processing_status = ProcessingStatus.PENDING
    media.processing_started_at = None
    media.lease_expires_at = None
    media.interrupted_attempts = media.processing_attempts
    media.interruptions = 0
    session.flush()
    return True


def seconds_for_attempt(media: Media) -> float:
    """How long the attempt that begins now may take; files have less after each interruption."""
    seconds = KINDS[media.kind].seconds
    if media.kind not in FILE_KINDS:
        return seconds
    return seconds - media.interruptions * LATE.total_seconds()


def tries_used(media: Media) -> int:
    """How many attempts count against the limit on retries."""
    return media.processing_attempts - media.interrupted_attempts


def retry_media(session: Session, media_id: UUID, actor_user_id: UUID) -> Media:
    """failed → pending, on behalf of a person. The attempt counter is not theirs to change."""
    media_id = require_may_retry(session, media_id=media_id, actor_user_id=actor_user_id)
    media = revive_media(session, media_id, within_limit=True)
    media.queued_for_user_id = actor_user_id
    return media


def revive_media(session: Session, media_id: UUID, *, within_limit: bool = False) -> Media:
    """failed → pending, without a limit for an operator, or when its address is saved again."""
    media = _lock_failed(session, media_id)
    if within_limit and tries_used(media) >= MAX_ATTEMPTS:
        raise ConflictError(
            "E_RETRY_LIMIT_REACHED",
            f"This item was tried {tries_used(media)} times. Save its address again, "
            "or ask the person who runs this server.",
        )
    return _reset(session, media)


def _reset(session: Session, media: Media) -> Media:
    """Undo what the failed stage left, so that nothing half-made survives."""
    if media.failure_stage is FailureStage.EMBED:
        # The text is whole and may carry highlights: only the embedding is tried again.
        media.processing_status = ProcessingStatus.READY_FOR_READING
    else:
        if media.failure_stage is FailureStage.UPLOAD:
            _forget_file(session, media)
        _delete_fragments(session, media.id)
        media.processing_status = ProcessingStatus.PENDING
    media.processing_started_at = None
    media.processing_completed_at = None
    media.interruptions = 0
    # Somebody asked for it.
    media.background_site = None
    _clear_failure(media)
    session.flush()
    return media


def _storable(message: str) -> str:
    """Messages quote untrusted text; recording a failure must never itself fail."""
    text = message.encode("utf-8", "replace").decode().replace("\0", "")
    return text.strip()[:_MAX_MESSAGE_LENGTH] or "No reason was given."


def _clear_failure(media: Media) -> None:
    media.failure_stage = None
    media.last_error_code = None
    media.last_error_message = None
    media.failed_at = None
    media.lease_expires_at = None


def _forget_file(session: Session, media: Media) -> None:
    file = session.get(MediaFile, media.id)
    if file is not None:
        delete_stored_file(session, file.storage_path)
        session.delete(file)
    media.file_sha256 = None


def _delete_fragments(session: Session, media_id: UUID) -> None:
    session.execute(delete(Fragment).where(Fragment.media_id == media_id))


def _lock(session: Session, media_id: UUID) -> Media | None:
    return session.scalars(
        select(Media)
        .where(Media.id == media_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one_or_none()


def _lock_failed(session: Session, media_id: UUID) -> Media:
    media = _lock(session, media_id)
    if media is None:
        raise MediaNotFoundError
    if media.processing_status is not ProcessingStatus.FAILED:
        raise ConflictError(
            "E_INVALID_STATE", "Only an item that failed can be retried; this one did not."
        )
    return media


def _is_current(media: Media, attempt: int | None) -> bool:
    return media.processing_status is ProcessingStatus.EXTRACTING and (
        attempt is None or media.processing_attempts == attempt
    )


def _status(media: Media | None) -> str:
    return "gone" if media is None else media.processing_status.value
