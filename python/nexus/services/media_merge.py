"""Two rows that turn out to be one thing: the unique index picks, the other is merged into it."""

from uuid import UUID

from sqlalchemy import literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.models import LibraryMedia, Media, MediaAlias
from nexus.logging import get_logger
from nexus.services.library_media import ensure_in_default_library

logger = get_logger(__name__)


def take_identity(session: Session, media: Media, **identity: str) -> bool:
    """Whether the row now has these columns; False when another row has them already."""
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
    held = select(LibraryMedia.library_id, literal(winner.id)).where(
        LibraryMedia.media_id == loser.id
    )
    session.execute(
        insert(LibraryMedia).from_select(["library_id", "media_id"], held).on_conflict_do_nothing()
    )
    if reader_id is not None:
        ensure_in_default_library(session, user_id=reader_id, media_id=winner.id)
    session.execute(
        update(MediaAlias).where(MediaAlias.media_id == loser.id).values(media_id=winner.id)
    )
    session.add(MediaAlias(alias_id=loser.id, media_id=winner.id))
    session.delete(loser)
    session.flush()
    logger.info("media_merged", loser=str(loser.id), winner=str(winner.id))
