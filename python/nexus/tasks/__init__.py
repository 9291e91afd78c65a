"""Celery tasks. Importing this package registers all of them."""

from nexus.tasks.housekeeping import purge_expired_sessions

__all__ = ["purge_expired_sessions"]
