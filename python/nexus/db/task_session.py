"""The task's side of the commit rule: commit here, nowhere deeper."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from nexus.db.after_commit import run_after_commit
from nexus.db.session import get_session_factory


@contextmanager
def task_session() -> Iterator[Session]:
    """A session that commits when the block ends and rolls back when it raises."""
    with get_session_factory()() as session:
        with session.begin():
            yield session
        run_after_commit(session)
