"""Deleting stored bytes, only once the row that named them is really gone."""

from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.after_commit import after_commit
from nexus.storage import get_storage_client


def delete_stored_file(session: Session, storage_path: str) -> None:
    """Delete an object after the commit; a rollback keeps it."""
    after_commit(session, lambda: get_storage_client(get_settings()).delete(storage_path))
