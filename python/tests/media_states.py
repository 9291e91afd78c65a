"""Items in every state of the lifecycle, and looking at all of a row at once."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import Fragment, Media, MediaFile, RemovedMedia
from nexus.db.session import get_session_factory
from nexus.extractors.kinds import KINDS
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from nexus.storage.local import LocalStorage
from nexus.storage.paths import object_path
from nexus.tasks import delete_removed_media
from tests.factories import make_media

EARLIER = datetime(2026, 1, 1, 12, tzinfo=UTC)
_STARTED = {"processing_attempts": 1, "processing_started_at": EARLIER}
_COMPLETED = {**_STARTED, "processing_completed_at": EARLIER + timedelta(minutes=1)}

FIELDS_OF_STATE: dict[ProcessingStatus, dict[str, Any]] = {
    ProcessingStatus.PENDING: {},
    ProcessingStatus.EXTRACTING: {**_STARTED, "lease_expires_at": EARLIER},
    ProcessingStatus.READY_FOR_READING: _COMPLETED,
    ProcessingStatus.EMBEDDING: _COMPLETED,
    ProcessingStatus.READY: _COMPLETED,
    ProcessingStatus.FAILED: {
        **_STARTED,
        "failure_stage": FailureStage.EXTRACT,
        "last_error_code": "E_EXTRACTION_FAILED",
        "last_error_message": "It broke.",
        "failed_at": EARLIER,
    },
}


def media_in(session: Session, creator: Viewer, status: ProcessingStatus, **fields: Any) -> Media:
    """A committed item that looks as if the lifecycle had brought it there."""
    values = {"processing_status": status, **FIELDS_OF_STATE[status], **fields}
    return make_media(session, creator, **values)


def row(media_id: UUID) -> dict[str, Any]:
    """Every committed column of an item."""
    with get_session_factory()() as session:
        table = Media.__table__
        found = session.execute(select(table).where(table.c.id == media_id)).mappings().one()
        return dict(found)


def let_undo_expire(session: Session) -> None:
    """As if the time to undo removals had passed, and the chore that follows had run."""
    session.rollback()
    session.execute(update(RemovedMedia).values(removed_at=EARLIER))
    session.commit()
    delete_removed_media()


def local_storage() -> LocalStorage:
    client = get_storage_client(get_settings())
    assert isinstance(client, LocalStorage)
    return client


def store_bytes(path: str, data: bytes) -> None:
    with local_storage().pending_upload(path, len(data)) as pending:
        pending.write(data)
        pending.commit()


def stored_file(
    session: Session, creator: Viewer, kind: MediaKind, data: bytes, **fields: Any
) -> Media:
    """An item whose file has arrived, and that nobody has read yet."""
    file = KINDS[kind].file
    assert file is not None
    unread = {"processing_status": ProcessingStatus.PENDING, "requested_url": None}
    media = make_media(
        session, creator, **{**unread, "kind": kind, "file_sha256": uuid4().hex, **fields}
    )
    path = object_path(media.id, file.extension, prefix=get_settings().storage_prefix)
    store_bytes(path, data)
    session.add(
        MediaFile(
            media_id=media.id,
            storage_path=path,
            content_type=file.content_type,
            size_bytes=len(data),
        )
    )
    session.commit()
    return media


def media_with_everything(
    session: Session, creator: Viewer, *, stage: FailureStage, **fields: Any
) -> tuple[Media, str]:
    """A failed PDF with fragments, a file, its hash and its stored bytes; and where they lie."""
    media = media_in(
        session,
        creator,
        ProcessingStatus.FAILED,
        kind=MediaKind.PDF,
        failure_stage=stage,
        processing_completed_at=EARLIER,
        **fields,
    )
    path = object_path(media.id, "pdf", prefix=get_settings().storage_prefix)
    store_bytes(path, b"%PDF-1.7")
    media.file_sha256 = "ab" * 32
    session.add(
        MediaFile(
            media_id=media.id, storage_path=path, content_type="application/pdf", size_bytes=8
        )
    )
    session.add_all(
        Fragment(media_id=media.id, idx=idx, html_sanitized="<p>x</p>", canonical_text="x")
        for idx in range(2)
    )
    session.commit()
    return media, path
