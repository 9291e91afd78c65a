"""The viewer's items, newest first, at any depth and size for the price of one page."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    DateTime,
    Integer,
    Select,
    Subquery,
    Uuid,
    bindparam,
    exists,
    func,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Library, LibraryMedia, Media, Membership
from nexus.schemas.media import MediaList
from nexus.services.libraries import require_member
from nexus.services.media_read import LIST_COLUMNS, VIEWER_ID, media_page
from nexus.services.pagination import decode_cursor
from nexus.services.viewer import Viewer

Rows = Select[*tuple[Any, ...]]
Shelf = BindParameter[UUID]

# A plan kept for all libraries would suit the average one, and read a large one whole.
_PLAN_ANEW = func.set_config("plan_cache_mode", "force_custom_plan", True)
_ROWS = bindparam("rows", type_=Integer())


class _Shape(NamedTuple):
    """What makes one list statement differ from another; each is built once."""

    shelves: int
    goes_on: bool
    by_kind: bool
    by_status: bool


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
    values: dict[str, Any] = {"viewer_id": viewer.user_id, "rows": limit + 1}
    values |= {"kind": kind, "status": status}
    if cursor is not None:
        values["moment"], values["last_id"] = decode_cursor(cursor, (datetime, UUID))
    shelves = _shelves(session, viewer, library_id)
    if not shelves:
        return MediaList(media=[], next_cursor=None)
    values |= {f"shelf_{number}": shelf for number, shelf in enumerate(shelves)}
    shape = _Shape(len(shelves), cursor is not None, kind is not None, status is not None)
    return media_page(session.execute(_statement(shape), values).all(), limit=limit)


def _shelves(session: Session, viewer: Viewer, library_id: UUID | None) -> Sequence[UUID]:
    """The libraries to look into; from here on this transaction keeps no plans."""
    if library_id is None:
        return [row[0] for row in session.execute(_OWN_SHELVES, {"viewer_id": viewer.user_id})]
    require_member(session, viewer, library_id=library_id)
    session.execute(select(_PLAN_ANEW))
    return [library_id]


def _own_shelves() -> Rows:
    """The viewer's private libraries hold nothing that their default library does not."""
    others = aliased(Membership)
    shared = exists().where(others.library_id == Library.id, others.user_id != VIEWER_ID)
    return (
        select(Library.id, _PLAN_ANEW)
        .join(Membership, Membership.library_id == Library.id)
        .where(Membership.user_id == VIEWER_ID, or_(Library.is_default, shared))
    )


_OWN_SHELVES = _own_shelves()


@lru_cache(maxsize=64)
def _statement(shape: _Shape) -> Rows:
    """One page from each library, merged.

    Each library is asked for by its id, not by a join: only so does the planner know how large it
    is, and reads a page of it in order instead of sorting the whole of it.
    """
    shelves = [bindparam(f"shelf_{number}", type_=Uuid()) for number in range(shape.shelves)]
    pages = [_page(shape, shelf, shelves) for shelf in shelves]
    merged = union_all(*(select(page.c.media_id, page.c.created_at) for page in pages)).subquery()
    # Merged before the rows themselves are fetched, so that only one page of them is.
    page = (
        select(merged)
        .order_by(merged.c.created_at.desc(), merged.c.media_id.desc())
        .limit(_ROWS)
        .subquery()
    )
    return (
        select(*LIST_COLUMNS, page.c.created_at)
        .join(page, page.c.media_id == Media.id)
        .order_by(page.c.created_at.desc(), page.c.media_id.desc())
    )


def _page(shape: _Shape, shelf: Shelf, shelves: Sequence[Shelf]) -> Subquery:
    query = (
        select(LibraryMedia.media_id, LibraryMedia.created_at)
        .where(LibraryMedia.library_id == shelf, *_wanted(shape))
        .order_by(LibraryMedia.created_at.desc(), LibraryMedia.media_id.desc())
        .limit(_ROWS)
    )
    if shape.by_kind or shape.by_status:
        query = query.join(Media, Media.id == LibraryMedia.media_id)
    others = [other for other in shelves if other is not shelf]
    return (query.where(~_came_earlier(others)) if others else query).subquery()


def _wanted(shape: _Shape) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if shape.goes_on:
        position = (
            bindparam("moment", type_=DateTime(timezone=True)),
            bindparam("last_id", type_=Uuid()),
        )
        wanted.append(tuple_(LibraryMedia.created_at, LibraryMedia.media_id) < tuple_(*position))
    if shape.by_kind:
        wanted.append(Media.kind == bindparam("kind", type_=Media.kind.type))
    if shape.by_status:
        wanted.append(
            Media.processing_status == bindparam("status", type_=Media.processing_status.type)
        )
    return wanted


def _came_earlier(others: Sequence[Shelf]) -> ColumnElement[bool]:
    """An item that is on several shelves counts where it came first."""
    earlier = aliased(LibraryMedia)
    return exists().where(
        earlier.media_id == LibraryMedia.media_id,
        earlier.library_id.in_(others),
        tuple_(earlier.created_at, earlier.library_id)
        < tuple_(LibraryMedia.created_at, LibraryMedia.library_id),
    )
