"""Media rows as answers."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Highlight, Media, MediaFile
from nexus.errors import NotFoundError
from nexus.schemas.media import (
    FileUrlOut,
    FragmentList,
    FragmentOut,
    MediaList,
    MediaListItem,
    MediaOut,
)
from nexus.services.capabilities import derive_capabilities
from nexus.services.media_access import find_readable
from nexus.services.pagination import encode_cursor
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient


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


def media_page(
    session: Session, viewer: Viewer, query: Select[Media, datetime], *, limit: int
) -> MediaList:
    """One page of a list query that yields (media, sort moment), newest first."""
    rows = session.execute(query.limit(limit + 1)).all()
    page = rows[:limit]
    more = len(rows) > limit
    return MediaList(
        media=_list_items(session, viewer, [row[0] for row in page]),
        next_cursor=encode_cursor((page[-1][1], page[-1][0].id)) if more else None,
    )


def _list_items(session: Session, viewer: Viewer, media: Sequence[Media]) -> list[MediaListItem]:
    """List entries of many rows with two extra queries, whatever their number."""
    ids = [item.id for item in media]
    with_file = set(session.scalars(select(MediaFile.media_id).where(MediaFile.media_id.in_(ids))))
    counts = _highlight_counts(session, viewer, ids)
    return [
        MediaListItem(
            **_media_out(item, has_file=item.id in with_file).__dict__,
            highlight_count=counts.get(item.id, 0),
        )
        for item in media
    ]


def _highlight_counts(
    session: Session, viewer: Viewer, media_ids: Sequence[UUID]
) -> dict[UUID, int]:
    query = (
        select(Fragment.media_id, func.count())
        .join(Highlight, Highlight.fragment_id == Fragment.id)
        .where(Fragment.media_id.in_(media_ids), Highlight.user_id == viewer.user_id)
        .group_by(Fragment.media_id)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def _media_out(media: Media, *, has_file: bool, duplicate: bool = False) -> MediaOut:
    fields = {
        name: getattr(media, name)
        for name in MediaOut.model_fields
        if name not in {"capabilities", "duplicate"}
    }
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
