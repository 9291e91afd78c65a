"""The viewer's items, newest first, at any depth and size for the price of one page."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Subquery, exists, or_, select, text, tuple_, union_all
from sqlalchemy.orm import Session, aliased

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Library, LibraryMedia, Media, Membership
from nexus.schemas.media import MediaList
from nexus.services.libraries import require_member
from nexus.services.media_read import media_page
from nexus.services.pagination import decode_cursor
from nexus.services.viewer import Viewer

Rows = Select[Media, datetime]


def list_media(
    session: Session,
    viewer: Viewer,
    *,
    cursor: str | None,
    limit: int,
    kind: MediaKind | None = None,
    status: ProcessingStatus | None = None,
    library_id: UUID | None = None,
) -> MediaList:
    """One library's items, or all that the viewer can read, by when they came there."""
    # A plan kept for all libraries would suit the average one, and read a large one whole.
    session.execute(text("SET LOCAL plan_cache_mode = force_custom_plan"))
    wanted: list[ColumnElement[bool]] = []
    if cursor is not None:
        position = decode_cursor(cursor, (datetime, UUID))
        wanted.append(tuple_(LibraryMedia.created_at, LibraryMedia.media_id) < tuple_(*position))
    if kind is not None:
        wanted.append(Media.kind == kind)
    if status is not None:
        wanted.append(Media.processing_status == status)
    if library_id is not None:
        require_member(session, viewer, library_id=library_id)
        query = _in_library(library_id, wanted)
    else:
        query = _in_all_libraries(session, viewer, wanted, limit=limit)
    return media_page(session, viewer, query, limit=limit)


def _in_library(library_id: Any, wanted: list[ColumnElement[bool]]) -> Rows:
    return (
        select(Media, LibraryMedia.created_at)
        .join(LibraryMedia, LibraryMedia.media_id == Media.id)
        .where(LibraryMedia.library_id == library_id, *wanted)
        .order_by(LibraryMedia.created_at.desc(), LibraryMedia.media_id.desc())
    )


def _in_all_libraries(
    session: Session, viewer: Viewer, wanted: list[ColumnElement[bool]], *, limit: int
) -> Rows:
    """One page from each library that can hold something of its own, merged.

    Each library is asked for by its id, not by a join: only so does the planner know how large it
    is, and reads a page of it in order instead of sorting the whole of it.
    """
    shelves = session.scalars(_shelves(viewer)).all()
    pages = [_page(shelf, shelves, wanted, limit=limit) for shelf in shelves]
    merged = union_all(*(select(page.c.media_id, page.c.created_at) for page in pages)).subquery()
    # Merged before the rows themselves are fetched, so that only one page of them is.
    page = (
        select(merged)
        .order_by(merged.c.created_at.desc(), merged.c.media_id.desc())
        .limit(limit + 1)
        .subquery()
    )
    return (
        select(Media, page.c.created_at)
        .join(page, page.c.media_id == Media.id)
        .order_by(page.c.created_at.desc(), page.c.media_id.desc())
    )


def _shelves(viewer: Viewer) -> Select[UUID]:
    """The viewer's private libraries hold nothing that their default library does not."""
    others = aliased(Membership)
    shared = exists().where(others.library_id == Library.id, others.user_id != viewer.user_id)
    return (
        select(Library.id)
        .join(Membership, Membership.library_id == Library.id)
        .where(Membership.user_id == viewer.user_id, or_(Library.is_default, shared))
    )


def _page(
    shelf: UUID, shelves: Sequence[UUID], wanted: list[ColumnElement[bool]], *, limit: int
) -> Subquery:
    """An item that is on several shelves counts where it came first."""
    earlier = aliased(LibraryMedia)
    came_earlier = exists().where(
        earlier.media_id == LibraryMedia.media_id,
        earlier.library_id.in_([other for other in shelves if other != shelf]),
        tuple_(earlier.created_at, earlier.library_id)
        < tuple_(LibraryMedia.created_at, LibraryMedia.library_id),
    )
    return (
        select(LibraryMedia.media_id, LibraryMedia.created_at)
        .join(Media, Media.id == LibraryMedia.media_id)
        .where(LibraryMedia.library_id == shelf, *wanted)
        .where(*([~came_earlier] if len(shelves) > 1 else []))
        .order_by(LibraryMedia.created_at.desc(), LibraryMedia.media_id.desc())
        .limit(limit + 1)
        .subquery()
    )
