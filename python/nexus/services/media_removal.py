"""A media row lives as long as some library holds it."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from nexus.db.models import LibraryMedia, Media


def remove_unheld_media(session: Session, *, media_ids: Sequence[UUID]) -> list[UUID]:
    """Delete those of the given items that no library holds any more; answer their ids.

    The rows are locked first and looked at again under the lock: an item that somebody is just
    putting into a library holds that lock, so it is either seen as held or not yet attached.
    """
    locked = session.scalars(
        select(Media.id).where(Media.id.in_(media_ids)).order_by(Media.id).with_for_update()
    ).all()
    held = session.scalars(
        select(LibraryMedia.media_id).where(LibraryMedia.media_id.in_(locked)).distinct()
    ).all()
    unheld = sorted(set(locked) - set(held))
    session.execute(delete(Media).where(Media.id.in_(unheld)))
    return unheld
