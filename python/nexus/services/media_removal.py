"""A media row lives as long as some library holds it, or a removal can still be undone."""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from sqlalchemy import CursorResult, delete, func, select, union
from sqlalchemy.orm import Session

from nexus.db.models import (
    Library,
    LibraryMedia,
    Media,
    MediaFile,
    MediaPicture,
    PendingUpload,
    RemovedMedia,
)
from nexus.errors import ForbiddenError
from nexus.schemas.media import MediaOut
from nexus.schemas.shelf import MediaItems
from nexus.services.media_access import current_ids, find_readable, follow_alias
from nexus.services.media_read import get_media, items_out
from nexus.services.media_undo import UNDO_WINDOW, bring_back, keep_removal
from nexus.services.shelf_rows import lock_whole_shelf
from nexus.services.stored_files import delete_stored_file, delete_stored_item
from nexus.services.viewer import Viewer


def remove_media(session: Session, viewer: Viewer, *, media_id: UUID) -> None:
    """Take an item out of the viewer's own libraries; for a moment that can be undone."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    lock_media(session, media_ids=[media.id])
    lock_whole_shelf(session, user_ids=[viewer.user_id])
    own = select(Library.id).where(Library.owner_user_id == viewer.user_id)
    removed = session.execute(
        delete(LibraryMedia)
        .where(LibraryMedia.media_id == media.id, LibraryMedia.library_id.in_(own))
        .returning(LibraryMedia.library_id, LibraryMedia.created_at)
    ).all()
    if not removed:
        # Gone since it was looked up, or never the viewer's to remove.
        find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
        raise ForbiddenError(
            "This item is in a library that belongs to somebody else; only they can remove it."
        )
    keep_removal(session, user_id=viewer.user_id, media_id=media.id, entries=removed)


def remove_many(session: Session, viewer: Viewer, *, media_ids: Sequence[UUID]) -> None:
    """Take items out of the viewer's own libraries, all or none."""
    media_ids = sorted(current_ids(session, media_ids))
    lock_media(session, media_ids=media_ids)
    for media_id in media_ids:
        remove_media(session, viewer, media_id=media_id)


def restore_many(session: Session, viewer: Viewer, *, media_ids: Sequence[UUID]) -> MediaItems:
    """Undo the viewer's last removals of these items, all or none."""
    media_ids = current_ids(session, media_ids)
    lock_media(session, media_ids=media_ids)
    lock_whole_shelf(session, user_ids=[viewer.user_id])
    for media_id in sorted(media_ids):
        bring_back(session, user_id=viewer.user_id, media_id=media_id)
    return MediaItems(media=items_out(session, viewer_id=viewer.user_id, media_ids=media_ids))


def restore_media(session: Session, viewer: Viewer, *, media_id: UUID) -> MediaOut:
    """Undo the viewer's last removal of an item: libraries, highlights, notes and position."""
    media_id = follow_alias(session, media_id=media_id)
    lock_media(session, media_ids=[media_id])
    lock_whole_shelf(session, user_ids=[viewer.user_id])
    bring_back(session, user_id=viewer.user_id, media_id=media_id)
    return get_media(session, viewer, media_id=media_id)


def delete_removed_media(session: Session) -> int:
    """Delete what can no longer be restored. Returns how many removals there were."""
    expired = RemovedMedia.removed_at < func.now() - UNDO_WINDOW
    media_ids = session.scalars(select(RemovedMedia.media_id).where(expired).distinct()).all()
    # Items before removals, as everywhere.
    lock_media(session, media_ids=media_ids)
    done = session.execute(
        delete(RemovedMedia).where(expired, RemovedMedia.media_id.in_(media_ids))
    )
    remove_unheld_media(session, media_ids=media_ids)
    return cast(CursorResult[Any], done).rowcount


def lock_media(session: Session, *, media_ids: Sequence[UUID]) -> Sequence[UUID]:
    """Lock the rows that exist. Saving an item locks it before the library entry, so
    taking an entry away must do the same, or the two would wait for each other."""
    return session.scalars(
        select(Media.id).where(Media.id.in_(media_ids)).order_by(Media.id).with_for_update()
    ).all()


def remove_unheld_media(session: Session, *, media_ids: Sequence[UUID]) -> list[UUID]:
    """Delete those of the given items that nothing holds any more; returns their ids.

    The rows are locked first and checked again under the lock: a request that is adding an item to
    a library holds that lock, so it is either seen as held or not yet attached.
    """
    locked = lock_media(session, media_ids=media_ids)
    held = session.scalars(
        union(
            select(LibraryMedia.media_id).where(LibraryMedia.media_id.in_(locked)),
            select(RemovedMedia.media_id).where(RemovedMedia.media_id.in_(locked)),
        )
    ).all()
    unheld = sorted(set(locked) - set(held))
    for table in (MediaFile, PendingUpload):
        for path in session.scalars(select(table.storage_path).where(table.media_id.in_(unheld))):
            delete_stored_file(session, path)
    pictured = select(MediaPicture.media_id).where(MediaPicture.media_id.in_(unheld))
    for media_id in session.scalars(pictured.distinct()):
        delete_stored_item(session, media_id)
    session.execute(delete(Media).where(Media.id.in_(unheld)))
    return unheld
