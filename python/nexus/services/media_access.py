"""Who may do what to an item."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole
from nexus.db.models import LibraryMedia, Media, MediaAlias, Membership
from nexus.errors import ForbiddenError, MediaNotFoundError
from nexus.services.visibility import can_read_media, media_visible_to


def find_readable(session: Session, *, viewer_id: UUID, media_id: UUID) -> tuple[Media, bool]:
    """The item, and whether the id given was that of one merged into it."""
    media = _readable(session, viewer_id=viewer_id, media_id=media_id)
    if media is not None:
        return media, False
    merged_into = session.scalar(select(MediaAlias.media_id).where(MediaAlias.alias_id == media_id))
    if merged_into is not None:
        media = _readable(session, viewer_id=viewer_id, media_id=merged_into)
        if media is not None:
            return media, True
    raise MediaNotFoundError


def require_may_retry(session: Session, *, media_id: UUID, actor_user_id: UUID) -> None:
    """Readers may retry what they saved, or what lies in a library they administer."""
    if not can_read_media(session, viewer_id=actor_user_id, media_id=media_id):
        raise MediaNotFoundError
    administers = session.scalar(
        select(1)
        .select_from(LibraryMedia)
        .join(Membership, Membership.library_id == LibraryMedia.library_id)
        .where(
            LibraryMedia.media_id == media_id,
            Membership.user_id == actor_user_id,
            Membership.role == MembershipRole.ADMIN,
        )
        .limit(1)
    )
    if not administers and not _is_creator(session, media_id=media_id, user_id=actor_user_id):
        raise ForbiddenError("Only the person who saved this item, or an admin, can retry it.")


def require_creator(media: Media, *, user_id: UUID) -> None:
    """Only the person who started an upload may finish it."""
    if media.created_by_user_id != user_id:
        raise ForbiddenError("Only the person who started this upload can do that.")


def _is_creator(session: Session, *, media_id: UUID, user_id: UUID) -> bool:
    creator = session.scalar(select(Media.created_by_user_id).where(Media.id == media_id))
    return creator == user_id


def _readable(session: Session, *, viewer_id: UUID, media_id: UUID) -> Media | None:
    query = select(Media).where(Media.id == media_id, media_visible_to(Media.id, viewer_id))
    return session.scalars(query).one_or_none()
