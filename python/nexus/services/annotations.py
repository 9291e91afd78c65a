"""The note on a highlight: at most one, plain text."""

from uuid import UUID

from sqlalchemy import Boolean, delete, func, literal_column
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.models import Annotation
from nexus.schemas.highlights import AnnotationOut
from nexus.services.highlight_read import lock_own_highlight
from nexus.services.search_marks import mark_words
from nexus.services.viewer import Viewer


def put_annotation(
    session: Session, viewer: Viewer, *, highlight_id: UUID, body: str
) -> tuple[AnnotationOut, bool]:
    """Create or replace the note. True if there was none."""
    highlight = lock_own_highlight(session, viewer, highlight_id=highlight_id)
    words = mark_words(session, body, fragment_id=highlight.fragment_id)
    # A row that was inserted, not updated, has no earlier version: its xmax is 0.
    inserted = literal_column("(annotations.xmax = 0)", Boolean)
    row = session.execute(
        insert(Annotation)
        .values(highlight_id=highlight_id, user_id=viewer.user_id, body=body, words=words)
        .on_conflict_do_update(
            index_elements=[Annotation.highlight_id],
            set_={"body": body, "words": words, "updated_at": func.clock_timestamp()},
        )
        .returning(Annotation, inserted)
    ).one()
    return AnnotationOut.model_validate(row[0]), bool(row[1])


def delete_annotation(session: Session, viewer: Viewer, *, highlight_id: UUID) -> None:
    """Remove the note, if there is one; the highlight stays."""
    lock_own_highlight(session, viewer, highlight_id=highlight_id)
    session.execute(delete(Annotation).where(Annotation.highlight_id == highlight_id))
