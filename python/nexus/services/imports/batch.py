"""Taking in the next lines of an import: all of them in one transaction, or none."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from nexus.db.bulk import json_rows
from nexus.db.enums import ImportOutcome
from nexus.db.models import Import, ImportRecord, Library
from nexus.errors import MediaNotFoundError
from nexus.importers.records import ImportedItem
from nexus.logging import get_logger
from nexus.services.imports.addresses import find_items, save_items
from nexus.services.imports.books import find_books
from nexus.services.imports.lines import Line
from nexus.services.imports.order import prepare, put_in_order
from nexus.services.imports.own_archive import FORMAT, MOST_AT_ONCE, restore_items, restore_rest
from nexus.services.imports.shelves import name_later, shelve_later
from nexus.services.shelf_rows import lock_whole_shelf
from nexus.services.unplaced import keep
from nexus.services.viewer import Viewer

logger = get_logger(__name__)

SIZE = 400
_MAX_REASON = 1000


def next_lines(session: Session, found: Import) -> list[Line]:
    """The lines that come next, of an import whose row the caller has locked."""
    query = (
        select(ImportRecord.number, ImportRecord.record)
        .where(
            ImportRecord.import_id == found.id,
            ImportRecord.number > found.position,
            ImportRecord.outcome == ImportOutcome.WAITING,
        )
        .order_by(ImportRecord.number)
        .limit(MOST_AT_ONCE if found.format == FORMAT else SIZE)
    )
    return [Line(row[0], _item(row[1])) for row in session.execute(query)]


def take_in(session: Session, found: Import, lines: Sequence[Line]) -> None:
    """Make items of these lines, and note what became of each."""
    viewer = viewer_of(session, found)
    now = session.scalar(select(func.now())) or datetime.now(UTC)
    name_later(session, viewer)
    entries = restore_items(session, viewer, found, lines, now=now)
    others = [line for line in lines if line.media_id is None]
    addresses = find_items(session, viewer, others)
    find_books(session, viewer, others, now=now)
    # Items before the shelf as a whole, and that before its rows, as everywhere.
    lock_whole_shelf(session, user_ids=[viewer.user_id])
    order = prepare(session, viewer, found, lines)
    shelve_later(session, viewer)
    entered = save_items(session, viewer, addresses, now=now)
    put_in_order(session, viewer, found, lines, order, entered, now=now)
    restore_rest(session, viewer, lines, entries)
    kept = sum(_keep_highlights(session, viewer, found, line) for line in lines)
    _note(session, found, lines)
    failed = sum(line.failed for line in lines)
    found.items_done += len(lines) - failed
    found.items_failed += failed
    found.highlights_done += kept
    found.position = lines[-1].number
    found.updated_at = func.clock_timestamp()
    session.flush()


def viewer_of(session: Session, found: Import) -> Viewer:
    default = select(Library.id).where(Library.owner_user_id == found.user_id, Library.is_default)
    return Viewer(found.user_id, None, session.scalars(default).one())


def _item(record: dict[str, object]) -> ImportedItem:
    return ImportedItem.from_json(record)


def _keep_highlights(session: Session, viewer: Viewer, found: Import, line: Line) -> int:
    """Those of one line, which are placed once its text is there. How many it brought."""
    if not line.item.highlights or line.media_id is None:
        return 0
    try:
        keep(
            session,
            user_id=viewer.user_id,
            media_id=line.media_id,
            import_id=found.id,
            highlights=line.item.highlights,
        )
    except MediaNotFoundError:
        line.fail("The item was removed while it was imported.")
    return len(line.item.highlights)


# The bounds say where the rows are: how many an import has is not known to Postgres yet.
_NOTE = text(
    """
    UPDATE import_records SET
        outcome = done.outcome, reason = done.reason, media_id = done.media_id,
        added = done.added
    FROM json_to_recordset(CAST(:rows AS json)) AS done (
        number integer, outcome text, reason text, media_id uuid, added jsonb
    )
    WHERE import_records.import_id = :import_id AND import_records.number = done.number
        AND import_records.number BETWEEN :first AND :last
    """
)


def _note(session: Session, found: Import, lines: Sequence[Line]) -> None:
    rows = [
        {
            "number": line.number,
            "outcome": line.outcome,
            "reason": " ".join(line.notes)[:_MAX_REASON] or None,
            "media_id": line.media_id,
            "added": line.added or None,
        }
        for line in lines
    ]
    first, last = lines[0].number, lines[-1].number
    values = {"import_id": found.id, "first": first, "last": last, "rows": json_rows(rows)}
    session.execute(_NOTE, values)
