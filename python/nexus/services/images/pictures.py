"""Pictures that are stored with the text of an item, for those who may read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.models import MediaPicture
from nexus.errors import NotFoundError
from nexus.services.media_access import find_readable
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient
from nexus.storage.errors import ObjectNotFound
from nexus.storage.paths import content_type_of


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    storage_path: str
    content_type: str
    size_bytes: int


def find_picture(session: Session, viewer: Viewer, *, media_id: UUID, name: str) -> Picture:
    """A picture of an item that the viewer may read."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    found = session.get(MediaPicture, (media.id, name))
    if found is None:
        raise _missing()
    content_type = content_type_of(found.storage_path)
    return Picture(name, found.storage_path, content_type, found.size_bytes)


def open_picture(storage: StorageClient, picture: Picture) -> Iterator[bytes]:
    """Its bytes; the first are read at once, so that a picture that is lost is an error."""
    chunks = storage.open_stream(picture.storage_path)
    try:
        first = next(chunks, b"")
    except ObjectNotFound:
        raise _missing() from None
    return chain([first], chunks)


def _missing() -> NotFoundError:
    return NotFoundError("This picture is not stored here.", code="E_PICTURE_NOT_FOUND")
