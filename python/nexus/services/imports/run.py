"""Working on an import: some lines at a time, each batch in a transaction of its own.

A batch locks the row of its import, and a worker that finds it locked leaves it alone: so there is
one worker on it at a time, and a batch is either whole or not there at all. The next worker
continues after the last batch that was committed.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import ImportState
from nexus.db.models import Import
from nexus.logging import get_logger
from nexus.services.imports.batch import next_lines, take_in
from nexus.services.imports.states import finish
from nexus.services.imports.undo import take_back
from nexus.services.ingest_queue import wake_another
from nexus.services.media_events import (
    announce_import,
    announce_library,
    announce_nothing_else,
)

logger = get_logger(__name__)

# Any number that no other lock with two keys has.
_PERSON_LOCK = 8_421

Sessions = Callable[[], AbstractContextManager[Session]]

SLICE_SECONDS = 0.5
"""After this long other work has its turn: a save waits no longer for a worker than that."""


def run_slice(sessions: Sessions, import_id: UUID) -> bool:
    """Work on an import for a moment; True if there is more to do."""
    until = time.monotonic() + SLICE_SECONDS
    while True:
        with sessions() as session:
            more = _batch(session, import_id)
            over = not more or time.monotonic() > until
            if over:
                wake_another(session)
        if over:
            return more


def _batch(session: Session, import_id: UUID) -> bool:
    found = session.scalars(
        select(Import)
        .where(Import.id == import_id, Import.unfinished)
        .with_for_update(skip_locked=True)
    ).one_or_none()
    if found is None:
        return False
    announce_nothing_else(session)
    # One batch of a person at a time: two imports may need the same libraries and items.
    key = func.hashtext(str(found.user_id))
    session.execute(select(func.pg_advisory_xact_lock(_PERSON_LOCK, key)))
    more = (
        take_back(session, found) if found.state is ImportState.UNDONE else _take_in(session, found)
    )
    if not more:
        finish(session, found)
        if found.library_id is not None:
            announce_library(session, library_id=found.library_id)
        logger.info("import_finished", import_id=str(import_id), state=found.state.value)
    announce_import(session, user_id=found.user_id, import_id=found.id)
    return more


def _take_in(session: Session, found: Import) -> bool:
    lines = next_lines(session, found)
    if lines:
        take_in(session, found, lines)
    return bool(lines)
