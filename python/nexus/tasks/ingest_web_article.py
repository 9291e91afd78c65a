"""The web article task: a thin wrapper, so that worker, inline and eager runs are the same."""

from uuid import UUID

from celery import Task

from nexus.celery import celery_app
from nexus.logging import task_log_context
from nexus.services import web_article_ingest
from nexus.tasks.session import task_session

# Fetching is cut off at 40 s; these only catch a defect. Below the broker's visibility timeout.
_SOFT_TIME_LIMIT = 90
_TIME_LIMIT = 120


@celery_app.task(  # type: ignore[untyped-decorator]
    bind=True,
    name="nexus.ingest_web_article",
    max_retries=0,
    soft_time_limit=_SOFT_TIME_LIMIT,
    time_limit=_TIME_LIMIT,
)
def ingest_web_article(
    self: Task,  # noqa: ARG001 - bound, as all ingestion tasks are
    media_id: str,
    actor_user_id: str | None = None,
    request_id: str | None = None,
) -> None:
    """Fetch, clean and store one article. Retrying is the reader's choice, never automatic."""
    with task_log_context(request_id, media_id=media_id):
        web_article_ingest.ingest_web_article(
            task_session,
            media_id=UUID(str(media_id)),
            actor_user_id=UUID(str(actor_user_id)) if actor_user_id else None,
        )
