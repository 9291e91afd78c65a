"""Reading highlights: always the viewer's own, always on media they can still read."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, Uuid, bindparam, exists, func, select, tuple_
from sqlalchemy.orm import Session

from nexus.db.as_text import as_text
from nexus.db.direct import Direct
from nexus.db.models import Annotation, Fragment, Highlight, Media
from nexus.errors import NotFoundError
from nexus.schemas.highlights import (
    AnnotationOut,
    HighlightList,
    HighlightOfMedia,
    HighlightOfMediaList,
    HighlightOut,
)
from nexus.services.highlight_filters import EVERY_HIGHLIGHT, HighlightFilter, conditions
from nexus.services.highlight_pages import PAGED_MEDIA_ID, add_pages
from nexus.services.media_access import find_readable
from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to, row_visible_to

_Row = Row[*tuple[Any, ...]] | tuple[Any, ...]

_FIELDS = tuple(name for name in HighlightOut.model_fields if hasattr(Highlight, name))
_NOTE_FIELDS = tuple(AnnotationOut.model_fields)
_FIELDS_AND_NOTE = (*_FIELDS, "annotation")
# Columns, not entities: a long list would spend most of its time creating objects from rows.
HIGHLIGHT_COLUMNS = tuple(getattr(Highlight, name) for name in _FIELDS)
_NOTE_COLUMNS = tuple(getattr(Annotation, name) for name in _NOTE_FIELDS)
# Ids and enums as the text that they become in a response.
_AS_TEXT = tuple(as_text(column) for column in HIGHLIGHT_COLUMNS)
_NOTE_AS_TEXT = tuple(as_text(column) for column in _NOTE_COLUMNS)
_IN_TEXT_ORDER = (Highlight.start_offset, Highlight.end_offset, Highlight.id)

VIEWER_ID = bindparam("viewer_id", type_=Uuid())
FRAGMENT_ID = bindparam("fragment_id", type_=Uuid())

# The statements for opening an article and for highlighting a passage are built once.
_OWN_WITH_NOTES: Select[*tuple[Any, ...]] = (
    select(*HIGHLIGHT_COLUMNS, *_NOTE_COLUMNS)
    .outerjoin(Annotation, Annotation.highlight_id == Highlight.id)
    .where(Highlight.user_id == VIEWER_ID)
)
_OWN_AS_TEXT: Select[*tuple[Any, ...]] = (
    select(*_AS_TEXT, *_NOTE_AS_TEXT)
    .outerjoin(Annotation, Annotation.highlight_id == Highlight.id)
    .where(Highlight.user_id == VIEWER_ID)
)
_READABLE_FRAGMENT = select(Fragment.media_id).where(
    Fragment.id == FRAGMENT_ID, media_visible_to(Fragment.media_id, VIEWER_ID)
)
_PAGED_MEDIA_OF_FRAGMENT = (
    select(PAGED_MEDIA_ID)
    .join(Fragment, Fragment.media_id == Media.id)
    .where(Fragment.id == FRAGMENT_ID)
    .scalar_subquery()
)
# Whether the text is readable and has pages is checked once, not per row: neither uses a column
# of a highlight.
_OF_FRAGMENT = Direct(
    _OWN_AS_TEXT.add_columns(_PAGED_MEDIA_OF_FRAGMENT)
    .where(Highlight.fragment_id == FRAGMENT_ID, exists(_READABLE_FRAGMENT))
    .order_by(*_IN_TEXT_ORDER)
)

_OF_MEDIA = (
    _OWN_WITH_NOTES.add_columns(PAGED_MEDIA_ID)
    .join(Fragment, Fragment.id == Highlight.fragment_id)
    .join(Media, Media.id == Fragment.media_id)
    .where(Media.id == bindparam("media_id", type_=Uuid()))
    .order_by(Fragment.idx, *_IN_TEXT_ORDER)
)


def list_fragment_highlights(
    session: Session, viewer: Viewer, *, fragment_id: UUID
) -> dict[str, Any]:
    """The viewer's highlights of one text, notes included, in one query.

    In the form of a `HighlightList`: there may be hundreds, and objects take as long as the query.
    """
    names = {"viewer_id": viewer.user_id, "fragment_id": fragment_id}
    rows = _OF_FRAGMENT.rows(session, names)
    if not rows:
        require_readable_fragment(session, viewer, fragment_id=fragment_id)
    return {"highlights": _all_fields(session, rows), "next_cursor": None}


def list_media_highlights(session: Session, viewer: Viewer, *, media_id: UUID) -> HighlightList:
    """The viewer's highlights of one item, in reading order."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    return highlights_of(session, viewer, media_id=media.id)


def highlights_of(session: Session, viewer: Viewer, *, media_id: UUID) -> HighlightList:
    """The same, of an item that the viewer is known to read."""
    names = {"viewer_id": viewer.user_id, "media_id": media_id}
    rows = session.connection().execute(_OF_MEDIA, names).all()
    return HighlightList.model_validate({"highlights": _all_fields(session, rows)})


