"""The general ingestion task: claim, extract, record the outcome."""

from uuid import UUID

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy.exc import OperationalError

from nexus.celery import celery_app
from nexus.config import Environment, get_settings
from nexus.db.task_session import task_session
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import ExtractionError
from nexus.logging import get_logger, task_log_context
from nexus.services import ingest

logger = get_logger(__name__)

# Below the broker's visibility timeout, so that a running task is never delivered again.
_SOFT_TIME_LIMIT = 120
_TIME_LIMIT = 150


@celery_app.task(  # type: ignore[untyped-decorator]
    bind=True,
    name="nexus.ingest_media",
    max_retries=0,
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
    inline = self.request.called_directly or self.request.is_eager
    with task_log_context(request_id, media_id=item):
        claimed = ingest.claim(
            task_session, item, without_extractor=_test_force_run, at_once=inline
        )
        if claimed is not None and _test_force_run:
            message = "This kind of item cannot be read yet."
            unready = ExtractionError(message, code=FailureCode.EXTRACTOR_NOT_IMPLEMENTED)
            ingest.fail(task_session, claimed, unready)
            return
        while claimed is not None:
            again = _run(claimed, wake=not inline)
            # Run inline, there is no queue to wait in: the next attempt follows at once.
            claimed = ingest.claim(task_session, item) if again and inline else None


def _run(claimed: ingest.Claim, *, wake: bool) -> bool:
    try:
        return ingest.run(task_session, claimed, actor_user_id=None, wake=wake)
    except OperationalError:
        # Nothing can be recorded without the database: the lease runs out, and it is tried again.
        raise
    except SoftTimeLimitExceeded:
        error = ExtractionError(code=FailureCode.JOB_TIMEOUT)
    except Exception:
        logger.exception("extraction_crashed")
        error = ExtractionError()
    ingest.fail(task_session, claimed, error)
    return False
