"""Celery tasks. Importing this package registers all of them."""

from nexus.tasks import pool_process as _pool_process  # noqa: F401 - listens to signals
from nexus.tasks.housekeeping import (
    delete_orphaned_files,
    delete_removed_media,
    fail_abandoned_uploads,
    forget_deleted_highlights,
    forget_old_previews,
    purge_expired_sessions,
    tidy_storage,
)
from nexus.tasks.index_backlog import index_backlog
from nexus.tasks.ingest import ingest_media
from nexus.tasks.ingest_web_article import ingest_web_article
from nexus.tasks.measure_images import measure_images
from nexus.tasks.place_highlights import place_highlights
from nexus.tasks.run_import import run_import
from nexus.tasks.sweep import sweep

__all__ = [
    "delete_orphaned_files",
    "delete_removed_media",
    "fail_abandoned_uploads",
    "forget_deleted_highlights",
    "forget_old_previews",
    "index_backlog",
    "ingest_media",
    "ingest_web_article",
    "measure_images",
    "place_highlights",
    "purge_expired_sessions",
    "run_import",
    "sweep",
    "tidy_storage",
]
