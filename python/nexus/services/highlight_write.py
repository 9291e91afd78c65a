"""Making, changing and deleting highlights."""

from typing import Any, cast
from uuid import UUID

from sqlalchemy import Integer, Select, Table, bindparam, exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Highlight, Media, MediaFile
from nexus.errors import ConflictError, InvalidRequestError, NotFoundError
from nexus.schemas.highlights import (
    CreateHighlightRequest,
    HighlightOut,
    UpdateHighlightRequest,
)
from nexus.services.capabilities import derive_capabilities
from nexus.services.highlight_read import (
    FRAGMENT_ID,
    HIGHLIGHT_COLUMNS,
    VIEWER_ID,
    get_highlight,
    lock_own_highlight,
)
from nexus.services.highlight_span import Span, require_matching_span, require_text, window_of
from nexus.services.highlight_undo import keep_for_undo
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to

_OFFSETS = frozenset({"start_offset", "end_offset"})
_STRINGS = frozenset({"exact", "prefix", "suffix"})

# All that decides about a new highlight, in one round trip.
_TARGET: Select[*tuple[Any, ...]] = (
    select(
        Media.kind,
        Media.processing_status,
        Media.last_error_code,
        Media.external_playback_url,
        exists().where(MediaFile.media_id == Media.id),
        func.substr(
            Fragment.canonical_text,
            bindparam("window_start", type_=Integer()),
            bindparam("window_length", type_=Integer()),
        ),
    )
    .join(Media, Media.id == Fragment.media_id)
    .where(Fragment.id == FRAGMENT_ID, media_visible_to(Fragment.media_id, VIEWER_ID))
)
_INSERT = (
    insert(cast(Table, Highlight.__table__)).on_conflict_do_nothing().returning(*HIGHLIGHT_COLUMNS)
)


def create_highlight(
    session: Session, viewer: Viewer, *, fragment_id: UUID, request: CreateHighlightRequest
) -> HighlightOut:
    """A new highlight on readable text. The same span twice is a conflict."""
    fields = request.model_dump()
    span = Span(**{name: fields[name] for name in _OFFSETS | _STRINGS})
    _require_markable(session, viewer, fragment_id=fragment_id, span=span)
    row = session.execute(
        _INSERT, {**fields, "user_id": viewer.user_id, "fragment_id": fragment_id}
    ).one_or_none()
    if row is None:
        raise _same_span()
    return HighlightOut.model_validate({**row._mapping, "annotation": None})


def update_highlight(
    session: Session, viewer: Viewer, *, highlight_id: UUID, request: UpdateHighlightRequest
) -> HighlightOut:
    """Change colour or span; identity and note stay."""
    highlight = lock_own_highlight(session, viewer, highlight_id=highlight_id)
    changes = request.model_dump(exclude_unset=True)
    moved = any(changes.get(name, value) != value for name, value in _offsets(highlight).items())
    if moved and not changes.keys() >= _STRINGS:
        raise InvalidRequestError(
            "A change of offsets must bring exact, prefix and suffix of the new place."
        )
    for name, value in changes.items():
        setattr(highlight, name, value)
    if changes.keys() & (_OFFSETS | _STRINGS):
        _flush_span(session, highlight)
    session.flush()
    return get_highlight(session, viewer, highlight_id=highlight_id)


def delete_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> None:
    """Delete a highlight and its note; for a moment the deletion can be undone."""
    highlight = lock_own_highlight(session, viewer, highlight_id=highlight_id)
    keep_for_undo(session, highlight)
    session.delete(highlight)
    session.flush()


def _flush_span(session: Session, highlight: Highlight) -> None:
    span = Span(**{name: getattr(highlight, name) for name in _OFFSETS | _STRINGS})
    with session.no_autoflush:
        require_matching_span(session, fragment_id=highlight.fragment_id, span=span)
    try:
        session.flush()
    except IntegrityError:
        raise _same_span() from None


def _require_markable(session: Session, viewer: Viewer, *, fragment_id: UUID, span: Span) -> None:
    """The text is the viewer's to read, ready to be highlighted, and what the span says."""
    start, length = window_of(span)
    names = {"viewer_id": viewer.user_id, "fragment_id": fragment_id}
    target = session.execute(
        _TARGET, {**names, "window_start": start, "window_length": length}
    ).one_or_none()
    if target is None:
        raise NotFoundError
    kind, status, last_error_code, playback_url, has_file, window = target
    capabilities = derive_capabilities(
        kind=kind,
        status=status,
        last_error_code=last_error_code,
        has_file=has_file,
        has_playback_url=playback_url is not None,
    )
    if not capabilities.can_highlight:
        raise ConflictError(
            "E_MEDIA_NOT_READY", "This item is not ready for reading yet. Wait a moment."
        )
    require_text(span, window)


def _offsets(highlight: Highlight) -> dict[str, int]:
    return {"start_offset": highlight.start_offset, "end_offset": highlight.end_offset}


def _same_span() -> ConflictError:
    return ConflictError(
        "E_HIGHLIGHT_CONFLICT", "You have highlighted exactly this passage already."
    )
