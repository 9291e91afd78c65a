"""What a list of highlights can be narrowed to."""

from datetime import UTC, date, datetime, time
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, CompoundSelect, and_, cast, exists, false, select, union
from sqlalchemy.dialects.postgresql import TSQUERY, array
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor
from nexus.db.models import Annotation, Fragment, Highlight, ItemTag, LibraryMedia
from nexus.errors import InvalidRequestError
from nexus.search.query import parse_query
from nexus.search.query_filters import Filters
from nexus.services.libraries import require_member
from nexus.services.media_access import find_readable
from nexus.services.search_words import search_words
from nexus.services.tags import find_tags, tag_key
from nexus.services.viewer import Viewer


class HighlightFilter(NamedTuple):
    """What is left out is not asked for; a list of colors means any of them."""

    text: str = ""
    """Words in the passage or in the note, as in a search."""
    colors: tuple[HighlightColor, ...] = ()
    tags: tuple[str, ...] = ()
    """On items that have all of these."""
    highlight_id: UUID | None = None
    media_id: UUID | None = None
    library_id: UUID | None = None
    after: date | None = None
    """Highlighted on this day or later, as everywhere in UTC."""
    before: date | None = None
    """Highlighted before this day."""


EVERY_HIGHLIGHT = HighlightFilter()


def conditions(
    session: Session, viewer: Viewer, wanted: HighlightFilter
) -> list[ColumnElement[bool]]:
    """SQL conditions on `highlights` joined with `fragments`.

    An item or a library that the viewer cannot see raises the error that opening it would.
    """
    found: list[ColumnElement[bool]] = []
    if wanted.text.strip():
        found.append(Highlight.id.in_(_with_words(session, viewer, wanted.text)))
    if wanted.tags:
        found.append(_tagged(session, viewer, wanted.tags))
    if wanted.colors:
        found.append(Highlight.color.in_(wanted.colors))
    if wanted.highlight_id is not None:
        found.append(Highlight.id == wanted.highlight_id)
    if wanted.media_id is not None:
        media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=wanted.media_id)
        found.append(Fragment.media_id == media.id)
    if wanted.library_id is not None:
        require_member(session, viewer, library_id=wanted.library_id)
        found.append(_in_library(wanted.library_id))
    if wanted.after is not None:
        found.append(Highlight.created_at >= _start_of(wanted.after))
    if wanted.before is not None:
        found.append(Highlight.created_at < _start_of(wanted.before))
    return found


def _with_words(session: Session, viewer: Viewer, text: str) -> CompoundSelect[UUID]:
    query = parse_query(text)
    if query.filters != Filters():
        raise InvalidRequestError(
            "Only words can be searched for here. Choose everything else from the filters, or "
            "search everywhere.",
            code="E_SEARCH_INVALID",
        )
    words = cast(search_words(session, query).anywhere(), TSQUERY)
    own = array([viewer.user_id])
    return union(
        select(Highlight.id).where(
            array([Highlight.user_id]).overlap(own), Highlight.words.bool_op("@@")(words)
        ),
        select(Annotation.highlight_id).where(
            array([Annotation.user_id]).overlap(own), Annotation.words.bool_op("@@")(words)
        ),
    )


def _tagged(session: Session, viewer: Viewer, names: tuple[str, ...]) -> ColumnElement[bool]:
    found = find_tags(session, user_id=viewer.user_id, names=names)
    if len(found) < len({tag_key(name) for name in names}):
        return false()
    return and_(
        *(
            exists().where(ItemTag.tag_id == tag_id, ItemTag.media_id == Fragment.media_id)
            for tag_id in found.values()
        )
    )


def _in_library(library_id: UUID) -> ColumnElement[bool]:
    return exists().where(
        LibraryMedia.media_id == Fragment.media_id, LibraryMedia.library_id == library_id
    )


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
