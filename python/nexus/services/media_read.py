"""Media rows as answers."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Uuid, bindparam, exists, func, select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Highlight, Media, MediaFile
from nexus.errors import NotFoundError
from nexus.schemas.media import (
    FileUrlOut,
    FragmentList,
    FragmentOut,
    MediaList,
    MediaOut,
)
from nexus.services.capabilities import derive_capabilities
from nexus.services.media_access import find_readable
from nexus.services.pagination import encode_cursor
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient

_FIELDS = tuple(name for name in MediaOut.model_fields if name not in {"capabilities", "duplicate"})
VIEWER_ID = bindparam("viewer_id", type_=Uuid())
_HIGHLIGHT_COUNT = (
    select(func.count())
    .select_from(Highlight)
    .join(Fragment, Fragment.id == Highlight.fragment_id)
    .where(Fragment.media_id == Media.id, Highlight.user_id == VIEWER_ID)
    .scalar_subquery()
)
LIST_COLUMNS = (
    *(getattr(Media, name) for name in _FIELDS),
    exists().where(MediaFile.media_id == Media.id).label("has_file"),
    _HIGHLIGHT_COUNT.label("highlight_count"),
)
"""All that a list says of an item, its file and the viewer's highlights included."""


def get_media(session: Session, viewer: Viewer, *, media_id: UUID) -> MediaOut:
    """One item; an id that was merged into another answers that one, marked as a duplicate."""
    media, duplicate = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    return media_answer(session, media, duplicate=duplicate)


def list_fragments(session: Session, viewer: Viewer, *, media_id: UUID) -> FragmentList:
    """The readable text of an item, in order."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    query = select(Fragment).where(Fragment.media_id == media.id).order_by(Fragment.idx)
    return FragmentList(
        fragments=[FragmentOut.model_validate(fragment) for fragment in session.scalars(query)]
    )


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


def media_page(rows: Sequence[Row[*tuple[Any, ...]]], *, limit: int) -> MediaList:
    """A page of rows of `LIST_COLUMNS` and the moment `listed_at`, the newest first.

    A row more than the limit says that there is another page.
    """
    page = [_list_item(row) for row in rows[:limit]]
    last = page[-1] if len(rows) > limit else None
    next_cursor = encode_cursor((rows[limit - 1].listed_at, last["id"])) if last else None
    return MediaList.model_validate({"media": page, "next_cursor": next_cursor})


def _list_item(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    fields: dict[str, Any] = dict(zip(_FIELDS, row, strict=False))
    fields["capabilities"] = derive_capabilities(
        kind=fields["kind"],
        status=fields["processing_status"],
        last_error_code=fields["last_error_code"],
        has_file=row.has_file,
        has_playback_url=fields["external_playback_url"] is not None,
    )
    fields["highlight_count"] = row.highlight_count
    return fields


def _media_out(media: Media, *, has_file: bool, duplicate: bool = False) -> MediaOut:
    fields = {name: getattr(media, name) for name in _FIELDS}
    capabilities = derive_capabilities(
        kind=media.kind,
        status=media.processing_status,
        last_error_code=media.last_error_code,
        has_file=has_file,
        has_playback_url=media.external_playback_url is not None,
    )
    return MediaOut(**fields, capabilities=capabilities, duplicate=duplicate)


def media_answer(session: Session, media: Media, *, duplicate: bool = False) -> MediaOut:
    has_file = session.get(MediaFile, media.id) is not None
    return _media_out(media, has_file=has_file, duplicate=duplicate)
