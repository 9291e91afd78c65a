"""Deleting stored files: after the row that named them is gone, and those that have no row."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.after_commit import after_commit
from nexus.db.models import Import, Media, MediaPicture
from nexus.logging import get_logger
from nexus.storage import StorageClient, get_storage_client
from nexus.storage.paths import imports_folder, item_folder, media_folder

logger = get_logger(__name__)

# Older than any upload that can still be in progress.
ORPHANED_AFTER = timedelta(hours=24)
_BATCH = 500
# Bounds one pass over a storage that only lists folder by folder.
_LOOK_AT_MOST = 500_000
_OBJECT = re.compile(
    r"(?:^|/)media/(?P<id>[0-9a-f-]{36})/(?:original\.[a-z0-9]+|(?P<picture>pictures/[^/]+))$"
)


def delete_stored_file(session: Session, storage_path: str) -> None:
    """Delete an object after the commit; a rollback keeps it."""
    after_commit(session, lambda: get_storage_client(get_settings()).delete(storage_path))


def delete_stored_item(session: Session, media_id: UUID) -> None:
    """Delete everything stored for an item after the commit: its file, and its pictures."""
    folder = item_folder(media_id, prefix=get_settings().storage_prefix)
    after_commit(session, lambda: get_storage_client(get_settings()).delete_prefix(folder))


def delete_orphaned_files(session: Session, storage: StorageClient) -> int:
    """Delete objects whose item is gone, and pictures of a text that was never stored.

    Returns how many there were. An upload URL outlives its item: bytes sent after a merge or a
    removal belong to nobody. Ids are never reused, so what has no item now will never have one.
    """
    old = _old_objects(storage, written_before=datetime.now(UTC) - ORPHANED_AFTER)
    deleted = 0
    while batch := list(islice(old, _BATCH)):
        ids = {found.media_id for found in batch}
        known = set(session.scalars(select(Media.id).where(Media.id.in_(ids))))
        named = _named_pictures(session, [found.path for found in batch if found.is_picture])
        for found in batch:
            if found.media_id not in known or (found.is_picture and found.path not in named):
                delete_stored_file(session, found.path)
                logger.info("orphaned_file_deleted", media_id=str(found.media_id))
                deleted += 1
    return deleted + _delete_orphaned_imports(session, storage)


def _delete_orphaned_imports(session: Session, storage: StorageClient) -> int:
    """Files of imports that were never kept, or are over."""
    folder = imports_folder(prefix=get_settings().storage_prefix)
    before = datetime.now(UTC) - ORPHANED_AFTER
    old = [found.path for found in storage.list_prefix(folder) if found.updated_at < before]
    column = Import.storage_path
    needed = set(session.scalars(select(column).where(column.in_(old)))) if old else set()
    for path in set(old) - needed:
        delete_stored_file(session, path)
    return len(set(old) - needed)


def _named_pictures(session: Session, paths: list[str]) -> set[str]:
    column = MediaPicture.storage_path
    return set(session.scalars(select(column).where(column.in_(paths)))) if paths else set()


@dataclass(frozen=True, slots=True)
class _Object:
    media_id: UUID
    path: str
    is_picture: bool


def _old_objects(storage: StorageClient, *, written_before: datetime) -> Iterator[_Object]:
    listed = storage.list_prefix(media_folder(prefix=get_settings().storage_prefix))
    for found in islice(listed, _LOOK_AT_MOST):
        match = _OBJECT.search(found.path)
        if match is not None and found.updated_at < written_before:
            yield _Object(UUID(match["id"]), found.path, match["picture"] is not None)
