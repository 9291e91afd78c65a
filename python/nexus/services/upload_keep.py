"""Making an uploaded file the item's own; the same file twice is one item, the first."""

from sqlalchemy import literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import LibraryMedia, Media, MediaAlias, MediaFile, PendingUpload
from nexus.errors import UnavailableError
from nexus.services import media_lifecycle
from nexus.services.library_media import ensure_in_default_library
from nexus.services.stored_files import delete_stored_file

# The first item can be removed between the clash with it and holding it.
_TRIES = 5


def keep_upload(session: Session, media: Media, upload: PendingUpload, *, sha256: str) -> Media:
    """The item that has these bytes from now on: this one, or the person's first with them."""
    for _ in range(_TRIES):
        if _take_hash(session, media, sha256=sha256):
            _attach_file(session, media, upload)
            return media
        first = _hold_first(session, media, sha256=sha256)
        if first is not None:
            _merge(session, media, upload, into=first)
            return first
    raise UnavailableError("This item is being changed by somebody else. Try again in a moment.")


def _take_hash(session: Session, media: Media, *, sha256: str) -> bool:
    try:
        with session.begin_nested():
            media.file_sha256 = sha256
            session.flush()
    except IntegrityError:
        session.expire(media)
        return False
    return True


def _attach_file(session: Session, media: Media, upload: PendingUpload) -> None:
    session.add(
        MediaFile(
            media_id=media.id,
            storage_path=upload.storage_path,
            content_type=upload.content_type,
            size_bytes=upload.size_bytes,
        )
    )
    session.delete(upload)
    session.flush()


def _hold_first(session: Session, media: Media, *, sha256: str) -> Media | None:
    return session.scalars(
        select(Media)
        .where(
            Media.created_by_user_id == media.created_by_user_id,
            Media.kind == media.kind,
            Media.file_sha256 == sha256,
        )
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one_or_none()


def _merge(session: Session, media: Media, upload: PendingUpload, *, into: Media) -> None:
    """Put the first item wherever the second was, then let the second go. Dead ones revive."""
    held = select(LibraryMedia.library_id, literal(into.id)).where(
        LibraryMedia.media_id == media.id
    )
    session.execute(
        insert(LibraryMedia).from_select(["library_id", "media_id"], held).on_conflict_do_nothing()
    )
    assert media.created_by_user_id is not None
    ensure_in_default_library(session, user_id=media.created_by_user_id, media_id=into.id)
    session.add(MediaAlias(alias_id=media.id, media_id=into.id))
    delete_stored_file(session, upload.storage_path)
    session.delete(media)
    session.flush()
    if into.processing_status is ProcessingStatus.FAILED:
        media_lifecycle.revive_media(session, into.id)
