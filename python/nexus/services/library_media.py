"""What libraries hold: adding, removing, and the default library's closure."""

from collections.abc import Sequence
from functools import cache
from uuid import UUID

from sqlalchemy import Uuid, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

from nexus.db.models import Library, LibraryMedia, Media, Membership
from nexus.errors import MediaNotFoundError
from nexus.schemas.libraries import LibraryMediaOut
from nexus.services.libraries import require_admin
from nexus.services.media_access import current_ids, follow_alias
from nexus.services.media_removal import lock_media
from nexus.services.media_undo import keep_removal
from nexus.services.viewer import Viewer
from nexus.services.visibility import can_read_media, media_visible_to


def add_media_to_library(
    session: Session, viewer: Viewer, *, library_id: UUID, media_id: UUID
) -> tuple[LibraryMediaOut, bool]:
    """Put an item the viewer can read into a library they administer; True if it is new there."""
    library = require_admin(session, viewer, library_id=library_id)
    media_id = follow_alias(session, media_id=media_id)
    # Always library, default library, item: a request that takes the item out of the default
    # library at the same moment comes wholly before or wholly after.
    _lock_default_library(session, user_id=library.owner_user_id)
    _lock_media(session, media_ids=[media_id])
    if not can_read_media(session, viewer_id=viewer.user_id, media_id=media_id):
        raise MediaNotFoundError
    added = attach_media(session, library_id=library_id, media_id=media_id)
    if not library.is_default:
        ensure_in_default_library(session, user_id=library.owner_user_id, media_id=media_id)
    return LibraryMediaOut(library_id=library_id, media_id=media_id), added


def add_many_to_library(
    session: Session, viewer: Viewer, *, library_id: UUID, media_ids: Sequence[UUID]
) -> int:
    """Put items into a library, all or none; returns how many are new there."""
    library = require_admin(session, viewer, library_id=library_id)
    media_ids = current_ids(session, media_ids)
    _lock_default_library(session, user_id=library.owner_user_id)
    _lock_media(session, media_ids=media_ids)
    readable = select(Media.id).where(
        Media.id.in_(media_ids), media_visible_to(Media.id, viewer.user_id)
    )
    if len(session.scalars(readable).all()) != len(media_ids):
        raise MediaNotFoundError
    added = sum(
        attach_media(session, library_id=library_id, media_id=media_id)
        for media_id in sorted(media_ids)
    )
    if not library.is_default:
        for media_id in sorted(media_ids):
            ensure_in_default_library(session, user_id=library.owner_user_id, media_id=media_id)
    return added


def remove_media_from_library(
    session: Session, viewer: Viewer, *, library_id: UUID, media_id: UUID
) -> None:
    """Take an item out. Out of the default library means out of the owner's private ones too."""
    library = require_admin(session, viewer, library_id=library_id)
    media_id = follow_alias(session, media_id=media_id)
    libraries = [library_id]
    if library.is_default:
        libraries += _private_library_ids(session, owner_user_id=library.owner_user_id)
    lock_media(session, media_ids=[media_id])
    removed = session.execute(
        delete(LibraryMedia)
        .where(LibraryMedia.library_id.in_(libraries), LibraryMedia.media_id == media_id)
        .returning(LibraryMedia.library_id, LibraryMedia.created_at)
    ).all()
    if library_id not in {entry.library_id for entry in removed}:
        raise MediaNotFoundError
    keep_removal(session, user_id=viewer.user_id, media_id=media_id, entries=removed)


def attach_media(session: Session, *, library_id: UUID, media_id: UUID) -> bool:
    """Idempotent; True if the item was not in the library before."""
    statement = (
        insert(LibraryMedia)
        .values(library_id=library_id, media_id=media_id)
        .on_conflict_do_nothing()
        .returning(LibraryMedia.media_id)
    )
    return session.scalar(statement) is not None


def ensure_in_default_library(session: Session, *, user_id: UUID, media_id: UUID) -> bool:
    """Keep the closure: whatever is in a person's libraries is in their default one too.

    True if it was not there before.
    """
    values = {"owner_id": user_id, "item_id": media_id}
    return session.connection().scalar(_into_default_library(), values) is not None


@cache
def _into_default_library() -> ReturningInsert[tuple[UUID]]:
    """Built once: every save needs it."""
    default = select(Library.id, bindparam("item_id", type_=Uuid())).where(
        Library.owner_user_id == bindparam("owner_id", type_=Uuid()), Library.is_default
    )
    return (
        insert(LibraryMedia)
        .from_select(["library_id", "media_id"], default)
        .on_conflict_do_nothing()
        .returning(LibraryMedia.media_id)
    )


def _lock_default_library(session: Session, *, user_id: UUID) -> None:
    session.execute(
        select(Library.id)
        .where(Library.owner_user_id == user_id, Library.is_default)
        .with_for_update(key_share=True)
    )


def _lock_media(session: Session, *, media_ids: Sequence[UUID]) -> None:
    """Keep the rows that exist from being deleted until this transaction ends."""
    session.execute(
        select(Media.id)
        .where(Media.id.in_(media_ids))
        .order_by(Media.id)
        .with_for_update(read=True, key_share=True)
    )


def _private_library_ids(session: Session, *, owner_user_id: UUID) -> list[UUID]:
    """Libraries of this owner that nobody else is a member of."""
    query = (
        select(Library.id)
        .join(Membership, Membership.library_id == Library.id)
        .where(Library.owner_user_id == owner_user_id, ~Library.is_default)
        .group_by(Library.id)
        .having(func.count() == 1)
    )
    return list(session.scalars(query))
