"""Two rows that turn out to be the same page or file: the unique index picks the winner, and the
other is merged into it.
"""

from uuid import UUID

from sqlalchemy import literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.models import LibraryMedia, Media, MediaAlias
from nexus.logging import get_logger
from nexus.services.library_media import ensure_in_default_library
from nexus.services.media_undo import move_removals, was_removed
from nexus.services.saved_addresses import move_addresses

logger = get_logger(__name__)


def take_identity(session: Session, media: Media, **identity: str | UUID | None) -> bool:
    """Whether the row now has these columns; False if another row has them already."""
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
    session.execute(
        update(MediaAlias).where(MediaAlias.media_id == loser.id).values(media_id=winner.id)
    )
    session.add(MediaAlias(alias_id=loser.id, media_id=winner.id))
    session.delete(loser)
    session.flush()
    logger.info("media_merged", loser=str(loser.id), winner=str(winner.id))
