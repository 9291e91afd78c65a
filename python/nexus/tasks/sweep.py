"""The sweeper, run every few seconds."""

from nexus.celery import celery_app
from nexus.db.task_session import task_session
from nexus.services.sweeper import sweep_unfinished


@celery_app.task(name="nexus.sweep")  # type: ignore[untyped-decorator]
def sweep() -> int:
    """Enqueue unfinished items again that nobody is working on."""
    with task_session() as session:
        return sweep_unfinished(session)
