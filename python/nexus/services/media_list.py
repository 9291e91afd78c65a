"""The viewer's items in any order and choice, a page at a time, at the cost of that page.

Pages come from the viewer's shelf, whose indexes have each order, for what is archived and for what
is not. What few items have is found by other indexes and sorted.
"""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Subquery,
    Text,
    Uuid,
    asc,
    bindparam,
    cast,
    desc,
    func,
    literal_column,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from nexus.db.direct import Direct
from nexus.db.models import ItemTag, LibraryMedia, Media, ShelfItem
from nexus.db.plans import PLAN_EACH_TIME
from nexus.schemas.shelf import MediaSort
from nexus.services.libraries import require_member
from nexus.services.media_filter import MediaFilter, look_for_few
from nexus.services.media_personal import SHELF_COLUMN_NAMES, SHELF_COLUMNS, VIEWER_ID
from nexus.services.media_read import items_in, list_columns
from nexus.services.pagination import bad_cursor, decode_cursor, encode_cursor
from nexus.services.tags import find_tags, tag_key
from nexus.services.viewer import Viewer

_LIBRARY_ID = bindparam("library_id", type_=Uuid())


class _Order(NamedTuple):
    """The columns of an order, the id of the item behind them."""

    columns: tuple[ColumnElement[Any] | InstrumentedAttribute[Any], ...]
    descending: bool


class _Wanted(NamedTuple):
    """What makes one list statement differ from another; each is built once."""

    sort: MediaSort
    goes_on: bool
    in_library: bool
    by: frozenset[str]
    tags: int
    few: bool
    """So few items pass one of the filters that all of these are fetched and sorted."""
    archived: bool | None
    rows: int


# Written as in the indexes: what has no such value comes last.
_OPENED = func.coalesce(
    ShelfItem.opened_at, literal_column("'-infinity'::timestamp with time zone")
)
_TITLE = func.coalesce(ShelfItem.title_key, literal_column("'\U0010ffff'::text"))
_LENGTH = func.coalesce(ShelfItem.length, literal_column("2147483647"))
_ORDERS = {
    MediaSort.NEWEST: _Order((ShelfItem.saved_at,), descending=True),
    MediaSort.OLDEST: _Order((ShelfItem.saved_at,), descending=False),
    MediaSort.OPENED: _Order((_OPENED, ShelfItem.saved_at), descending=True),
    MediaSort.TITLE: _Order((_TITLE,), descending=False),
    MediaSort.LENGTH: _Order((_LENGTH,), descending=False),
}
_BY_DATE = {MediaSort.NEWEST, MediaSort.OLDEST}
# Looked up for one item after the other, where these are few.
_ENTERED_AT: ColumnElement[datetime] = (
    select(LibraryMedia.created_at)
    .where(LibraryMedia.library_id == _LIBRARY_ID, LibraryMedia.media_id == ShelfItem.media_id)
    .correlate(ShelfItem)
    .scalar_subquery()
)
_COLUMNS = {
    "kind": ShelfItem.kind,
    "state": ShelfItem.state,
    "favourite": ShelfItem.favourite,
    "status": Media.processing_status,
}


def list_media(
    session: Session,
    viewer: Viewer,
    *,
    cursor: str | None,
    limit: int,
    sort: MediaSort = MediaSort.NEWEST,
    only: MediaFilter | None = None,
) -> dict[str, Any]:
    """A page of one library's items, or of all that the viewer can read.

    The dates of a library's list are those at which the items were put there. In the form of a
    `MediaList`: objects take as long as the query.
    """
    only = only or MediaFilter()
    if only.library_id is not None:
        require_member(session, viewer, library_id=only.library_id)
    tag_ids = find_tags(session, user_id=viewer.user_id, names=only.tags) if only.tags else {}
    given = {name for name in _COLUMNS if getattr(only, name) is not None}
    rare, tags = look_for_few(session, viewer, only, list(tag_ids.values()))
    wanted = _Wanted(
        sort=sort,
        goes_on=cursor is not None,
        in_library=only.library_id is not None,
        by=frozenset(given),
        tags=len(tags),
        few=rare,
        archived=only.archived,
        rows=limit + 1,
    )
    values: dict[str, Any] = {"viewer_id": viewer.user_id}
    values |= {name: getattr(only, name) for name in given}
    values |= {f"tag_{number}": tag_id for number, tag_id in enumerate(tags)}
    if only.library_id is not None:
        values["library_id"] = only.library_id
    list_id = _list_id(sort, only)
    if cursor is not None:
        values |= _place(cursor, list_id, wanted)
    if len(tag_ids) < len({tag_key(name) for name in only.tags}):
        return {"media": [], "next_cursor": None}
    rows = _statement(wanted).rows(session, values)
    next_cursor = None
    if len(rows) > limit:
        last = rows[limit - 1]
        keys = last[-len(_key_names(wanted)) :]
        next_cursor = encode_cursor([list_id, *keys, last[0]])
    return {"media": items_in(rows[:limit]), "next_cursor": next_cursor}


@lru_cache(maxsize=256)
def _list_id(sort: MediaSort, only: MediaFilter) -> str:
    """Tells cursors of different lists apart."""
    return sha256(f"{sort.value} {only}".encode()).hexdigest()[:8]


def _place(cursor: str, list_id: str, wanted: _Wanted) -> dict[str, Any]:
    names = _key_names(wanted)
    of_list, *values, last_id = decode_cursor(cursor, (str, *(str for _ in names), UUID))
    if of_list != list_id:
        raise bad_cursor()
    return {**dict(zip(names, values, strict=True)), "last_id": last_id}


