"""Work that must wait for the commit: enqueueing, deleting stored bytes.

Dropped on rollback. Run where the commit happens: the request dependency and the task session.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from nexus.logging import get_logger

logger = get_logger(__name__)

_KEY = "after_commit"


@dataclass(slots=True)
class Outcome:
    """Whether work that waited for the commit was done."""

    done: bool = False


NOT_DONE = Outcome()


def after_commit(session: Session, action: Callable[[], object]) -> Outcome:
    """Run `action` once the session's transaction is committed."""
    outcome = Outcome()

    def run() -> None:
        outcome.done = bool(action())

    session.info.setdefault(_KEY, []).append(run)
    return outcome


def run_after_commit(session: Session) -> None:
    """Run what was deferred. The data is safe already, so one failure does not stop the rest."""
    for action in session.info.pop(_KEY, []):
        try:
            action()
        except Exception:
            logger.exception("after_commit_failed")
