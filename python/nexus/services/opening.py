"""Opening an item: everything its first screen needs, in one response."""

from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.schemas.media import MediaOut
from nexus.schemas.reading import PositionOut
from nexus.services.capabilities import READABLE
from nexus.services.document_read import first_fragment, outline_of
from nexus.services.highlight_read import highlights_of
from nexus.services.media_read import get_file_url, get_media
from nexus.services.reading import get_preferences, position_in
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient

# Read piece by piece, by their outline.
_OUTLINED = frozenset({MediaKind.EPUB, MediaKind.PDF})


def open_media(
    session: Session, viewer: Viewer, storage: StorageClient, *, media_id: UUID, text: bool
) -> dict[str, Any]:
    """What a reader needs at first; `text` is whether the caller still needs the text itself.

    In the form of an `OpeningOut`, because of the outline, which may be long. So may the text of a
    PDF, and it is not part of it: its first page is a picture.
    """
    media = get_media(session, viewer, media_id=media_id)
    preferences = get_preferences(session, viewer)
    if not media.capabilities.can_read:
        return {
            "media": media,
            "fragment": None,
            "outline": None,
            "file": None,
            "highlights": [],
            "position": None,
            "preferences": preferences,
        }
    is_pdf = media.kind == MediaKind.PDF
    outline = _outline(session, media)
    position = position_in(session, viewer, media_id=media.id)
    fragment = None
    if text and not is_pdf:
        fragment = first_fragment(
            session,
            media_id=media.id,
            fragment_id=_where_one_reads(position, outline),
            saved_at=media.saved_at,
        )
    return {
        "media": media,
        "fragment": fragment,
        "outline": outline,
        "file": get_file_url(session, viewer, storage, media_id=media.id) if is_pdf else None,
        "highlights": highlights_of(session, viewer, media_id=media.id).highlights,
        "position": position,
        "preferences": preferences,
    }


def _outline(session: Session, media: MediaOut) -> dict[str, Any] | None:
    if media.kind not in _OUTLINED:
        return None
    return outline_of(session, media_id=media.id, is_read=media.processing_status in READABLE)


def _where_one_reads(position: PositionOut | None, outline: dict[str, Any] | None) -> UUID | None:
    if position:
        return position.fragment_id
    start = outline and outline["start"]
    return UUID(start["fragment_id"]) if start else None
