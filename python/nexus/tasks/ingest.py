"""The general ingestion task: claim, extract, record the outcome."""

import random
from uuid import UUID

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded

from nexus.celery import celery_app
from nexus.config import Environment, get_settings
from nexus.db.task_session import task_session
from nexus.extractors.interface import TransientExtractionError
from nexus.logging import get_logger, task_log_context
from nexus.services import ingest

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
        claimed = ingest.claim(task_session, item, without_extractor=_test_force_run)
        if claimed is None:
            return
        if _test_force_run:
            message = "This kind of item cannot be read yet."
            _fail(claimed, "E_EXTRACTOR_NOT_IMPLEMENTED", message)
            return
        try:
            ingest.run(task_session, claimed, actor_user_id=None)
        except TransientExtractionError as error:
            _give_back_or_fail(self, claimed, error)
        except SoftTimeLimitExceeded:
            _fail(claimed, "E_JOB_TIMEOUT", "Reading this item took too long. Try again.")
        except Exception:
            logger.exception("extraction_crashed")
            message = "Something went wrong while reading this item. Try again."
            _fail(claimed, "E_EXTRACTION_FAILED", message)


def _give_back_or_fail(task: Task, claimed: ingest.Claim, error: Exception) -> None:
    tried: int = task.request.retries
    if tried + 1 >= _MAX_TRIES:
        _fail(claimed, "E_EXTRACTION_FAILED", str(error))
        return
    ingest.give_back(task_session, claimed)
    if task.request.is_eager:
        # Run inline, there is no queue to wait in: the next attempt follows at once.
        task.apply(args=task.request.args, kwargs=task.request.kwargs, retries=tried + 1)
        return
    raise task.retry(exc=error, countdown=backoff_seconds(tried))


def backoff_seconds(tried: int) -> float:
    """Doubling, with full jitter: items that failed together do not come back together."""
    return random.uniform(0, _BACKOFF_SECONDS * 2**tried)  # noqa: S311


def _fail(claimed: ingest.Claim, code: str, message: str) -> None:
    ingest.fail(task_session, claimed, code, message)
