"""Uploads: announce, send the bytes to storage, confirm."""

from datetime import timedelta
from pathlib import PurePosixPath
from uuid import UUID, uuid4

from sqlalchemy import func, literal, select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.after_commit import NOT_DONE, Outcome
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import Media, PendingUpload
from nexus.errors import ConflictError
from nexus.extractors.failures import FailureCode
from nexus.extractors.file_types import FileType
from nexus.extractors.kinds import FILE_KINDS
from nexus.schemas.media import IngestOut, UploadInitRequest, UploadRequest, UploadTarget
from nexus.services import media_lifecycle
from nexus.services.enqueue import enqueue
from nexus.services.file_kinds import (
    awaits_upload,
    check_announced_file,
    file_type,
)
from nexus.services.library_media import ensure_in_default_library
from nexus.services.media_access import find_readable, require_creator
from nexus.services.search_names import name_item
from nexus.services.stored_files import delete_stored_file
from nexus.services.titles import clean_title
from nexus.services.upload_check import Announced, CheckedFile, check_file
from nexus.services.upload_keep import keep_upload
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient
from nexus.storage.paths import object_path

# An upload that started in time may still be arriving long after its URL expired: a large one for
# hours on a slow line.
ABANDONED_AFTER = timedelta(minutes=30)
_SLOWEST_BYTES_PER_SECOND = 4 * 1024


def init_upload(
    session: Session, viewer: Viewer, storage: StorageClient, *, request: UploadInitRequest
) -> UploadTarget:
    """A new item that waits for its file, and where to send it."""
    kind = file_type(request.kind)
    _check(kind, request, storage)
    media = Media(
        id=uuid4(),
        kind=MediaKind(request.kind),
        title=clean_title(PurePosixPath(request.filename).stem),
        created_by_user_id=viewer.user_id,
    )
    name_item(session, media)
    session.add(media)
    session.flush()
    ensure_in_default_library(session, user_id=viewer.user_id, media_id=media.id)
    return _sign(session, storage, media=media, kind=kind, request=request)


def renew_upload(
    session: Session,
    viewer: Viewer,
    storage: StorageClient,
    *,
    media_id: UUID,
    request: UploadRequest,
) -> UploadTarget:
    """A new place to send the file of an item whose upload failed."""
    media = _lock_own(session, viewer, media_id=media_id)
    if media.processing_status is not ProcessingStatus.PENDING or not awaits_upload(media):
        raise _not_waiting()
    kind = file_type(media.kind.value)
    _check(kind, request, storage)
    storage.delete(_path(media_id, kind))
    return _sign(session, storage, media=media, kind=kind, request=request)


def confirm_upload(
    session: Session, viewer: Viewer, storage: StorageClient, *, media_id: UUID
) -> IngestOut:
    """The file has arrived: check it, keep it, and enqueue the item.

    If the file is not what was announced, the item fails with the reason; that is an outcome, not
    an error of this call.
    """
    checked = _check_stored(session, viewer, storage, media_id=media_id)
    media = _lock_own(session, viewer, media_id=media_id)
    if media.id != media_id:
        return _outcome(media, duplicate=True)
    upload = session.get(PendingUpload, media_id)
    if media.processing_status is not ProcessingStatus.PENDING or (
        upload is None and media.file_sha256 is None
    ):
        raise _not_waiting()
    had_it = False
    if upload is not None:
        if checked is None or checked.announced != Announced.by(upload):
            raise ConflictError(
                "E_INVALID_STATE", "The upload was started again. Finish the new one."
            )
        if checked.sha256 is None:
            problem = checked.problem or ""
            media_lifecycle.mark_failed(
                session, media_id, FailureStage.UPLOAD, FailureCode.UPLOAD_FAILED, problem
            )
            delete_stored_file(session, upload.storage_path)
            return _outcome(media)
        media, had_it = keep_upload(session, media, upload, sha256=checked.sha256)
    enqueued = enqueue(session, media, actor_user_id=viewer.user_id)
    return _outcome(media, duplicate=had_it, enqueued=enqueued)


