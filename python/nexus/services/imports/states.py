"""The state machine of an import. Nothing else changes `imports.state`.

    preview → running → done
                ↓ ↑
              stopped            done, stopped → undone

`unfinished` says that a worker has something to do: lines to take in while running, or to take back
after an undo. Functions lock the row; a step that is not possible is a conflict.
"""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.after_commit import after_commit
from nexus.db.enums import ImportState
from nexus.db.models import Import
from nexus.errors import ConflictError, ImportNotFoundError
from nexus.services.libraries import require_admin
from nexus.services.media_events import announce_import
from nexus.services.send_task import try_to_send
from nexus.services.stored_files import delete_stored_file
from nexus.services.viewer import Viewer

MAX_UNFINISHED = 3
"""How many imports of one person are under way at once."""
TASK = "nexus.run_import"
FORGOTTEN_AFTER = timedelta(seconds=10)


def start(
    session: Session, viewer: Viewer, *, import_id: UUID, library_id: UUID | None, tags: list[str]
) -> Import:
    """preview or stopped → running. What was stopped goes on where it was."""
    found = _lock(session, viewer, import_id)
    _require(found, ImportState.PREVIEW, ImportState.STOPPED, doing="started")
    _require_room(session, viewer)
    if library_id is not None:
        require_admin(session, viewer, library_id=library_id)
    if found.state is ImportState.PREVIEW or library_id is not None:
        found.library_id = library_id
    if found.state is ImportState.PREVIEW or tags:
        found.tags = tags
    found.state = ImportState.RUNNING
    return _wake(session, found)


def stop(session: Session, viewer: Viewer, *, import_id: UUID) -> Import:
    """running → stopped. What has been taken in stays."""
    found = _lock(session, viewer, import_id)
    _require(found, ImportState.RUNNING, doing="stopped")
    found.state = ImportState.STOPPED
    found.unfinished = False
    return _changed(session, found)


def undo(session: Session, viewer: Viewer, *, import_id: UUID) -> Import:
    """stopped or done → undone; a worker takes back what nobody touched since."""
    found = _lock(session, viewer, import_id)
    _require(found, ImportState.STOPPED, ImportState.DONE, doing="undone")
    found.state = ImportState.UNDONE
    found.position = 0
    return _wake(session, found)


def finish(session: Session, found: Import) -> None:
    """No line is left, in a row that the caller has locked: running → done."""
    if found.state is ImportState.RUNNING:
        found.state = ImportState.DONE
    found.unfinished = False
    found.finished_at = func.now()
    forget_file(session, found)
    session.flush()


def forget(session: Session, viewer: Viewer, *, import_id: UUID) -> None:
    """Forget a preview, or the report of an import that is over."""
    found = _lock(session, viewer, import_id)
    if found.unfinished:
        raise ConflictError("E_INVALID_STATE", "This import is still running. Stop it first.")
    forget_file(session, found)
    session.delete(found)
    session.flush()


def forget_file(session: Session, found: Import) -> None:
    if found.storage_path is not None:
        delete_stored_file(session, found.storage_path)
        found.storage_path = None


def take_forgotten_imports(session: Session) -> list[UUID]:
    """Imports nobody has worked on for a while. They are touched, so that this is said once."""
    forgotten = session.scalars(
        select(Import)
        .where(Import.unfinished, Import.updated_at < func.clock_timestamp() - FORGOTTEN_AFTER)
        .with_for_update(skip_locked=True)
    ).all()
    for found in forgotten:
        found.updated_at = func.clock_timestamp()
    session.flush()
    return [found.id for found in forgotten]


def longest_untouched_import(session: Session) -> float:
    """Seconds since anybody worked on the most neglected unfinished import; 0 if there is none."""
    since = func.extract("epoch", func.clock_timestamp() - func.min(Import.updated_at))
    return max(0.0, float(session.scalar(select(since).where(Import.unfinished)) or 0))


def wake_import(session: Session, import_id: UUID) -> None:
    """Tell a worker, after the commit, that an import has lines waiting."""
    after_commit(session, lambda: try_to_send(TASK, str(import_id)))


def _wake(session: Session, found: Import) -> Import:
    found.unfinished = True
    found.finished_at = None
    wake_import(session, found.id)
    return _changed(session, found)


def _changed(session: Session, found: Import) -> Import:
    found.updated_at = func.clock_timestamp()
    session.flush()
    session.refresh(found)
    announce_import(session, user_id=found.user_id, import_id=found.id)
    return found


def _lock(session: Session, viewer: Viewer, import_id: UUID) -> Import:
    found = session.scalars(
        select(Import)
        .where(Import.id == import_id, Import.user_id == viewer.user_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one_or_none()
    if found is None:
        raise ImportNotFoundError
    return found


def _require(found: Import, *states: ImportState, doing: str) -> None:
    if found.state not in states:
        raise ConflictError(
            "E_INVALID_STATE", f"This import is {found.state.value}, so it cannot be {doing}."
        )


def _require_room(session: Session, viewer: Viewer) -> None:
    under_way = select(func.count()).where(Import.user_id == viewer.user_id, Import.unfinished)
    if (session.scalar(under_way) or 0) >= MAX_UNFINISHED:
        raise ConflictError(
            "E_TOO_MANY_IMPORTS",
            f"{MAX_UNFINISHED} of your imports are running already. "
            "Start this one when one of them is done.",
        )