def highlights_of_items(
    session: Session, viewer: Viewer, *, media_ids: Sequence[UUID]
) -> dict[UUID, list[HighlightOfMedia]]:
    """The viewer's highlights of several items, each item's in reading order."""
    query = (
        _OWN_WITH_NOTES.add_columns(Media.id, Media.title, Fragment.label, PAGED_MEDIA_ID)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .join(Media, Media.id == Fragment.media_id)
        .where(Media.id.in_(media_ids), row_visible_to(Media.id, VIEWER_ID))
        .order_by(Media.id, Fragment.idx, *_IN_TEXT_ORDER)
    )
    rows = session.execute(query, {"viewer_id": viewer.user_id}).all()
    found: dict[UUID, list[HighlightOfMedia]] = {}
    for fields, row in zip(_all_fields(session, rows), rows, strict=True):
        one = HighlightOfMedia(**fields, media_id=row[-4], media_title=row[-3], chapter=row[-2])
        found.setdefault(one.media_id, []).append(one)
    return found


def count_highlights(
    session: Session, viewer: Viewer, *, media_ids: Select[*tuple[Any, ...]]
) -> int:
    """How many highlights the viewer has on the items that a query finds."""
    query = (
        select(func.count())
        .select_from(Highlight)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Highlight.user_id == viewer.user_id, Fragment.media_id.in_(media_ids))
    )
    return session.scalar(query) or 0


def list_all_highlights(
    session: Session,
    viewer: Viewer,
    *,
    cursor: str | None,
    limit: int,
    wanted: HighlightFilter = EVERY_HIGHLIGHT,
) -> HighlightOfMediaList:
    """The viewer's highlights, the newest first, each with the title it belongs to."""
    query = (
        _OWN_WITH_NOTES.add_columns(Media.id, Media.title, Fragment.label, PAGED_MEDIA_ID)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .join(Media, Media.id == Fragment.media_id)
        .where(media_visible_to(Media.id, VIEWER_ID), *conditions(session, viewer, wanted))
        .order_by(Highlight.created_at.desc(), Highlight.id.desc())
    )
    if cursor is not None:
        position = decode_cursor(cursor, (datetime, UUID))
        query = query.where(tuple_(Highlight.created_at, Highlight.id) < tuple_(*position))
    rows = session.execute(query.limit(limit + 1), {"viewer_id": viewer.user_id}).all()
    page = [
        HighlightOfMedia(**fields, media_id=row[-4], media_title=row[-3], chapter=row[-2])
        for fields, row in zip(_all_fields(session, rows[:limit]), rows, strict=False)
    ]
    last = page[-1] if len(rows) > limit else None
    return HighlightOfMediaList(
        highlights=page,
        next_cursor=encode_cursor((last.created_at, last.id)) if last else None,
    )


def in_reading_order(
    session: Session, highlights: Sequence[HighlightOfMedia]
) -> list[HighlightOfMedia]:
    """Highlights of any items, each item's as one comes across them."""
    ids = {highlight.fragment_id for highlight in highlights}
    parts = session.execute(select(Fragment.id, Fragment.idx).where(Fragment.id.in_(ids))).all()
    idx = {part.id: part.idx for part in parts}
    return sorted(
        highlights,
        key=lambda one: (idx[one.fragment_id], one.start_offset, one.end_offset, one.id),
    )


def get_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> HighlightOut:
    query = (
        _OWN_WITH_NOTES.add_columns(PAGED_MEDIA_ID)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .join(Media, Media.id == Fragment.media_id)
        .where(Highlight.id == highlight_id, media_visible_to(Media.id, VIEWER_ID))
    )
    row = session.execute(query, {"viewer_id": viewer.user_id}).one_or_none()
    if row is None:
        raise NotFoundError
    (fields,) = _all_fields(session, [row])
    return HighlightOut.model_validate(fields)


def lock_own_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> Highlight:
    """The viewer's highlight, locked for a change; 404 if it does not exist or is not theirs."""
    query = (
        select(Highlight)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(
            Highlight.id == highlight_id,
            Highlight.user_id == viewer.user_id,
            media_visible_to(Fragment.media_id, viewer.user_id),
        )
        .with_for_update(of=Highlight)
    )
    highlight = session.scalars(query).one_or_none()
    if highlight is None:
        raise NotFoundError
    return highlight


def require_readable_fragment(session: Session, viewer: Viewer, *, fragment_id: UUID) -> UUID:
    """The media id of a fragment the viewer can read."""
    names = {"viewer_id": viewer.user_id, "fragment_id": fragment_id}
    media_id = session.scalar(_READABLE_FRAGMENT, names)
    if media_id is None:
        raise NotFoundError
    return media_id


def _all_fields(session: Session, rows: Sequence[_Row]) -> list[dict[str, Any]]:
    """Rows that end with the item's id if it has pages."""
    found = [_fields(row) for row in rows]
    add_pages(session, found, {row[-1] for row in rows})
    return found


def _fields(row: _Row) -> dict[str, Any]:
    # The first column of a note is its id, which is null where there is none.
    fields: dict[str, Any] = dict(zip(_FIELDS_AND_NOTE, row, strict=False))
    if fields["annotation"] is not None:
        fields["annotation"] = dict(zip(_NOTE_FIELDS, row[len(_FIELDS) :], strict=False))
    fields["page"] = fields["end_page"] = None
    return fields
