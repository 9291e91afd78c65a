"""Two rows that turn out to be the same page or file: the unique index picks the winner, and the
other is merged into it.
"""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import Select, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.models import LibraryMedia, Media, MediaAlias, ShelfItem
from nexus.errors import UnavailableError
from nexus.logging import get_logger
from nexus.services.imports.merged import move_imports
from nexus.services.library_media import ensure_in_default_library
from nexus.services.media_undo import move_removals, was_removed
from nexus.services.saved_addresses import move_addresses
from nexus.services.shelf_rows import lock_whole_shelf, merge_shelves
from nexus.services.unplaced import move_unplaced

logger = get_logger(__name__)


# The other row can vanish while we look at it, if its last reader removes it just then.
_TRIES = 5


def take_identity(
    session: Session,
    media: Media,
    find_other: Callable[[], Media | None],
    **identity: str | UUID | None,
) -> Media | None:
    """Give the row these columns, or return the row that has them already.

    `find_other` looks for that one with `hold`.
    """
    for _ in range(_TRIES):
        if _took_identity(session, media, **identity):
            return None
        other = find_other()
        if other is not None:
            return other
    raise UnavailableError("Somebody else is changing this item right now. Try again in a moment.")


def hold(session: Session, query: Select[Media]) -> Media | None:
    """The row as it is now, locked so that it cannot vanish or change under us."""
    fresh = {"populate_existing": True}
    return session.scalars(query.with_for_update(), execution_options=fresh).one_or_none()


def _took_identity(session: Session, media: Media, **identity: str | UUID | None) -> bool:
    if all(getattr(media, name) == value for name, value in identity.items()):
        return True
    try:
        with session.begin_nested():
            for name, value in identity.items():
                setattr(media, name, value)
            session.flush()
    except IntegrityError:
        session.refresh(media)
        return False
    return True


def merge_media(session: Session, *, loser: Media, winner: Media, reader_id: UUID | None) -> None:
    """Every library that holds the loser gets the winner first; then the loser goes.

    Its id leads to the winner from now on, and so do ids that were merged into it before.
    """
    move_imports(session, loser_id=loser.id, winner_id=winner.id)
    people = select(ShelfItem.user_id).where(ShelfItem.media_id.in_([loser.id, winner.id]))
    lock_whole_shelf(session, user_ids=session.scalars(people.distinct()).all())
    # With its date: for these readers the item is as old as their own save of it.
    held = select(LibraryMedia.library_id, literal(winner.id), LibraryMedia.created_at).where(
        LibraryMedia.media_id == loser.id
    )
    columns = ["library_id", "media_id", "created_at"]
    session.execute(insert(LibraryMedia).from_select(columns, held).on_conflict_do_nothing())
    if reader_id is not None and not was_removed(session, user_id=reader_id, media_id=loser.id):
        ensure_in_default_library(session, user_id=reader_id, media_id=winner.id)
    move_addresses(session, loser_id=loser.id, winner_id=winner.id)
    move_removals(session, loser_id=loser.id, winner_id=winner.id)
    merge_shelves(session, loser_id=loser.id, winner_id=winner.id)
    move_unplaced(session, loser_id=loser.id, winner_id=winner.id)
    session.execute(
        update(MediaAlias).where(MediaAlias.media_id == loser.id).values(media_id=winner.id)
    )
    session.add(MediaAlias(alias_id=loser.id, media_id=winner.id))
    session.delete(loser)
    session.flush()
    logger.info("media_merged", loser=str(loser.id), winner=str(winner.id))
