"""What a person makes of their items: reading state, archive, favourites, tags.

Nobody else sees it.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, update
from sqlalchemy.orm import Session

from nexus.db.models import ShelfItem
from nexus.schemas.media import MediaOut
from nexus.schemas.shelf import BulkMineRequest, MediaItems, MineRequest
from nexus.services.media_access import current_ids, find_readable
from nexus.services.media_events import announce_mine
from nexus.services.media_read import items_out, media_out
from nexus.services.shelf_rows import lock_shelf
from nexus.services.tags import find_tags, make_tags, tag_items, untag_items
from nexus.services.viewer import Viewer

_OWN = ("state", "archived", "favourite")


def change_mine(
    session: Session, viewer: Viewer, *, media_id: UUID, request: MineRequest
) -> MediaOut:
    """Change what is the viewer's own about an item."""
    media, duplicate = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    tag_ids = make_tags(session, user_id=viewer.user_id, names=request.tags or [])
    lock_shelf(session, user_id=viewer.user_id, media_ids=[media.id])
    _set_own(session, viewer, [media.id], request)
    if request.tags is not None:
        untag_items(session, user_id=viewer.user_id, media_ids=[media.id], but=tag_ids)
        tag_items(session, user_id=viewer.user_id, media_ids=[media.id], tag_ids=tag_ids)
    announce_mine(session, user_id=viewer.user_id, media_ids=[media.id])
    return media_out(session, viewer_id=viewer.user_id, media_id=media.id, duplicate=duplicate)


def change_many(session: Session, viewer: Viewer, *, request: BulkMineRequest) -> MediaItems:
    """Change what is the viewer's own about several items, or nothing if one cannot be read."""
    media_ids = current_ids(session, request.media_ids)
    tag_ids = make_tags(session, user_id=viewer.user_id, names=request.add_tags or [])
    gone = find_tags(session, user_id=viewer.user_id, names=request.remove_tags or [])
    lock_shelf(session, user_id=viewer.user_id, media_ids=media_ids)
    _set_own(session, viewer, media_ids, request)
    untag_items(session, user_id=viewer.user_id, media_ids=media_ids, only=list(gone.values()))
    tag_items(session, user_id=viewer.user_id, media_ids=media_ids, tag_ids=tag_ids)
    announce_mine(session, user_id=viewer.user_id, media_ids=media_ids)
    return MediaItems(media=items_out(session, viewer_id=viewer.user_id, media_ids=media_ids))


def mark_opened(session: Session, viewer: Viewer, *, media_id: UUID) -> None:
    """The viewer opened the item just now."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    session.execute(
        update(ShelfItem)
        .where(ShelfItem.user_id == viewer.user_id, ShelfItem.media_id == media.id)
        .values(opened_at=func.now())
    )


def _set_own(
    session: Session,
    viewer: Viewer,
    media_ids: Sequence[UUID],
    request: MineRequest | BulkMineRequest,
) -> None:
    values = {name: getattr(request, name) for name in _OWN if getattr(request, name) is not None}
    if values:
        session.execute(
            update(ShelfItem)
            .where(ShelfItem.user_id == viewer.user_id, ShelfItem.media_id.in_(media_ids))
            .values(**values)
            .execution_options(synchronize_session=False)
        )
