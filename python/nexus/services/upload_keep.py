"""Making an uploaded file the item's own; the same file twice is one item, the first."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media, MediaFile, PendingUpload
from nexus.services import media_lifecycle
from nexus.services.media_merge import hold, merge_media, take_identity
from nexus.services.stored_files import delete_stored_file
from nexus.services.visibility import can_read_media


def keep_upload(
    session: Session, media: Media, upload: PendingUpload, *, sha256: str
) -> tuple[Media, bool]:
    """The item that has these bytes from now on: this one, or the person's first with them.

    And whether the person had that one in their libraries; they may have just removed it.
    """
    same_bytes = select(Media).where(
        Media.created_by_user_id == media.created_by_user_id,
        Media.kind == media.kind,
        Media.file_sha256 == sha256,
    )
    first = take_identity(session, media, lambda: hold(session, same_bytes), file_sha256=sha256)
    if first is None:
        _attach_file(session, media, upload)
        return media, False
    creator_id = media.created_by_user_id
    assert creator_id is not None
    had_it = can_read_media(session, viewer_id=creator_id, media_id=first.id)
    delete_stored_file(session, upload.storage_path)
    merge_media(session, loser=media, winner=first, reader_id=creator_id)
    # So that nobody keeps a dead row.
    if first.processing_status is ProcessingStatus.FAILED:
        media_lifecycle.revive_media(session, first.id)
    return first, had_it


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