def _key_names(wanted: _Wanted) -> list[str]:
    return [f"key_{number}" for number in range(len(_order(wanted).columns))]


def _order(wanted: _Wanted) -> _Order:
    order = _ORDERS[wanted.sort]
    if wanted.in_library and wanted.sort in _BY_DATE:
        entered_at = _ENTERED_AT if wanted.few else LibraryMedia.created_at
        return _Order((entered_at,), order.descending)
    return order


@lru_cache(maxsize=256)
def _statement(wanted: _Wanted) -> Direct:
    """A page of ids, then all that is said of these items; the first is their id."""
    page = _page(wanted)
    keys = [page.c[name] for name in _key_names(wanted)]
    direction = _direction(wanted)
    # What is always in the order of one index has one good plan for everybody.
    plain = not wanted.by and not wanted.tags and not wanted.in_library
    own = [page.c[name] for name in SHELF_COLUMN_NAMES]
    return Direct(
        select(*list_columns(own), *(cast(key, Text).label(key.name) for key in keys))
        .select_from(page)
        .join(Media, Media.id == page.c.media_id)
        .order_by(*(direction(column) for column in (*keys, page.c.media_id)))
        .execution_options(**({} if plain else PLAN_EACH_TIME))
    )


def _page(wanted: _Wanted) -> Subquery:
    if wanted.in_library and wanted.sort in _BY_DATE and not wanted.few:
        return _cut(wanted, _in_order_of_library(wanted)).subquery()
    in_order = wanted.archived is None and not wanted.few
    halves = [False, True] if in_order else [wanted.archived]
    pages = [_cut(wanted, _in_order_of_shelf(wanted, archived=half)) for half in halves]
    if len(pages) == 1:
        return pages[0].subquery()
    # Merged before the items themselves are fetched, so that only one page of them is.
    both = union_all(*pages)
    columns = both.selected_columns
    order = [columns[name] for name in (*_key_names(wanted), "media_id")]
    return both.order_by(*map(_direction(wanted), order)).limit(_rows(wanted)).subquery()


def _cut(wanted: _Wanted, query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """The rows of one page, from where the last one ended."""
    order, names = _order(wanted), _key_names(wanted)
    columns = [*order.columns, query.selected_columns[0]]
    query = query.add_columns(
        *SHELF_COLUMNS,
        *(column.label(name) for name, column in zip(names, order.columns, strict=True)),
    )
    if wanted.few:
        chosen = query.cte("chosen").prefix_with("MATERIALIZED")
        columns = [chosen.c[name] for name in (*names, "media_id")]
        query = select(chosen)
    if wanted.goes_on:
        keys = zip(names, order.columns, strict=True)
        after = [cast(bindparam(name, type_=Text()), column.type) for name, column in keys]
        here, there = tuple_(*columns), tuple_(*after, bindparam("last_id", type_=Uuid()))
        query = query.where(here < there if order.descending else here > there)
    return query.order_by(*map(_direction(wanted), columns)).limit(_rows(wanted))


def _rows(wanted: _Wanted) -> ColumnElement[int]:
    """A literal: for a limit that it does not know, the planner expects a tenth of the table."""
    return literal_column(str(wanted.rows), Integer())


def _in_order_of_library(wanted: _Wanted) -> Select[*tuple[Any, ...]]:
    query = (
        select(LibraryMedia.media_id)
        .join(
            ShelfItem,
            (ShelfItem.user_id == VIEWER_ID) & (ShelfItem.media_id == LibraryMedia.media_id),
        )
        .where(LibraryMedia.library_id == _LIBRARY_ID, ShelfItem.visible)
    )
    if wanted.archived is not None:
        query = query.where(ShelfItem.archived.is_(wanted.archived))
    return _filtered(wanted, query)


def _in_order_of_shelf(wanted: _Wanted, *, archived: bool | None) -> Select[*tuple[Any, ...]]:
    query = select(ShelfItem.media_id).where(ShelfItem.user_id == VIEWER_ID, ShelfItem.visible)
    if archived is not None:
        query = query.where(ShelfItem.archived.is_(archived))
    if wanted.in_library and wanted.few:
        query = query.where(_ENTERED_AT.is_not(None))
    elif wanted.in_library:
        query = query.join(
            LibraryMedia,
            (LibraryMedia.media_id == ShelfItem.media_id)
            & (LibraryMedia.library_id == _LIBRARY_ID),
        )
    return _filtered(wanted, query)


def _filtered(wanted: _Wanted, query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    if "status" in wanted.by:
        query = query.join(Media, Media.id == ShelfItem.media_id)
    for number in range(wanted.tags):
        tagged = aliased(ItemTag)
        has_tag = (
            (tagged.user_id == VIEWER_ID)
            & (tagged.media_id == ShelfItem.media_id)
            & (tagged.tag_id == bindparam(f"tag_{number}", type_=Uuid()))
        )
        if number == 0:
            query = query.join(tagged, has_tag)
        else:
            # The first is the rarest: the others are looked up for what has that one.
            found = select(1).select_from(tagged).where(has_tag).limit(1).scalar_subquery()
            query = query.where(found.is_not(None))
    for name in sorted(wanted.by):
        column = _COLUMNS[name]
        query = query.where(column == bindparam(name, type_=column.type))
    return query


def _direction(wanted: _Wanted) -> Callable[[Any], ColumnElement[Any]]:
    return desc if _ORDERS[wanted.sort].descending else asc
