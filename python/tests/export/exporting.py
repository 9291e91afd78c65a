"""Exports of a test's own people."""

from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import HighlightColor
from nexus.db.models import Annotation, Fragment, Highlight
from nexus.export.job import ExportJob
from nexus.export.run import start_export
from nexus.schemas.exports import ExportFormat
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client


def exported(
    session: Session, viewer: Viewer, format: ExportFormat, **choices: Any
) -> tuple[bytes, ExportJob]:
    session.commit()
    storage = get_storage_client(get_settings())
    export = start_export(session, viewer, storage, format=format, **choices)
    try:
        return b"".join(export.chunks), export.job
    finally:
        export.close()
        session.rollback()


def mark(
    session: Session,
    viewer: Viewer,
    fragment: Fragment,
    start: int,
    end: int,
    *,
    note: str | None = None,
    color: HighlightColor = HighlightColor.YELLOW,
    **fields: Any,
) -> UUID:
    """A highlight as the application would store it."""
    text = fragment.canonical_text
    highlight = Highlight(
        user_id=viewer.user_id,
        fragment_id=fragment.id,
        start_offset=start,
        end_offset=end,
        color=color,
        exact=text[start:end],
        prefix=text[max(0, start - 64) : start],
        suffix=text[end : end + 64],
        **fields,
    )
    session.add(highlight)
    session.flush()
    if note is not None:
        session.add(Annotation(highlight_id=highlight.id, user_id=viewer.user_id, body=note))
    session.commit()
    return highlight.id
