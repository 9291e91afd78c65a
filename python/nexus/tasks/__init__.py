"""Celery tasks. Importing this package registers all of them."""

from nexus.tasks.housekeeping import fail_abandoned_uploads, purge_expired_sessions
from nexus.tasks.ingest import ingest_media

__all__ = ["fail_abandoned_uploads", "ingest_media", "purge_expired_sessions"]
