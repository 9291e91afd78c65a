"""Undoing a deletion: the row is kept aside, whole, for half a minute; its id for good."""

import json
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy import CursorResult, func, null, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.base import Base
from nexus.db.integrity import raising_if_deleted
from nexus.db.models import Annotation, DeletedHighlight, Fragment, Highlight
from nexus.errors import ConflictError, NotFoundError
from nexus.schemas.highlights import HighlightOut
from nexus.services.highlight_read import get_highlight
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to

UNDO_WINDOW = timedelta(seconds=30)


def keep_for_undo(session: Session, highlight: Highlight) -> None:
    """Put a highlight that is about to be deleted, and its note, aside."""
    note = session.scalars(
        select(Annotation).where(Annotation.highlight_id == highlight.id)
    ).one_or_none()
    session.execute(
        insert(DeletedHighlight).values(
            highlight_id=highlight.id,
            user_id=highlight.user_id,
            fragment_id=highlight.fragment_id,
            highlight=_as_json(highlight),
            annotation=None if note is None else _as_json(note),
        )
    )


def restore_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> HighlightOut:
    """Bring a highlight back as it was: id, colour, note and timestamps."""
    kept = session.scalars(
        select(DeletedHighlight)
        .join(Fragment, Fragment.id == DeletedHighlight.fragment_id)
        .where(
            DeletedHighlight.highlight_id == highlight_id,
            DeletedHighlight.user_id == viewer.user_id,
            DeletedHighlight.highlight.is_not(None),
            DeletedHighlight.deleted_at > func.now() - UNDO_WINDOW,
            media_visible_to(Fragment.media_id, viewer.user_id),
        )
        .with_for_update(of=DeletedHighlight)
    ).one_or_none()
    if kept is None or kept.highlight is None:
        raise NotFoundError
    with raising_if_deleted(NotFoundError()):
        restored = session.scalar(
            insert(Highlight)
            .values(**_from_json(Highlight, kept.highlight))
            .on_conflict_do_nothing()
            .returning(Highlight.id)
        )
    if restored is None:
        raise ConflictError(
            "E_HIGHLIGHT_CONFLICT", "This passage was highlighted again in the meantime."
        )
    if kept.annotation is not None:
        session.execute(insert(Annotation).values(**_from_json(Annotation, kept.annotation)))
    session.delete(kept)
    session.flush()
    return get_highlight(session, viewer, highlight_id=highlight_id)


def forget_deleted_highlights(session: Session) -> int:
    """Forget what can no longer be brought back. Returns how many there were.

    The id stays: a device that repeats the creation much later must not bring the highlight back.
    """
    statement = (
        update(DeletedHighlight)
        .where(
            DeletedHighlight.highlight.is_not(None),
            DeletedHighlight.deleted_at < func.now() - UNDO_WINDOW,
        )
        .values(highlight=null(), annotation=null())
    )
    return cast(CursorResult[Any], session.execute(statement)).rowcount


def _as_json(row: Base) -> dict[str, Any]:
    values = {column.key: getattr(row, column.key) for column in row.__table__.columns}
    kept: dict[str, Any] = json.loads(json.dumps(values, default=_plain))
    return kept


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _from_json(model: type[Base], kept: dict[str, Any]) -> dict[str, Any]:
    values = dict(kept)
    for column in model.__table__.columns:
        if column.type.python_type is datetime:
            values[column.key] = datetime.fromisoformat(values[column.key])
        elif column.type.python_type is UUID:
            values[column.key] = UUID(values[column.key])
    return values
