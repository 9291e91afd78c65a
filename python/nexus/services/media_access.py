"""Who may do what to an item."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import BindParameter, ColumnElement, exists, false, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from nexus.db.enums import MembershipRole
from nexus.db.models import LibraryMedia, Media, MediaAlias, Membership
from nexus.errors import ForbiddenError, MediaNotFoundError
from nexus.services.visibility import media_visible_to


def find_readable(session: Session, *, viewer_id: UUID, media_id: UUID) -> tuple[Media, bool]:
    """The item, and whether the given id is of one that was merged into it."""
    media = _readable(session, viewer_id=viewer_id, media_id=media_id)
    if media is not None:
        return media, False
    merged_into = follow_alias(session, media_id=media_id)
    if merged_into != media_id:
        media = _readable(session, viewer_id=viewer_id, media_id=merged_into)
        if media is not None:
            return media, True
    raise MediaNotFoundError


def follow_alias(session: Session, *, media_id: UUID) -> UUID:
    """The id itself, or that of the item it was merged into."""
    merged_into = session.scalar(select(MediaAlias.media_id).where(MediaAlias.alias_id == media_id))
    return merged_into or media_id


def current_ids(session: Session, media_ids: Sequence[UUID]) -> list[UUID]:
    """The ids of items, each once; for one that was merged into another, the other's."""
    query = select(MediaAlias.alias_id, MediaAlias.media_id).where(
        MediaAlias.alias_id.in_(media_ids)
    )
    merged = {row[0]: row[1] for row in session.execute(query)}
    return list(dict.fromkeys(merged.get(media_id, media_id) for media_id in media_ids))


def require_may_retry(session: Session, *, media_id: UUID, actor_user_id: UUID) -> UUID:
    """Readers may retry what they saved, or what is in a library they administer.

    Returns the id of the item, which differs from the given one if that was merged.
    """
    media, _ = find_readable(session, viewer_id=actor_user_id, media_id=media_id)
    allowed = may_retry(Media.id, actor_user_id)
    if not session.scalar(select(allowed).where(Media.id == media.id)):
        raise ForbiddenError(
            "Only the person who saved this item, or an admin of its library, can retry it."
        )
    return media.id


def may_retry(
    media_id: InstrumentedAttribute[UUID], viewer_id: UUID | BindParameter[UUID]
) -> ColumnElement[bool]:
    """SQL condition on `media`: the viewer saved the item, or administers a library with it."""
    administers = exists(
        select(1)
        .select_from(LibraryMedia)
        .join(Membership, Membership.library_id == LibraryMedia.library_id)
        .where(
            LibraryMedia.media_id == media_id,
            Membership.user_id == viewer_id,
            Membership.role == MembershipRole.ADMIN,
        )
    )
    return or_(administers, func.coalesce(Media.created_by_user_id == viewer_id, false()))


def require_creator(media: Media, *, user_id: UUID) -> None:
    """Only the person who started an upload may finish it."""
    if media.created_by_user_id != user_id:
        raise ForbiddenError("Only the person who started this upload can do that.")


def _readable(session: Session, *, viewer_id: UUID, media_id: UUID) -> Media | None:
    query = select(Media).where(Media.id == media_id, media_visible_to(Media.id, viewer_id))
    return session.scalars(query).one_or_none()
