"""The viewer's items, newest first, at the cost of one page whatever the depth and size."""

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
    Row,
    Select,
    Subquery,
    Uuid,
    bindparam,
    exists,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Library, LibraryMedia, Media, Membership
from nexus.db.plans import PLAN_EACH_TIME
from nexus.schemas.media import MediaList
from nexus.services.libraries import require_member
from nexus.services.media_personal import SAVED_AT, VIEWER_ID
from nexus.services.media_read import LIST_COLUMNS, media_page
from nexus.services.pagination import decode_cursor
from nexus.services.viewer import Viewer

Rows = Sequence[Row[*tuple[Any, ...]]]
Shelf = BindParameter[UUID]

# A literal: for a limit that it does not know, the planner expects a tenth of the table.
_ROWS = bindparam("rows", type_=Integer(), literal_execute=True)


class _Wanted(NamedTuple):
    """What makes one list statement differ from another; each is built once."""

    goes_on: bool
    of_all: bool
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
    """One library's items, or all that the viewer can read, by when they were added."""
    values: dict[str, Any] = {"viewer_id": viewer.user_id, "rows": limit + 1}
    values |= {"kind": kind, "status": status}
    if cursor is not None:
        values["moment"], values["last_id"] = decode_cursor(cursor, (datetime, UUID))
    wanted = _Wanted(
        goes_on=cursor is not None,
        of_all=library_id is None,
        by_kind=kind is not None,
        by_status=status is not None,
    )
    if library_id is not None:
        require_member(session, viewer, library_id=library_id)
        rows = _rows(session, wanted, [library_id], values)
    else:
        rows = _rows_of_all(session, viewer, wanted, values)
    return media_page(rows, limit=limit)


def _rows_of_all(
    session: Session, viewer: Viewer, wanted: "_Wanted", values: dict[str, Any]
) -> Rows:
    """A viewer who shares no library has everything in the default one; its rows are enough."""
    rows = _rows(session, wanted, [viewer.default_library_id], values)
    if rows and not rows[0].shares:
        return rows
    shelves = session.scalars(_SHARED, {"viewer_id": viewer.user_id}).all()
    return _rows(session, wanted, [viewer.default_library_id, *shelves], values)


def _rows(
    session: Session, wanted: "_Wanted", shelves: Sequence[UUID], values: dict[str, Any]
) -> Rows:
    values = values | {f"shelf_{number}": shelf for number, shelf in enumerate(shelves)}
    return session.connection().execute(_statement(wanted, len(shelves)), values).all()


def _shared() -> Select[UUID]:
    """Libraries with other people in them; the viewer's private ones hold nothing of their own."""
    others = aliased(Membership)
    return (
        select(Library.id)
        .join(Membership, Membership.library_id == Library.id)
        .where(
            Membership.user_id == VIEWER_ID,
            ~Library.is_default,
            exists().where(others.library_id == Library.id, others.user_id != VIEWER_ID),
        )
    )


_SHARED = _shared()


@lru_cache(maxsize=64)
def _statement(wanted: _Wanted, shelf_count: int) -> Select[*tuple[Any, ...]]:
    """One page from each library, merged.

    Each library is selected by its id, not by a join: only then does the planner know how large it
    is, and reads a page of it in order instead of sorting all of it.
    """
    shelves = [bindparam(f"shelf_{number}", type_=Uuid()) for number in range(shelf_count)]
    pages = [_page(wanted, shelf, shelves) for shelf in shelves]
    merged = union_all(*(select(page.c.media_id, page.c.created_at) for page in pages)).subquery()
    # Merged before the rows themselves are fetched, so that only one page of them is.
    page = (
        select(merged)
        .order_by(merged.c.created_at.desc(), merged.c.media_id.desc())
        .limit(_ROWS)
        .subquery()
    )
    # Among all items, an item is listed by when the viewer first had it.
    saved_at = page.c.created_at if wanted.of_all else SAVED_AT
    # One library in its order has one good plan, whatever its size.
    plain = shelf_count == 1 and not wanted.by_kind and not wanted.by_status
    return (
        select(
            *LIST_COLUMNS,
            page.c.created_at.label("listed_at"),
            saved_at.label("saved_at"),
            exists(_SHARED).label("shares"),
        )
        .join(page, page.c.media_id == Media.id)
        .order_by(page.c.created_at.desc(), page.c.media_id.desc())
        .execution_options(**({} if plain else PLAN_EACH_TIME))
    )


def _page(wanted: _Wanted, shelf: Shelf, shelves: Sequence[Shelf]) -> Subquery:
    query = (
        select(LibraryMedia.media_id, LibraryMedia.created_at)
        .where(LibraryMedia.library_id == shelf, *_conditions(wanted))
        .order_by(LibraryMedia.created_at.desc(), LibraryMedia.media_id.desc())
        .limit(_ROWS)
    )
    if wanted.by_kind or wanted.by_status:
        query = query.join(Media, Media.id == LibraryMedia.media_id)
    others = [other for other in shelves if other is not shelf]
    return (query.where(~_came_earlier(others)) if others else query).subquery()


def _conditions(wanted: _Wanted) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.goes_on:
        position = (
            bindparam("moment", type_=DateTime(timezone=True)),
            bindparam("last_id", type_=Uuid()),
        )
        conditions.append(
            tuple_(LibraryMedia.created_at, LibraryMedia.media_id) < tuple_(*position)
        )
    if wanted.by_kind:
        conditions.append(Media.kind == bindparam("kind", type_=Media.kind.type))
    if wanted.by_status:
        conditions.append(
            Media.processing_status == bindparam("status", type_=Media.processing_status.type)
        )
    return conditions


def _came_earlier(others: Sequence[Shelf]) -> ColumnElement[bool]:
    """An item in several libraries is listed where it was added first."""
    earlier = aliased(LibraryMedia)
    return exists().where(
        earlier.media_id == LibraryMedia.media_id,
        earlier.library_id.in_(others),
        tuple_(earlier.created_at, earlier.library_id)
        < tuple_(LibraryMedia.created_at, LibraryMedia.library_id),
    )
