"""Indexing what was stored before it could be searched, behind everything else."""

from celery import Task

from nexus.celery import celery_app
from nexus.db.task_session import task_session
from nexus.services.search_backlog import index_some
from nexus.services.send_task import try_to_send


# The longest document takes seconds; this only catches a bug.
@celery_app.task(bind=True, name="nexus.index_backlog", time_limit=120)  # type: ignore[untyped-decorator]
def index_backlog(self: Task) -> None:
    """Index some items, and queue up again behind whatever came in meanwhile."""
    if index_some(task_session):
        try_to_send(self.name)
