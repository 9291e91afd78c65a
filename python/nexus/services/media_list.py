"""The viewer's items, newest first, at any depth and size for the price of one page."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, exists, or_, select, true, tuple_
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
        query = _in_all_libraries(viewer, wanted, limit=limit)
    return media_page(session, viewer, query, limit=limit)


def _in_library(library_id: Any, wanted: list[ColumnElement[bool]]) -> Rows:
    return (
        select(Media, LibraryMedia.created_at)
        .join(LibraryMedia, LibraryMedia.media_id == Media.id)
        .where(LibraryMedia.library_id == library_id, *wanted)
        .order_by(LibraryMedia.created_at.desc(), LibraryMedia.media_id.desc())
    )


def _in_all_libraries(viewer: Viewer, wanted: list[ColumnElement[bool]], *, limit: int) -> Rows:
    """One page from each library that can hold something of its own, merged.

    The viewer's private libraries hold nothing that their default library does not, so they are
    left out. An item in several of the rest counts where it came first.
    """
    others = aliased(Membership)
    shared = exists().where(others.library_id == Library.id, others.user_id != viewer.user_id)
    shelves = (
        select(Library.id)
        .join(Membership, Membership.library_id == Library.id)
        .where(Membership.user_id == viewer.user_id, or_(Library.is_default, shared))
        .cte("shelves")
    )
    earlier = aliased(LibraryMedia)
    came_earlier = exists().where(
        earlier.media_id == LibraryMedia.media_id,
        earlier.library_id.in_(select(shelves.c.id)),
        tuple_(earlier.created_at, earlier.library_id)
        < tuple_(LibraryMedia.created_at, LibraryMedia.library_id),
    )
    page = (
        select(LibraryMedia.media_id, LibraryMedia.created_at)
        .join(Media, Media.id == LibraryMedia.media_id)
        .where(LibraryMedia.library_id == shelves.c.id, ~came_earlier, *wanted)
        .order_by(LibraryMedia.created_at.desc(), LibraryMedia.media_id.desc())
        .limit(limit + 1)
        .correlate(shelves)
        .lateral("page")
    )
    # Merged before the rows themselves are fetched, so that only one page of them is.
    merged = (
        select(page.c.media_id, page.c.created_at)
        .select_from(shelves)
        .join(page, true())
        .order_by(page.c.created_at.desc(), page.c.media_id.desc())
        .limit(limit + 1)
        .subquery("merged")
    )
    return (
        select(Media, merged.c.created_at)
        .join(merged, merged.c.media_id == Media.id)
        .order_by(merged.c.created_at.desc(), merged.c.media_id.desc())
    )
