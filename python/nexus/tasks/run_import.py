"""Taking in the lines of an import, behind everything that somebody waits for."""

from uuid import UUID

from celery import Task

from nexus.celery import celery_app
from nexus.db.task_session import task_session
from nexus.services.imports.run import run_slice
from nexus.services.send_task import try_to_send


# A slice takes a second at most; this only catches a bug.
@celery_app.task(bind=True, name="nexus.run_import", time_limit=120)  # type: ignore[untyped-decorator]
def run_import(self: Task, import_id: str) -> None:
    """Work on an import for a moment, and queue up again behind whatever came in meanwhile."""
    while run_slice(task_session, UUID(str(import_id))):
        inline = self.request.called_directly or self.request.is_eager
        if not inline:
            try_to_send(self.name, import_id)
            return
