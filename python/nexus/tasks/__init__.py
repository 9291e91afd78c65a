"""Celery tasks. Importing this package registers all of them."""

from nexus.tasks.housekeeping import (
    fail_abandoned_uploads,
    forget_deleted_highlights,
    purge_expired_sessions,
)
from nexus.tasks.ingest import ingest_media

__all__ = [
    "fail_abandoned_uploads",
    "forget_deleted_highlights",
    "ingest_media",
    "purge_expired_sessions",
]
