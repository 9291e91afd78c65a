"""Media rows as responses."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from msgspec import UNSET, defstruct
from sqlalchemy import ARRAY, ColumnElement, Uuid, any_, bindparam, case, exists, func, or_, select
from sqlalchemy.orm import Session

from nexus.db.as_text import Column, as_text
from nexus.db.direct import Direct, Rows
from nexus.db.enums import ProcessingStatus
from nexus.db.models import (
    Fragment,
    Highlight,
    LibraryMedia,
    Media,
    MediaFile,
    Membership,
    ShelfItem,
)
from nexus.errors import MediaNotFoundError, NotFoundError
from nexus.extractors.kinds import FILE_KINDS
from nexus.html.urls import proxied
from nexus.schemas.media import (
    FileUrlOut,
    HoldingLibraries,
    MediaOut,
)
from nexus.services.capabilities import derive_capabilities
from nexus.services.media_access import find_readable
from nexus.services.media_personal import (
    ON_SHELF,
    PERSONAL_COLUMNS,
    SHELF_COLUMN_NAMES,
    SHELF_COLUMNS,
    SHELF_FIELDS,
    VIEWER_ID,
    Item,
    as_seen,
)
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient

_DERIVED = ("created_at", "can_retry", "capabilities", "duplicate")
_FIELDS = tuple(
    name for name in MediaOut.model_fields if name not in {*_DERIVED, *SHELF_FIELDS, "tags"}
)
_HIGHLIGHT_COUNT = (
    select(func.count())
    .select_from(Highlight)
    .join(Fragment, Fragment.id == Highlight.fragment_id)
    .where(Fragment.media_id == Media.id, Highlight.user_id == VIEWER_ID)
    .scalar_subquery()
    .label("highlight_count")
)
# Looked up only for what may have one.
_HAS_FILE = case(
    (
        or_(*(Media.kind == kind for kind in sorted(FILE_KINDS))),
        exists().where(MediaFile.media_id == Media.id),
    ),
    else_=False,
).label("has_file")
# Ids and enums as the text that they become in a response.
_ITEM_COLUMNS = (
    *(as_text(getattr(Media, name)) for name in _FIELDS),
    _HAS_FILE,
    *PERSONAL_COLUMNS,
)
# Not every row has the last.
_NAMES = (
    *(column.name for column in _ITEM_COLUMNS),
    *SHELF_COLUMN_NAMES,
    _HIGHLIGHT_COUNT.name,
)
_READABLE = _NAMES.index("readable")
# Made of a row by position: a dict of so many names takes seven times as long.
_Item: Any = defstruct(
    "Item", [*_NAMES[:-1], *((name, Any, UNSET) for name in (_NAMES[-1], *_DERIVED))], gc=False
)


def item_columns(shelf: Iterable[Column]) -> tuple[ColumnElement[Any], ...]:
    """All that is said of an item, given the columns of its row on the viewer's shelf."""
    return (*_ITEM_COLUMNS, *map(as_text, shelf))


def list_columns(shelf: Iterable[Column]) -> tuple[ColumnElement[Any], ...]:
    """The same and what only lists say: how many highlights the viewer has on it."""
    return (*item_columns(shelf), _HIGHLIGHT_COUNT)


_BY_ID = (
    select(*item_columns(SHELF_COLUMNS))
    .join(ShelfItem, ON_SHELF)
    .where(Media.id == any_(bindparam("media_ids", type_=ARRAY(Uuid()))))
)
_ITEMS, _LIST_ITEMS = Direct(_BY_ID), Direct(_BY_ID.add_columns(_HIGHLIGHT_COUNT))


def get_media(session: Session, viewer: Viewer, *, media_id: UUID) -> MediaOut:
    """One item; an id that was merged into another returns that one, marked as a duplicate."""
    media, duplicate = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    return media_out(session, viewer_id=viewer.user_id, media_id=media.id, duplicate=duplicate)


def media_out(
    session: Session, *, viewer_id: UUID, media_id: UUID, duplicate: bool = False
) -> MediaOut:
    """An item as the viewer sees it. The id is its own, not an alias."""
    [media] = items_out(session, viewer_id=viewer_id, media_ids=[media_id])
    return media.model_copy(update={"duplicate": duplicate})


