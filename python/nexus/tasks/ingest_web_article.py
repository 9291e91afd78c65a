"""The web article task: a thin wrapper, so that worker, inline and eager runs are the same."""

from uuid import UUID

from celery import Task
from celery.signals import worker_process_shutdown

from nexus.celery import celery_app
from nexus.db.task_session import task_session
from nexus.extractors.web_article import node_client as node_ingest
from nexus.logging import task_log_context
from nexus.services import ingest
from nexus.services.background_turns import rest_site
from nexus.services.ingest_queue import wake_another

# Fetching is cut off at 40 s, after up to 20 s for a browser to start, and a file after 90 s more;
# these only catch a bug. They are below the broker's visibility timeout.
_SOFT_TIME_LIMIT = 210
_TIME_LIMIT = 240


@celery_app.task(  # type: ignore[untyped-decorator]
    bind=True,
    name="nexus.ingest_web_article",
    max_retries=0,
    soft_time_limit=_SOFT_TIME_LIMIT,
    time_limit=_TIME_LIMIT,
)
def ingest_web_article(
    self: Task,
    media_id: str,
    actor_user_id: str | None = None,
    request_id: str | None = None,
) -> None:
    """Fetch, clean and store one article. Only what a fault of ours cut off is tried again by us.

    In a worker the message says only that there is something to do: people take turns.
    """
    named, actor = UUID(str(media_id)), UUID(str(actor_user_id)) if actor_user_id else None
    inline = self.request.called_directly or self.request.is_eager
    claimed = ingest.claim(task_session, named) if inline else ingest.claim_next(task_session)
    if claimed is None:
        return
    site = claimed.background_site
    if claimed.job.media_id != named:
        request_id, actor = None, claimed.creator_id
    with task_log_context(request_id, media_id=claimed.job.media_id):
        while ingest.run(task_session, claimed, actor_user_id=actor, wake=not inline) and inline:
            # There is no queue to wait in: the next attempt follows at once.
            claimed = ingest.claim(task_session, named)
            if claimed is None:
                break
    if not inline:
        with task_session() as session:
            if site is not None:
                rest_site(session, site=site)
            wake_another(session)


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _stop_extractor(**_kwargs: object) -> None:
    """A worker that exits takes its Node process and its browser with it."""
    node_ingest.stop()
