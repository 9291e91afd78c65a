"""Placing highlights from elsewhere, once there is a text to place them in."""

from uuid import UUID

from celery import Task

from nexus.celery import celery_app
from nexus.db.task_session import task_session
from nexus.logging import task_log_context
from nexus.services.send_task import try_to_send
from nexus.services.unplaced_place import forgotten_items, place_waiting

# Between two batches of one item others get their turn.
_PAUSE_SECONDS = 2.0


# A batch ends by itself; this only catches a bug.
@celery_app.task(bind=True, name="nexus.place_highlights", time_limit=240)  # type: ignore[untyped-decorator]
def place_highlights(self: Task, media_id: str | None = None) -> None:
    """Place what waits on an item; without one, look for items that were forgotten."""
    if media_id is None:
        with task_session() as session:
            forgotten = forgotten_items(session)
        for item in forgotten:
            try_to_send(self.name, str(item))
        return
    with task_log_context(None, media_id=UUID(media_id)):
        if place_waiting(task_session, media_id=UUID(media_id)):
            try_to_send(self.name, media_id, countdown=_PAUSE_SECONDS)
