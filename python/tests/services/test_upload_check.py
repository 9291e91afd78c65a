"""A file is read while nothing is locked; what changed meanwhile is found out afterwards."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media, PendingUpload
from nexus.db.session import get_session_factory
from nexus.errors import ConflictError
from nexus.schemas.media import IngestOut, UploadInitRequest
from nexus.services.upload import confirm_upload, init_upload
from nexus.services.viewer import Viewer
from nexus.storage.local import LocalStorage
from tests.api.uploads import PDF, announcement
from tests.factories import make_user
from tests.media_states import local_storage, row, store_bytes


class WatchedStorage(LocalStorage):
    """The local storage, with somebody who looks while a file is read."""

    meanwhile: Callable[[], None]

    def open_stream(self, path: str) -> Iterator[bytes]:
        self.meanwhile()
        yield from super().open_stream(path)


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


@pytest.fixture
def media_id(session: Session, viewer: Viewer) -> UUID:
    """An upload whose bytes have come."""
    data = PDF + uuid4().bytes
    request = UploadInitRequest.model_validate(announcement(data))
    target = init_upload(session, viewer, local_storage(), request=request)
    session.commit()
    store_bytes(target.storage_path, data)
    return target.media_id


def confirm(
    session: Session, viewer: Viewer, media_id: UUID, *, meanwhile: Callable[[], None]
) -> IngestOut:
    storage = WatchedStorage.from_settings(get_settings())
    assert isinstance(storage, WatchedStorage)
    storage.meanwhile = meanwhile
    return confirm_upload(session, viewer, storage, media_id=media_id)


def test_nothing_is_held_while_the_file_is_read(
    session: Session, viewer: Viewer, media_id: UUID
) -> None:
    looks: list[bool] = []

    def look() -> None:
        with get_session_factory()() as other:
            locked = select(Media.id).where(Media.id == media_id).with_for_update(nowait=True)
            looks.append(other.scalar(locked) == media_id and not session.in_transaction())

    outcome = confirm(session, viewer, media_id, meanwhile=look)
    session.commit()
    assert looks == [True]
    assert outcome.processing_status is ProcessingStatus.PENDING
    assert row(media_id)["file_sha256"]


def test_an_upload_begun_anew_meanwhile_is_not_taken_for_the_old_one(
    session: Session, viewer: Viewer, media_id: UUID
) -> None:
    def begin_anew() -> None:
        with get_session_factory()() as other, other.begin():
            later = PendingUpload.expires_at + timedelta(minutes=1)
            other.execute(
                update(PendingUpload)
                .where(PendingUpload.media_id == media_id)
                .values(expires_at=later)
            )

    with pytest.raises(ConflictError, match="E_INVALID_STATE"):
        confirm(session, viewer, media_id, meanwhile=begin_anew)
    session.rollback()
    assert row(media_id)["file_sha256"] is None
