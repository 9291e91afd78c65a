"""Media rows as responses."""

from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Row, Uuid, any_, bindparam, exists, func, select
from sqlalchemy.orm import Session

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
from nexus.html.urls import proxied
from nexus.schemas.media import (
    Capabilities,
    FileUrlOut,
    HoldingLibraries,
    MediaOut,
)
from nexus.services.capabilities import derive_capabilities
from nexus.services.media_access import find_readable
from nexus.services.media_personal import (
    ON_SHELF,
    PERSONAL_COLUMNS,
    SHELF_COLUMNS,
    SHELF_FIELDS,
    VIEWER_ID,
    as_seen,
)
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient

_DERIVED = {*SHELF_FIELDS, "tags", "can_retry", "capabilities", "duplicate"}
_OWN_FIELDS = (*SHELF_FIELDS, "tags")
_own_values = attrgetter(*_OWN_FIELDS)
_FIELDS = tuple(name for name in MediaOut.model_fields if name not in _DERIVED)
_HIGHLIGHT_COUNT = (
    select(func.count())
    .select_from(Highlight)
    .join(Fragment, Fragment.id == Highlight.fragment_id)
    .where(Fragment.media_id == Media.id, Highlight.user_id == VIEWER_ID)
    .scalar_subquery()
)
_ITEM_COLUMNS = (
    *(getattr(Media, name) for name in _FIELDS),
    exists().where(MediaFile.media_id == Media.id).label("has_file"),
    *PERSONAL_COLUMNS,
)
LIST_COLUMNS = (*_ITEM_COLUMNS, _HIGHLIGHT_COUNT.label("highlight_count"))
"""What a list says of an item beside its row on the shelf: its file and the viewer's highlights."""
_ITEMS = (
    select(*_ITEM_COLUMNS, *SHELF_COLUMNS)
    .join(ShelfItem, ON_SHELF)
    .where(Media.id == any_(bindparam("media_ids", type_=ARRAY(Uuid()))))
)
_LIST_ITEMS = (
    select(*LIST_COLUMNS, *SHELF_COLUMNS)
    .join(ShelfItem, ON_SHELF)
    .where(Media.id == any_(bindparam("media_ids", type_=ARRAY(Uuid()))))
)


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
    rows = {row.id: row for row in session.execute(_ITEMS, values) if row.readable}
    if len(rows) != len(set(media_ids)):
        raise MediaNotFoundError
    return [MediaOut(**item_of(rows[media_id])) for media_id in media_ids]


def list_items(
    session: Session, *, viewer_id: UUID, media_ids: Collection[UUID]
) -> dict[UUID, dict[str, Any]]:
    """Those of the items that the viewer can read, as lists have them."""
    values = {"viewer_id": viewer_id, "media_ids": list(media_ids)}
    rows = session.connection().execute(_LIST_ITEMS, values).all()
    return {
        row.id: {**item_of(row), "highlight_count": row.highlight_count}
        for row in rows
        if row.readable
    }


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
    fields = {name: getattr(media, name) for name in _FIELDS}
    has_file = session.get(MediaFile, media.id) is not None
    return {**fields, "capabilities": _capabilities(fields, has_file=has_file)}


def item_of(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    fields: dict[str, Any] = dict(zip(_FIELDS, row, strict=False))
    if fields["lead_image_url"] is not None:
        fields["lead_image_url"] = proxied(fields["lead_image_url"])
    capabilities = _capabilities(fields, has_file=row.has_file)
    seen = as_seen(
        fields,
        saved_at=row.saved_at,
        own_address=row.own_address,
        retry_allowed=row.retry_allowed,
        given_title=row.given_title,
        given_excerpt=row.given_excerpt,
    )
    own = zip(_OWN_FIELDS, _own_values(row), strict=True)
    return {**seen, **dict(own), "capabilities": capabilities}


def _capabilities(fields: dict[str, Any], *, has_file: bool) -> Capabilities:
    return derive_capabilities(
        kind=fields["kind"],
        status=fields["processing_status"],
        last_error_code=fields["last_error_code"],
        has_file=has_file,
        has_playback_url=fields["external_playback_url"] is not None,
        has_words=fields["word_count"] != 0,
    )
