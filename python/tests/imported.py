"""Imports for tests: rows as a preview leaves them, and running them to their end."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import ImportOutcome
from nexus.db.models import Import, ImportRecord
from nexus.db.task_session import task_session
from nexus.importers.records import ImportedItem, Skipped
from nexus.services.imports import states
from nexus.services.imports.run import run_slice
from nexus.services.viewer import Viewer


def previewed(session: Session, viewer: Viewer, records: Iterable[ImportedItem | Skipped]) -> UUID:
    """An import whose file has been read."""
    found = Import(
        user_id=viewer.user_id,
        name="export.html",
        format="bookmarks",
        format_label="Bookmarks",
        samples=[],
    )
    found.skipped_reasons = {}
    session.add(found)
    session.flush()
    for number, record in enumerate(records, start=1):
        skipped = isinstance(record, Skipped)
        session.add(
            ImportRecord(
                import_id=found.id,
                number=number,
                line=record.line,
                record=record.to_json(),
                outcome=ImportOutcome.SKIPPED if skipped else ImportOutcome.WAITING,
                reason=record.reason if isinstance(record, Skipped) else None,
            )
        )
        if isinstance(record, ImportedItem):
            found.items = (found.items or 0) + 1
            found.highlights = (found.highlights or 0) + len(record.highlights)
        else:
            found.skipped = (found.skipped or 0) + 1
    session.commit()
    return found.id


def start(
    session: Session,
    viewer: Viewer,
    import_id: UUID,
    *,
    library_id: UUID | None = None,
    tags: Iterable[str] = (),
) -> None:
    states.start(session, viewer, import_id=import_id, library_id=library_id, tags=list(tags))
    session.commit()


def run_to_the_end(import_id: UUID) -> None:
    """As workers would, one slice after the other."""
    while run_slice(task_session, import_id):
        pass


def imported(
    session: Session,
    viewer: Viewer,
    records: Iterable[ImportedItem | Skipped],
    *,
    library_id: UUID | None = None,
    tags: Iterable[str] = (),
) -> UUID:
    """An import that has run."""
    import_id = previewed(session, viewer, records)
    start(session, viewer, import_id, library_id=library_id, tags=tags)
    run_to_the_end(import_id)
    session.expire_all()
    return import_id


def records_of(session: Session, import_id: UUID) -> list[ImportRecord]:
    session.rollback()
    query = select(ImportRecord).where(ImportRecord.import_id == import_id)
    fresh = query.order_by(ImportRecord.number).execution_options(populate_existing=True)
    return list(session.scalars(fresh))
