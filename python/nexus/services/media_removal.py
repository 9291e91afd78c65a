"""A media row lives as long as some library holds it."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from nexus.db.models import Library, LibraryMedia, Media, MediaFile, PendingUpload
from nexus.errors import ForbiddenError
from nexus.services.media_access import find_readable
from nexus.services.stored_files import delete_stored_file
from nexus.services.viewer import Viewer


def remove_media(session: Session, viewer: Viewer, *, media_id: UUID) -> None:
    """Take an item out of the viewer's own libraries; it goes when nobody else holds it."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    lock_media(session, media_ids=[media.id])
    own = select(Library.id).where(Library.owner_user_id == viewer.user_id)
    removed = session.scalars(
        delete(LibraryMedia)
        .where(LibraryMedia.media_id == media.id, LibraryMedia.library_id.in_(own))
        .returning(LibraryMedia.library_id)
    ).all()
    if not removed:
        # Gone since it was looked up, or never the viewer's to remove.
        find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
        raise ForbiddenError("This item is in somebody else's library; only they can remove it.")
    remove_unheld_media(session, media_ids=[media.id])


def lock_media(session: Session, *, media_ids: Sequence[UUID]) -> Sequence[UUID]:
    """Lock the rows that exist. Whoever saves an item locks it before the library entry, so
    whoever takes an entry away must do the same, or the two would wait for each other."""
    return session.scalars(
        select(Media.id).where(Media.id.in_(media_ids)).order_by(Media.id).with_for_update()
    ).all()


def remove_unheld_media(session: Session, *, media_ids: Sequence[UUID]) -> list[UUID]:
    """Delete those of the given items that no library holds any more; answer their ids.

    The rows are locked first and looked at again under the lock: an item that somebody is just
    putting into a library holds that lock, so it is either seen as held or not yet attached.
    """
    locked = lock_media(session, media_ids=media_ids)
    held = session.scalars(
        select(LibraryMedia.media_id).where(LibraryMedia.media_id.in_(locked)).distinct()
    ).all()
    unheld = sorted(set(locked) - set(held))
    for table in (MediaFile, PendingUpload):
        for path in session.scalars(select(table.storage_path).where(table.media_id.in_(unheld))):
            delete_stored_file(session, path)
    session.execute(delete(Media).where(Media.id.in_(unheld)))
    return unheld
