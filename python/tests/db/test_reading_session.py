"""Sessions for routes that change nothing."""

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from nexus.db.models import User
from nexus.db.plans import PLAN_EACH_TIME
from nexus.db.session import (
    create_database_engine,
    database_url,
    get_engine,
    get_reading_session_factory,
    reading_session_factory,
)


def test_no_transaction_is_left_open_between_statements() -> None:
    with get_reading_session_factory()() as session:
        first = session.scalar(text("SELECT pg_current_xact_id()::text"))
        second = session.scalar(text("SELECT pg_current_xact_id()::text"))
    assert first != second


def test_it_refuses_to_write() -> None:
    with get_reading_session_factory()() as session:
        session.add(User())
        with pytest.raises(RuntimeError, match="tried to write"):
            session.flush()


def test_the_connection_it_gives_back_has_transactions_again() -> None:
    engine = create_database_engine(database_url(), pool_size=1)
    with reading_session_factory(engine)() as session:
        pid = session.scalar(text("SELECT pg_backend_pid()"))
    with Session(engine) as session:
        assert session.scalar(text("SELECT pg_backend_pid()")) == pid, "the pool is shared"
        ids = {session.scalar(text("SELECT pg_current_xact_id()::text")) for _ in range(2)}
    engine.dispose()
    assert len(ids) == 1


def test_a_statement_to_be_planned_each_time_is_never_prepared() -> None:
    often = text("SELECT 1 AS planned_each_time").execution_options(**PLAN_EACH_TIME)
    usual = text("SELECT 1 AS planned_once")
    with get_engine().connect() as connection:
        for _ in range(10):
            connection.execute(often)
            connection.execute(usual)
        kept = connection.scalars(
            text("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%planned%'")
        ).all()
    assert [text for text in kept if "planned_each_time" in text] == []
    assert [text for text in kept if "planned_once" in text]
