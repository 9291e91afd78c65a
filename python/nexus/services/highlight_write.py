"""Making, changing and deleting highlights."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.models import Highlight, Media
from nexus.errors import ConflictError, InvalidRequestError
from nexus.schemas.highlights import (
    CreateHighlightRequest,
    HighlightOut,
    UpdateHighlightRequest,
)
from nexus.services.highlight_read import (
    get_highlight,
    lock_own_highlight,
    require_readable_fragment,
)
from nexus.services.highlight_span import Span, require_matching_span
from nexus.services.highlight_undo import keep_for_undo
from nexus.services.media_read import media_answer
from nexus.services.viewer import Viewer

_OFFSETS = frozenset({"start_offset", "end_offset"})
_STRINGS = frozenset({"exact", "prefix", "suffix"})


def create_highlight(
    session: Session, viewer: Viewer, *, fragment_id: UUID, request: CreateHighlightRequest
) -> HighlightOut:
    """A new highlight on readable text. The same span twice is a conflict."""
    media_id = require_readable_fragment(session, viewer, fragment_id=fragment_id)
    _require_ready(session, media_id)
    fields = request.model_dump()
    span = {name: fields[name] for name in _OFFSETS | _STRINGS}
    require_matching_span(session, fragment_id=fragment_id, span=Span(**span))
    highlight_id = session.scalar(
        insert(Highlight)
        .values(**fields, user_id=viewer.user_id, fragment_id=fragment_id)
        .on_conflict_do_nothing()
        .returning(Highlight.id)
    )
    if highlight_id is None:
        raise _same_span()
    return get_highlight(session, viewer, highlight_id=highlight_id)


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


def _require_ready(session: Session, media_id: UUID) -> None:
    media = session.scalars(select(Media).where(Media.id == media_id)).one()
    if not media_answer(session, media).capabilities.can_highlight:
        raise ConflictError(
            "E_MEDIA_NOT_READY", "This item is not ready for reading yet. Wait a moment."
        )


def _offsets(highlight: Highlight) -> dict[str, int]:
    return {"start_offset": highlight.start_offset, "end_offset": highlight.end_offset}


def _same_span() -> ConflictError:
    return ConflictError(
        "E_HIGHLIGHT_CONFLICT", "You have highlighted exactly this passage already."
    )