def items_out(session: Session, *, viewer_id: UUID, media_ids: Sequence[UUID]) -> list[MediaOut]:
    """Items as the viewer sees them, in the order of their ids, which are not aliases."""
    values = {"viewer_id": viewer_id, "media_ids": list(media_ids)}
    rows = _ITEMS.rows(session, values)
    found = {UUID(item.id): item for item in items_in(rows)}
    if len(found) != len(set(media_ids)):
        raise MediaNotFoundError
    return [MediaOut.model_validate(found[media_id]) for media_id in media_ids]


def list_items(
    session: Session, *, viewer_id: UUID, media_ids: Collection[UUID]
) -> dict[UUID, Item]:
    """Those of the items that the viewer can read, as lists have them."""
    values = {"viewer_id": viewer_id, "media_ids": list(media_ids)}
    rows = _LIST_ITEMS.rows(session, values)
    return {UUID(item.id): item for item in items_in(rows)}


def items_in(rows: Rows) -> list[Item]:
    """What is said of the items in rows of `item_columns` or `list_columns`.

    The one predicate has the last word on what is shown.
    """
    return [_item_of(row) for row in rows if row[_READABLE]]


def list_holding_libraries(session: Session, viewer: Viewer, *, media_id: UUID) -> HoldingLibraries:
    """Which of the viewer's libraries hold an item."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    query = (
        select(LibraryMedia.library_id)
        .join(Membership, Membership.library_id == LibraryMedia.library_id)
        .where(LibraryMedia.media_id == media.id, Membership.user_id == viewer.user_id)
        .order_by(LibraryMedia.library_id)
    )
    return HoldingLibraries(library_ids=list(session.scalars(query)))


def get_file_url(
    session: Session, viewer: Viewer, storage: StorageClient, *, media_id: UUID
) -> FileUrlOut:
    """A short-lived link to the original file."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    file = session.get(MediaFile, media.id)
    if file is None:
        raise NotFoundError("This item has no file to download.", code="E_FILE_NOT_FOUND")
    name = f"{media.title}.{file.storage_path.rpartition('.')[2]}"
    signed = storage.sign_download(file.storage_path, filename=name)
    return FileUrlOut(url=signed.url, expires_at=signed.expires_at)


def operator_list(
    session: Session, *, status: ProcessingStatus | None, limit: int
) -> Sequence[Media]:
    """Items of all accounts, the newest first, for the person who runs this server."""
    query = select(Media).order_by(Media.created_at.desc(), Media.id).limit(limit)
    if status is not None:
        query = query.where(Media.processing_status == status)
    return session.scalars(query).all()


def operator_view(session: Session, *, media_id: UUID) -> dict[str, Any]:
    """Every column of an item, for the person who runs this server."""
    media = session.get(Media, media_id)
    if media is None:
        raise MediaNotFoundError
    fields = {name: getattr(media, name) for name in (*_FIELDS, "created_at")}
    has_file = session.get(MediaFile, media.id) is not None
    return {**fields, "capabilities": _capabilities(media, has_file=has_file)}


def _item_of(row: tuple[Any, ...]) -> Item:
    item = _Item(*row[: len(_NAMES)])
    item.capabilities = _capabilities(item, has_file=item.has_file)
    item.duplicate = False
    if item.lead_image_url is not None:
        item.lead_image_url = proxied(item.lead_image_url)
    item.readable = item.has_file = UNSET
    return as_seen(item)


def _capabilities(item: Any, *, has_file: bool) -> dict[str, bool]:
    """Of a row of either form."""
    return _plain_capabilities(
        kind=item.kind,
        status=item.processing_status,
        last_error_code=item.last_error_code,
        has_file=has_file,
        has_playback_url=item.external_playback_url is not None,
        has_words=item.word_count != 0,
    )


# There are few combinations, and a list needs one for every item.
@lru_cache(maxsize=256)
def _plain_capabilities(**facts: Any) -> dict[str, bool]:
    return derive_capabilities(**facts).model_dump()
