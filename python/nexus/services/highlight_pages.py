"""On which page of its document a highlight is, where a document has pages."""

from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Media, MediaOutline
from nexus.schemas.highlights import PageOfText
from nexus.services.stored_places import stored_pages

PAGED_MEDIA_ID = case((Media.page_count.is_not(None), Media.id))
"""A column of `media`: the id where it has pages, so that only those cost a second query."""

# The parts of an item as one value: its pages, which may be thousands, are sent only once.
_PARTS = (
    select(func.jsonb_object_agg(Fragment.id, Fragment.idx))
    .where(Fragment.media_id == MediaOutline.media_id)
    .scalar_subquery()
)


def add_pages(
    session: Session, highlights: Iterable[dict[str, Any]], media_ids: Collection[UUID | None]
) -> None:
    """Tell each of the highlights its page, in one query; `media_ids` are those with pages."""
    paged = {media_id for media_id in media_ids if media_id is not None}
    if not paged:
        return
    query = select(MediaOutline.pages, _PARTS).where(MediaOutline.media_id.in_(paged))
    places = {
        fragment_id: (pages, idx)
        for stored, parts in session.execute(query)
        for pages in [_Pages(stored)]
        for fragment_id, idx in (parts or {}).items()
    }
    for highlight in highlights:
        pages, idx = places.get(str(highlight["fragment_id"]), (None, 0))
        if pages is not None:
            page = pages.at(idx, highlight["start_offset"])
            end = pages.at(idx, highlight["end_offset"] - 1)
            highlight["page"], highlight["end_page"] = page, end if end != page else None


class _Pages:
    """The pages of an item by the place where each begins."""

    def __init__(self, stored: Any) -> None:
        # Of pages that begin at the same place, all but the last are empty.
        self._pages = sorted(stored_pages(stored), key=_place)

    def at(self, fragment_idx: int, offset: int) -> PageOfText | None:
        before = bisect_right(self._pages, (fragment_idx, offset), key=_place)
        return PageOfText.model_validate(self._pages[before - 1]) if before else None


def _place(page: dict[str, Any]) -> tuple[int, int]:
    return page["fragment_idx"], page["offset"]
