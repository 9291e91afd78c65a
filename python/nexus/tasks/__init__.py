"""Celery tasks. Importing this package registers all of them."""

from nexus.tasks.housekeeping import (
    delete_orphaned_files,
    delete_removed_media,
    fail_abandoned_uploads,
    forget_deleted_highlights,
    purge_expired_sessions,
    tidy_storage,
)
from nexus.tasks.ingest import ingest_media
from nexus.tasks.ingest_web_article import ingest_web_article
from nexus.tasks.measure_images import measure_images
from nexus.tasks.sweep import sweep

__all__ = [
    "delete_orphaned_files",
    "delete_removed_media",
    "fail_abandoned_uploads",
    "forget_deleted_highlights",
    "ingest_media",
    "ingest_web_article",
    "measure_images",
    "purge_expired_sessions",
    "sweep",
    "tidy_storage",
]