def fail_abandoned_uploads(session: Session) -> int:
    """Fail items whose file never arrived. Returns how many there were.

    Only the item itself is locked, as everywhere else, and only its own columns are read: they are
    checked again under the lock, so that an upload confirmed meanwhile is left alone.
    """
    since = func.greatest(PendingUpload.expires_at, Media.updated_at)
    size = func.coalesce(PendingUpload.size_bytes, 0)
    arriving = func.make_interval(0, 0, 0, 0, 0, 0, size / _SLOWEST_BYTES_PER_SECOND)
    abandoned = session.scalars(
        select(Media)
        .outerjoin(PendingUpload, PendingUpload.media_id == Media.id)
        .where(
            Media.kind.in_(FILE_KINDS),
            Media.processing_status == ProcessingStatus.PENDING,
            Media.file_sha256.is_(None),
            since < func.now() - func.greatest(literal(ABANDONED_AFTER), arriving),
        )
        .with_for_update(of=Media, skip_locked=True)
    ).all()
    for media in abandoned:
        message = "The upload was never finished. Upload the file again."
        media_lifecycle.mark_failed(
            session, media.id, FailureStage.UPLOAD, FailureCode.UPLOAD_FAILED, message
        )
        delete_stored_file(session, _path(media.id, file_type(media.kind.value)))
    return len(abandoned)


def _check_stored(
    session: Session, viewer: Viewer, storage: StorageClient, *, media_id: UUID
) -> CheckedFile | None:
    """Check the file of the viewer's own upload; None if no upload is announced."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    require_creator(media, user_id=viewer.user_id)
    upload = session.get(PendingUpload, media_id)
    if upload is None:
        return None
    announced, kind = Announced.by(upload), file_type(media.kind.value)
    # Nothing was written yet. Reading a large file takes a while, and must hold neither a
    # transaction nor a connection; afterwards everything is checked again, under a lock.
    session.rollback()
    return check_file(storage, announced, kind)


def _lock_own(session: Session, viewer: Viewer, *, media_id: UUID) -> Media:
    """The item, locked and the viewer's own; if it was merged into another, that one."""
    session.execute(select(Media.id).where(Media.id == media_id).with_for_update())
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    require_creator(media, user_id=viewer.user_id)
    return media


def _not_waiting() -> ConflictError:
    return ConflictError("E_INVALID_STATE", "This item is not waiting for an upload.")


def _check(kind: FileType, request: UploadRequest, storage: StorageClient) -> None:
    check_announced_file(
        kind,
        filename=request.filename,
        content_type=request.content_type,
        size_bytes=request.size_bytes,
        storage_limit=storage.max_object_bytes(),
    )


def _sign(
    session: Session,
    storage: StorageClient,
    *,
    media: Media,
    kind: FileType,
    request: UploadRequest,
) -> UploadTarget:
    path = _path(media.id, kind)
    signed = storage.sign_upload(
        path, content_type=kind.content_type, size_bytes=request.size_bytes
    )
    session.merge(
        PendingUpload(
            media_id=media.id,
            storage_path=path,
            content_type=kind.content_type,
            size_bytes=request.size_bytes,
            expires_at=signed.expires_at,
        )
    )
    session.flush()
    return UploadTarget(
        media_id=media.id,
        storage_path=path,
        upload_url=signed.url,
        upload_headers=signed.headers,
        expires_at=signed.expires_at,
    )


def _outcome(media: Media, *, duplicate: bool = False, enqueued: Outcome = NOT_DONE) -> IngestOut:
    return IngestOut(
        media_id=media.id,
        duplicate=duplicate,
        processing_status=media.processing_status,
        enqueued=enqueued,
    )


def _path(media_id: UUID, kind: FileType) -> str:
    return object_path(media_id, kind.extension, prefix=get_settings().storage_prefix)
