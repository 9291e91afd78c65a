"""Small regular chores."""

from nexus.bff.sessions import delete_expired_sessions
from nexus.celery import celery_app
from nexus.tasks.session import task_session


@celery_app.task(name="nexus.purge_expired_sessions")  # type: ignore[untyped-decorator]
def purge_expired_sessions() -> int:
    """Forget browser sessions that ended; they are refused already, this only frees the rows."""
    with task_session() as session:
        return delete_expired_sessions(session)
