"""Deleting stored files: after the row that named them is gone, and those that have no row."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.after_commit import after_commit
from nexus.db.models import Media
from nexus.logging import get_logger
from nexus.storage import StorageClient, get_storage_client
from nexus.storage.paths import media_folder

logger = get_logger(__name__)

# Older than any upload that can still be in progress.
ORPHANED_AFTER = timedelta(hours=24)
_BATCH = 500
# Bounds one pass over a storage that only lists folder by folder.
_LOOK_AT_MOST = 100_000
_MEDIA_ID = re.compile(r"(?:^|/)media/(?P<id>[0-9a-f-]{36})/original\.[a-z0-9]+$")


def delete_stored_file(session: Session, storage_path: str) -> None:
    """Delete an object after the commit; a rollback keeps it."""
    after_commit(session, lambda: get_storage_client(get_settings()).delete(storage_path))


def delete_orphaned_files(session: Session, storage: StorageClient) -> int:
    """Delete objects whose item is gone. Returns how many there were.

    An upload URL outlives its item: bytes sent after a merge or a removal belong to nobody. Ids
    are never reused, so what has no item now will never have one.
    """
    old = _old_objects(storage, written_before=datetime.now(UTC) - ORPHANED_AFTER)
    deleted = 0
    while batch := dict(islice(old, _BATCH)):
        known = session.scalars(select(Media.id).where(Media.id.in_(batch))).all()
        for media_id in batch.keys() - set(known):
            delete_stored_file(session, batch[media_id])
            logger.info("orphaned_file_deleted", media_id=str(media_id))
            deleted += 1
    return deleted


def _old_objects(storage: StorageClient, *, written_before: datetime) -> Iterator[tuple[UUID, str]]:
    listed = storage.list_prefix(media_folder(prefix=get_settings().storage_prefix))
    for found in islice(listed, _LOOK_AT_MOST):
        match = _MEDIA_ID.search(found.path)
        if match is not None and found.updated_at < written_before:
            yield UUID(match["id"]), found.path
