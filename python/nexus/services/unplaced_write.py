"""Writing a highlight from elsewhere at its place, with the dates and the note it came with."""

from uuid import UUID, uuid4

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor, UnplacedState
from nexus.db.models import Annotation, Fragment, Highlight, UnplacedHighlight
from nexus.errors import ConflictError, InvalidRequestError, NotFoundError
from nexus.schemas.highlights import MAX_NOTE_LENGTH, CreateHighlightRequest, HighlightOut
from nexus.schemas.unplaced import PlaceHighlightRequest
from nexus.services.highlight_read import get_highlight
from nexus.services.highlight_span import Span
from nexus.services.highlight_write import create_highlight
from nexus.services.search_marks import mark_words
from nexus.services.unplaced import EMPTY, is_open, lock_own
from nexus.services.viewer import Viewer


def place_by_hand(
    session: Session, viewer: Viewer, *, unplaced_id: UUID, request: PlaceHighlightRequest
) -> tuple[HighlightOut, bool]:
    """A highlight where the person wants it; True if it is new.

    If they have one there already, the note is added to it.
    """
    placed_before = (UnplacedHighlight.state == UnplacedState.PLACED) & (
        UnplacedHighlight.highlight_id == request.id
    )
    row = lock_own(session, viewer, unplaced_id=unplaced_id, condition=is_open() | placed_before)
    if row.state is UnplacedState.PLACED:
        return get_highlight(session, viewer, highlight_id=request.id), False
    of_item = select(Fragment.media_id).where(Fragment.id == request.fragment_id)
    if session.scalar(of_item) != row.media_id:
        raise NotFoundError
    fields = request.model_dump(exclude={"fragment_id"})
    try:
        made, _ = create_highlight(
            session,
            viewer,
            fragment_id=request.fragment_id,
            request=CreateHighlightRequest(**fields),
        )
        highlight_id, new = made.id, True
        dates = {"created_at": row.created_at, "updated_at": row.updated_at}
        session.execute(update(Highlight).where(Highlight.id == made.id).values(dates))
    except ConflictError as conflict:
        if conflict.code != "E_HIGHLIGHT_CONFLICT":
            raise
        span = (request.start_offset, request.end_offset)
        highlight_id, new = _at(session, viewer.user_id, request.fragment_id, span), False
    if not _add_note(session, row, highlight_id, request.fragment_id):
        raise InvalidRequestError(
            f"The note would be longer than {MAX_NOTE_LENGTH:,} characters. Place it elsewhere."
        )
    _settle(row, highlight_id if new else None)
    # It is the person's own work now, and stays when the import is undone.
    row.import_id = None
    session.flush()
    return get_highlight(session, viewer, highlight_id=highlight_id), new


def become_highlight(
    session: Session, row: UnplacedHighlight, fragment_id: UUID, span: Span
) -> bool:
    """Make it a highlight, or part of the one that is there. False if its note is too long."""
    if len(row.note or "") > MAX_NOTE_LENGTH:
        not_found(row)
        return False
    made = session.scalar(
        insert(Highlight)
        .values(
            id=uuid4(),
            user_id=row.user_id,
            fragment_id=fragment_id,
            start_offset=span.start_offset,
            end_offset=span.end_offset,
            color=row.color or HighlightColor.YELLOW,
            exact=span.exact,
            prefix=span.prefix,
            suffix=span.suffix,
            words=mark_words(session, span.exact, fragment_id=fragment_id),
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        .on_conflict_do_nothing()
        .returning(Highlight.id)
    )
    place = (span.start_offset, span.end_offset)
    highlight_id = made or _at(session, row.user_id, fragment_id, place)
    if not _add_note(session, row, highlight_id, fragment_id):
        not_found(row)
        return False
    _settle(row, made)
    return True


def not_found(row: UnplacedHighlight) -> None:
    """It stays as it is, for the person to place."""
    row.state = UnplacedState.NOT_FOUND
    row.tried_at = func.clock_timestamp()


def _settle(row: UnplacedHighlight, highlight_id: UUID | None) -> None:
    row.state = UnplacedState.PLACED
    row.highlight_id = highlight_id
    row.tried_at = func.clock_timestamp()
    for name, value in EMPTY.items():
        setattr(row, name, value)


def _at(session: Session, user_id: UUID, fragment_id: UUID, span: tuple[int, int]) -> UUID:
    """The person's highlight of exactly this span, locked."""
    return session.scalars(
        select(Highlight.id)
        .where(
            Highlight.user_id == user_id,
            Highlight.fragment_id == fragment_id,
            Highlight.start_offset == span[0],
            Highlight.end_offset == span[1],
        )
        .with_for_update()
    ).one()


def _add_note(
    session: Session, row: UnplacedHighlight, highlight_id: UUID, fragment_id: UUID
) -> bool:
    """Add the note below the one that is there. False if that would be too long."""
    if not row.note:
        return True
    there = session.scalars(
        select(Annotation).where(Annotation.highlight_id == highlight_id)
    ).one_or_none()
    if there is not None and row.note in there.body:
        return True
    body = row.note if there is None else f"{there.body}\n\n{row.note}"
    if len(body) > MAX_NOTE_LENGTH:
        return False
    words = mark_words(session, body, fragment_id=fragment_id)
    if there is not None:
        there.body, there.words = body, words
        return True
    session.add(
        Annotation(
            highlight_id=highlight_id,
            user_id=row.user_id,
            body=body,
            words=words,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
    )
    session.flush()
    return True
