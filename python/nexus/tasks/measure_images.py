"""Measuring images ahead of the reader, in a queue that is served after all others."""

from celery import Task

from nexus.celery import celery_app
from nexus.config import get_settings
from nexus.db.task_session import task_session
from nexus.services.images.measure import measure_images as measure
from nexus.services.images.proxy import create_image_cache
from nexus.services.send_task import try_to_send


@celery_app.task(bind=True, name="nexus.measure_images", time_limit=60)  # type: ignore[untyped-decorator]
def measure_images(self: Task) -> None:
    """Measure a few images, and queue up again behind whatever came in meanwhile."""
    settings = get_settings()
    if measure(task_session, settings, create_image_cache(settings)):
        try_to_send(self.name)
