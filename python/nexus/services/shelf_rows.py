"""Rows of shelves: locked before whatever else of the person's depends on them, and merged.

An item's own row is locked before the shelf as a whole, and that before its rows.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import case, false, func, literal, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import ReadingState
from nexus.db.models import ItemTag, ShelfItem
from nexus.errors import MediaNotFoundError

# Any number that no other lock with two keys has.
_SHELF_LOCK = 8_420
_KEPT = (
    *("saved_at", "archived", "favourite", "state", "progress", "opened_at"),
    *("given_title", "given_excerpt"),
)
_COPIED = ("kind", "title_key", "length")


def lock_whole_shelf(session: Session, *, user_ids: Sequence[UUID]) -> None:
    """Let nobody else bring items to these people's shelves, take them away or change tags.

    Tags refer to rows of the shelf and the words of these rows to tags, so no order of locking
    single rows suits both.
    """
    for user_id in sorted(user_ids):
        key = func.hashtext(str(user_id))
        session.execute(select(func.pg_advisory_xact_lock(_SHELF_LOCK, key)))


def lock_shelf(session: Session, *, user_id: UUID, media_ids: Sequence[UUID]) -> None:
    """Lock the person's rows of these items; an error unless all of them are theirs to see."""
    locked = session.scalars(
        select(ShelfItem.media_id)
        .where(ShelfItem.user_id == user_id, ShelfItem.media_id.in_(media_ids), ShelfItem.visible)
        .order_by(ShelfItem.media_id)
        .with_for_update()
    ).all()
    if len(locked) != len(media_ids):
        raise MediaNotFoundError


def merge_shelves(session: Session, *, loser_id: UUID, winner_id: UUID) -> None:
    """What each person made of an item goes over to the one it becomes; the further one counts.

    The winner is already in their libraries. A row that is new here belongs to somebody who has
    lost the item, and comes to light again if they regain it.
    """
    names = (*_KEPT, *_COPIED)
    rows = (
        select(
            ShelfItem.user_id,
            literal(winner_id),
            false(),
            *(getattr(ShelfItem, name) for name in names),
        )
        .where(ShelfItem.media_id == loser_id)
        .order_by(ShelfItem.user_id)
    )
    statement = insert(ShelfItem).from_select(["user_id", "media_id", "visible", *names], rows)
    new = statement.excluded
    states = [
        (or_(ShelfItem.state == state, new.state == state), literal(state, ShelfItem.state.type))
        for state in (ReadingState.FINISHED, ReadingState.READING)
    ]
    session.execute(
        statement.on_conflict_do_update(
            index_elements=["user_id", "media_id"],
            set_={
                "archived": ShelfItem.archived | new.archived,
                "favourite": ShelfItem.favourite | new.favourite,
                "state": case(*states, else_=ShelfItem.state),
                "progress": func.greatest(ShelfItem.progress, new.progress),
                "opened_at": func.greatest(ShelfItem.opened_at, new.opened_at),
                "given_title": func.coalesce(ShelfItem.given_title, new.given_title),
                "given_excerpt": func.coalesce(ShelfItem.given_excerpt, new.given_excerpt),
            },
        )
    )
    tags = select(ItemTag.user_id, literal(winner_id), ItemTag.tag_id).where(
        ItemTag.media_id == loser_id
    )
    columns = ["user_id", "media_id", "tag_id"]
    session.execute(insert(ItemTag).from_select(columns, tags).on_conflict_do_nothing())
