"""The general ingestion task: claim, extract, record the outcome."""

import random
from uuid import UUID

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded

from nexus.celery import celery_app
from nexus.config import Environment, get_settings
from nexus.db.enums import FailureStage, MediaKind
from nexus.db.models import Media
from nexus.db.task_session import task_session
from nexus.logging import get_logger, task_log_context
from nexus.services import media_lifecycle
from nexus.services.extractors import (
    AVAILABLE_EXTRACTORS,
    ExtractionError,
    TransientExtractionError,
)
from nexus.services.lease import RENEW_SECONDS, lease_kept_alive

logger = get_logger(__name__)

_MAX_TRIES = 3
_BACKOFF_SECONDS = 2.0
# Below the broker's visibility timeout, so that a running task is never delivered again.
_SOFT_TIME_LIMIT = 120
_TIME_LIMIT = 150


@celery_app.task(  # type: ignore[untyped-decorator]
    bind=True,
    name="nexus.ingest_media",
    max_retries=_MAX_TRIES,
    soft_time_limit=_SOFT_TIME_LIMIT,
    time_limit=_TIME_LIMIT,
)
def ingest_media(
    self: Task, media_id: str, request_id: str | None = None, *, _test_force_run: bool = False
) -> None:
    """Extract one item. Without an extractor for its kind it does nothing at all."""
    if _test_force_run and get_settings().env not in {Environment.TEST, Environment.LOCAL}:
        raise RuntimeError("_test_force_run is forbidden outside test and local")
    item = UUID(str(media_id))
    with task_log_context(request_id, media_id=item):
        attempt = _claim(item, without_extractor=_test_force_run)
        if attempt is None:
            return
        if _test_force_run:
            message = "This kind of item cannot be read yet."
            _fail(item, attempt, "E_EXTRACTOR_NOT_IMPLEMENTED", message)
            return
        try:
            _extract(item, attempt)
        except TransientExtractionError as error:
            _give_back_or_fail(self, item, attempt, error)
        except ExtractionError as error:
            _fail(item, attempt, "E_EXTRACTION_FAILED", str(error))
        except SoftTimeLimitExceeded:
            _fail(item, attempt, "E_JOB_TIMEOUT", "Reading this item took too long. Try again.")
        except Exception:
            logger.exception("extraction_crashed")
            message = "Something went wrong while reading this item. Try again."
            _fail(item, attempt, "E_EXTRACTION_FAILED", message)


def _claim(media_id: UUID, *, without_extractor: bool) -> int | None:
    """The number of the attempt that now is ours; None when there is nothing to do."""
    with task_session() as session:
        media = session.get(Media, media_id)
        if media is None or (media.kind not in AVAILABLE_EXTRACTORS and not without_extractor):
            logger.info("ingest_nothing_to_do", kind=media.kind if media else "gone")
            return None
        if not media_lifecycle.worker_start_attempt(session, media_id):
            return None
        session.refresh(media)
        logger.info("ingest_started", attempt=media.processing_attempts)
        return media.processing_attempts


def _extract(media_id: UUID, attempt: int) -> None:
    kept_alive = lease_kept_alive(
        task_session, media_id=media_id, attempt=attempt, every_seconds=RENEW_SECONDS
    )
    with kept_alive:
        AVAILABLE_EXTRACTORS[_kind(media_id)](media_id)
    with task_session() as session:
        media_lifecycle.mark_ready_for_reading(session, media_id, attempt=attempt)


def _give_back_or_fail(task: Task, media_id: UUID, attempt: int, error: Exception) -> None:
    tried: int = task.request.retries
    if tried + 1 >= _MAX_TRIES:
        _fail(media_id, attempt, "E_EXTRACTION_FAILED", str(error))
        return
    with task_session() as session:
        media_lifecycle.return_to_pending(session, media_id, attempt=attempt)
    if task.request.is_eager:
        # Run inline there is no queue to wait in: the next try follows at once.
        task.apply(args=task.request.args, kwargs=task.request.kwargs, retries=tried + 1)
        return
    raise task.retry(exc=error, countdown=backoff_seconds(tried))


def backoff_seconds(tried: int) -> float:
    """Doubling, with full jitter: items that failed together do not come back together."""
    return random.uniform(0, _BACKOFF_SECONDS * 2**tried)  # noqa: S311


def _fail(media_id: UUID, attempt: int, code: str, message: str) -> None:
    with task_session() as session:
        media_lifecycle.mark_failed(
            session, media_id, FailureStage.EXTRACT, code, message, attempt=attempt
        )


def _kind(media_id: UUID) -> MediaKind:
    with task_session() as session:
        return session.get_one(Media, media_id).kind
