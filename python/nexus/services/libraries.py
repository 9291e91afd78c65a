"""Libraries: who may do what to them."""

from uuid import UUID

from sqlalchemy import Row, Select, case, func, select, tuple_
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole
from nexus.db.models import Library, LibraryMedia, Membership
from nexus.errors import ForbiddenError, LibraryNotFoundError
from nexus.schemas.libraries import LibraryList, LibraryOut
from nexus.services.media_removal import lock_media, remove_unheld_media
from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.viewer import Viewer

# Default library first, then by name as people sort names.
_SORT_KEY = (case((Library.is_default, "0"), else_="1"), func.lower(Library.name), Library.id)


def list_libraries(
    session: Session, viewer: Viewer, *, cursor: str | None, limit: int
) -> LibraryList:
    query = _visible_libraries(viewer).add_columns(*_SORT_KEY[:2]).order_by(*_SORT_KEY)
    if cursor is not None:
        position = decode_cursor(cursor, (str, str, UUID))
        query = query.where(tuple_(*_SORT_KEY) > tuple_(*position))
    rows = session.execute(query.limit(limit + 1)).all()
    page = rows[:limit]
    more = len(rows) > limit
    return LibraryList(
        libraries=[_library_out(row) for row in page],
        next_cursor=encode_cursor((page[-1][3], page[-1][4], page[-1][0].id)) if more else None,
    )


def get_library(session: Session, viewer: Viewer, *, library_id: UUID) -> LibraryOut:
    row = session.execute(_visible_libraries(viewer).where(Library.id == library_id)).one_or_none()
    if row is None:
        raise LibraryNotFoundError
    return _library_out(row)


def create_library(session: Session, viewer: Viewer, *, name: str) -> LibraryOut:
    library = Library(name=name, owner_user_id=viewer.user_id)
    session.add(library)
    session.flush()
    session.add(
        Membership(library_id=library.id, user_id=viewer.user_id, role=MembershipRole.ADMIN)
    )
    session.flush()
    return get_library(session, viewer, library_id=library.id)


def rename_library(session: Session, viewer: Viewer, *, library_id: UUID, name: str) -> LibraryOut:
    library = require_admin(session, viewer, library_id=library_id)
    if library.is_default:
        raise ForbiddenError("Your default library cannot be renamed.")
    library.name = name
    session.flush()
    return get_library(session, viewer, library_id=library_id)


def delete_library(session: Session, viewer: Viewer, *, library_id: UUID) -> None:
    """Delete a library. Items that no other library holds go with it."""
    library = require_admin(session, viewer, library_id=library_id)
    if library.is_default:
        raise ForbiddenError("Your default library cannot be deleted.")
    held = session.scalars(
        select(LibraryMedia.media_id).where(LibraryMedia.library_id == library_id)
    ).all()
    # Items before entries, as everywhere: the cascade takes the entries away.
    lock_media(session, media_ids=held)
    session.delete(library)
    session.flush()
    remove_unheld_media(session, media_ids=held)


def require_member(session: Session, viewer: Viewer, *, library_id: UUID) -> Membership:
    """The viewer's membership; to everyone else the library does not exist."""
    membership = session.get(Membership, (library_id, viewer.user_id))
    if membership is None:
        raise LibraryNotFoundError
    return membership


def require_admin(session: Session, viewer: Viewer, *, library_id: UUID) -> Library:
    """The library, locked, if the viewer may change it."""
    membership = require_member(session, viewer, library_id=library_id)
    if membership.role is not MembershipRole.ADMIN:
        raise ForbiddenError("Only an admin of this library can change it.")
    library = session.get(Library, library_id, with_for_update=True)
    if library is None:
        raise LibraryNotFoundError
    return library


def _visible_libraries(viewer: Viewer) -> Select[Library, MembershipRole, int]:
    media_count = (
        select(func.count())
        .where(LibraryMedia.library_id == Library.id)
        .correlate(Library)
        .scalar_subquery()
    )
    return (
        select(Library, Membership.role, media_count.label("media_count"))
        .join(Membership, Membership.library_id == Library.id)
        .where(Membership.user_id == viewer.user_id)
    )


def _library_out(row: Row[Library, MembershipRole, int]) -> LibraryOut:
    library, role, media_count = row[0], row[1], row[2]
    return LibraryOut(
        id=library.id,
        name=library.name,
        is_default=library.is_default,
        role=role,
        owner_user_id=library.owner_user_id,
        media_count=media_count,
        created_at=library.created_at,
        updated_at=library.updated_at,
    )
