"""One saved item with everything the person has of it."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.models import MediaFile
from nexus.schemas.base import ResponseModel
from nexus.schemas.highlights import HighlightOut
from nexus.schemas.media import FragmentOut, MediaOut
from nexus.services.document_read import list_fragments
from nexus.services.highlight_read import list_media_highlights
from nexus.services.libraries import list_libraries
from nexus.services.media_list import list_media
from nexus.services.media_read import list_holding_libraries
from nexus.services.viewer import Viewer

_PAGE = 100


class ExportedItem(ResponseModel):
    """As it is written into the JSON file of an item."""

    media: MediaOut
    libraries: list[str]
    fragments: list[FragmentOut]
    highlights: list[HighlightOut]


def all_items(session: Session, viewer: Viewer) -> Iterator[tuple[ExportedItem, MediaFile | None]]:
    """Everything the person can read, the newest first, each with its stored file."""
    names = _library_names(session, viewer)
    cursor = None
    while True:
        page = list_media(session, viewer, cursor=cursor, limit=_PAGE)
        for media in page.media:
            held = list_holding_libraries(session, viewer, media_id=media.id).library_ids
            item = ExportedItem(
                media=MediaOut.model_validate(media),
                libraries=sorted(names[library_id] for library_id in held),
                fragments=list_fragments(session, viewer, media_id=media.id).fragments,
                highlights=list_media_highlights(session, viewer, media_id=media.id).highlights,
            )
            file = session.scalar(select(MediaFile).where(MediaFile.media_id == media.id))
            yield item, file
            # Long texts are not kept once they are written.
            session.expunge_all()
        cursor = page.next_cursor
        if cursor is None:
            return


def _library_names(session: Session, viewer: Viewer) -> dict[object, str]:
    names: dict[object, str] = {}
    cursor = None
    while True:
        page = list_libraries(session, viewer, cursor=cursor, limit=_PAGE)
        names |= {library.id: library.name for library in page.libraries}
        cursor = page.next_cursor
        if cursor is None:
            return names
