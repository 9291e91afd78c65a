"""Work that must wait for the commit: enqueueing, deleting stored bytes.

Dropped on rollback. Run where the commit happens: the request dependency and the task session.
"""

from collections.abc import Callable

from sqlalchemy.orm import Session

from nexus.logging import get_logger

logger = get_logger(__name__)

_KEY = "after_commit"


def after_commit(session: Session, action: Callable[[], object]) -> None:
    """Run `action` once the session's transaction is committed."""
    session.info.setdefault(_KEY, []).append(action)


def run_after_commit(session: Session) -> None:
    """Run what was put off. The data is safe already, so one failure does not stop the rest."""
    for action in session.info.pop(_KEY, []):
        try:
            action()
        except Exception:
            logger.exception("after_commit_failed")
