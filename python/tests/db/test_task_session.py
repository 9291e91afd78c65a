"""The task's edge of the commit rule: what was put off runs after a commit, never without one."""

from uuid import uuid4

import pytest
from sqlalchemy import select

from nexus.db.after_commit import after_commit
from nexus.db.models import User
from nexus.db.session import get_session_factory
from nexus.db.task_session import task_session


def test_actions_run_in_order_after_the_commit() -> None:
    user_id = uuid4()
    seen: list[object] = []

    def look() -> None:
        with get_session_factory()() as other:
            seen.append(other.scalar(select(User.id).where(User.id == user_id)))

    with task_session() as session:
        session.add(User(id=user_id))
        session.flush()
        after_commit(session, look)
        after_commit(session, lambda: 1 / 0)
        after_commit(session, lambda: seen.append("last"))
        assert seen == []
    assert seen == [user_id, "last"], "one failure does not stop the rest"


def test_a_rollback_drops_rows_and_actions() -> None:
    user_id = uuid4()
    seen: list[object] = []

    def fail() -> None:
        with task_session() as session:
            session.add(User(id=user_id))
            after_commit(session, lambda: seen.append("ran"))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with get_session_factory()() as other:
        assert other.get(User, user_id) is None
    assert seen == []
