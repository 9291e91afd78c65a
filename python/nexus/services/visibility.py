"""The one visibility predicate: you see what is in a library you are a member of."""

from uuid import UUID

from sqlalchemy import BindParameter, ColumnElement, Select, exists, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from nexus.db.models import LibraryMedia, Membership


def media_visible_to(
    media_id: InstrumentedAttribute[UUID] | ColumnElement[UUID],
    viewer_id: UUID | BindParameter[UUID],
) -> ColumnElement[bool]:
    """SQL condition: the media of `media_id` is readable by the viewer."""
    return exists(_entries(media_id, viewer_id))


def row_visible_to(
    media_id: InstrumentedAttribute[UUID], viewer_id: UUID | BindParameter[UUID]
) -> ColumnElement[bool]:
    """The same, asked for one row after the other.

    To answer it for a page of rows the planner may first collect all that the viewer can read.
    """
    return _entries(media_id, viewer_id).limit(1).scalar_subquery().is_not(None)


def _entries(
    media_id: InstrumentedAttribute[UUID] | ColumnElement[UUID],
    viewer_id: UUID | BindParameter[UUID],
) -> Select[int]:
    return (
        select(1)
        .select_from(LibraryMedia)
        .join(Membership, Membership.library_id == LibraryMedia.library_id)
        .where(LibraryMedia.media_id == media_id, Membership.user_id == viewer_id)
    )


def can_read_media(session: Session, *, viewer_id: UUID, media_id: UUID) -> bool:
    query = select(1).where(
        LibraryMedia.media_id == media_id,
        LibraryMedia.library_id == Membership.library_id,
        Membership.user_id == viewer_id,
    )
    return session.scalar(query.limit(1)) is not None
