"""Reading highlights: always the viewer's own, always on media they can still read."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, select, tuple_
from sqlalchemy.orm import Session

from nexus.db.models import Annotation, Fragment, Highlight, Media
from nexus.errors import NotFoundError
from nexus.schemas.highlights import (
    AnnotationOut,
    HighlightList,
    HighlightOfMedia,
    HighlightOfMediaList,
    HighlightOut,
)
from nexus.services.media_access import find_readable
from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to

_IN_TEXT_ORDER = (Highlight.start_offset, Highlight.end_offset, Highlight.id)


def list_fragment_highlights(
    session: Session, viewer: Viewer, *, fragment_id: UUID
) -> HighlightList:
    """The viewer's highlights of one text, notes included, in one query."""
    require_readable_fragment(session, viewer, fragment_id=fragment_id)
    query = _own_with_notes(viewer).where(Highlight.fragment_id == fragment_id)
    rows = session.execute(query.order_by(*_IN_TEXT_ORDER)).all()
    return HighlightList(highlights=[_highlight_out(row) for row in rows])


def list_media_highlights(session: Session, viewer: Viewer, *, media_id: UUID) -> HighlightList:
    """The viewer's highlights of one item, in reading order."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    query = (
        _own_with_notes(viewer)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Fragment.media_id == media.id)
        .order_by(Fragment.idx, *_IN_TEXT_ORDER)
    )
    return HighlightList(highlights=[_highlight_out(row) for row in session.execute(query)])


def list_all_highlights(
    session: Session, viewer: Viewer, *, cursor: str | None, limit: int
) -> HighlightOfMediaList:
    """All of the viewer's highlights, the newest first, each with the title it belongs to."""
    query = (
        _own_with_notes(viewer)
        .add_columns(Media.id, Media.title)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .join(Media, Media.id == Fragment.media_id)
        .where(media_visible_to(Media.id, viewer.user_id))
        .order_by(Highlight.created_at.desc(), Highlight.id.desc())
    )
    if cursor is not None:
        position = decode_cursor(cursor, (datetime, UUID))
        query = query.where(tuple_(Highlight.created_at, Highlight.id) < tuple_(*position))
    rows = session.execute(query.limit(limit + 1)).all()
    page = rows[:limit]
    last = page[-1][0] if len(rows) > limit else None
    return HighlightOfMediaList(
        highlights=[
            HighlightOfMedia(**_fields(row), media_id=row[2], media_title=row[3]) for row in page
        ],
        next_cursor=encode_cursor((last.created_at, last.id)) if last else None,
    )


def get_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> HighlightOut:
    query = (
        _own_with_notes(viewer)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Highlight.id == highlight_id, media_visible_to(Fragment.media_id, viewer.user_id))
        .execution_options(populate_existing=True)
    )
    row = session.execute(query).one_or_none()
    if row is None:
        raise NotFoundError
    return _highlight_out(row)


def lock_own_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> Highlight:
    """The viewer's highlight, locked for a change; 404 when it is not there or not theirs."""
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
    query = select(Fragment.media_id).where(
        Fragment.id == fragment_id, media_visible_to(Fragment.media_id, viewer.user_id)
    )
    media_id = session.scalar(query)
    if media_id is None:
        raise NotFoundError
    return media_id


def _own_with_notes(viewer: Viewer) -> Select[Highlight, Annotation]:
    return (
        select(Highlight, Annotation)
        .outerjoin(Annotation, Annotation.highlight_id == Highlight.id)
        .where(Highlight.user_id == viewer.user_id)
    )


def _highlight_out(row: Row[*tuple[Any, ...]]) -> HighlightOut:
    return HighlightOut(**_fields(row))


def _fields(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    highlight, annotation = row[0], row[1]
    fields = {
        name: getattr(highlight, name) for name in HighlightOut.model_fields if name != "annotation"
    }
    note = None if annotation is None else AnnotationOut.model_validate(annotation)
    return {**fields, "annotation": note}
