"""Entry point: `celery -A apps.worker.main:celery_app worker -Q ingest,default,later,pictures`."""

import nexus.tasks  # noqa: F401 - importing registers the tasks
from nexus.celery import celery_app

__all__ = ["celery_app"]
