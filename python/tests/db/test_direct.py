"""Statements that skip SQLAlchemy's execution keep its events, its errors and its rules."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, Integer, Label, bindparam, event, literal_column, select, text
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.orm import Session

from nexus.db.direct import Direct
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Media
from nexus.db.plans import PLAN_EACH_TIME
from nexus.db.session import create_database_engine, database_url
from tests.factories import make_media, make_user

_NUMBER = bindparam("number", type_=Integer())
_OF_KIND = Direct(
    select(Media.title, Media.kind)
    .where(
        Media.id == bindparam("id", type_=Media.id.type),
        Media.kind == bindparam("kind", type_=Media.kind.type),
        Media.processing_status == ProcessingStatus.PENDING,
    )
    .limit(1)
)
_PID = Direct(select(literal_column("pg_backend_pid()").label("pid")))


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = create_database_engine(database_url(), pool_size=1)
    yield engine
    engine.dispose()


def test_values_are_given_as_their_types_want_them(session: Session) -> None:
    media = make_media(session, make_user(session))
    values: dict[str, Any] = {"id": media.id, "kind": MediaKind.WEB_ARTICLE}
    assert _OF_KIND.rows(session, values) == [("An article", "web_article")]
    assert _OF_KIND.first(session, values) == {"title": "An article", "kind": "web_article"}
    assert _OF_KIND.first(session, {**values, "kind": MediaKind.PDF}) is None


def test_it_is_part_of_the_sessions_transaction(session: Session) -> None:
    media = make_media(session, make_user(session), title="First")
    values = {"id": media.id, "kind": MediaKind.WEB_ARTICLE}
    session.commit()
    session.execute(text("UPDATE media SET title = 'Second'"))
    assert _OF_KIND.rows(session, values) == [("Second", "web_article")]
    session.rollback()
    assert _OF_KIND.rows(session, values) == [("First", "web_article")]


def test_whoever_watches_statements_sees_it(engine: Engine) -> None:
    seen: list[tuple[str, Any]] = []

    def note(_c: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        seen.append((statement, parameters))

    double = Direct(select((_NUMBER * 2).label("double")))
    event.listen(engine, "before_cursor_execute", note)
    with Session(engine) as session:
        assert double.rows(session, {"number": 21}) == [(42,)]
    [(statement, parameters)] = seen
    assert "AS double" in statement
    assert parameters["number"] == 21


def test_errors_are_those_of_other_statements(session: Session) -> None:
    with pytest.raises(DataError) as raised:
        Direct(select(1 / _NUMBER)).rows(session, {"number": 0})
    assert "DivisionByZero" in str(raised.value)
    session.rollback()
    assert Direct(select(_NUMBER)).rows(session, {"number": 1}) == [(1,)]


def test_a_lost_connection_is_not_used_again(engine: Engine, session: Session) -> None:
    with Session(engine) as other:
        [(pid,)] = _PID.rows(other, {})
        session.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
        with pytest.raises(OperationalError) as raised:
            _PID.rows(other, {})
        assert raised.value.connection_invalidated
    with Session(engine) as other:
        assert _PID.rows(other, {}) != [(pid,)]


def test_only_a_marked_statement_is_planned_each_time(engine: Engine) -> None:
    plain = Direct(select(_NUMBER.label("plain")))
    marked = Direct(select(_NUMBER.label("marked")).execution_options(**PLAN_EACH_TIME))
    with Session(engine) as session:
        for number in range(10):
            plain.rows(session, {"number": number})
            marked.rows(session, {"number": number})
        prepared = session.scalars(text("SELECT statement FROM pg_prepared_statements")).all()
    assert any("plain" in statement for statement in prepared)
    assert not any("marked" in statement for statement in prepared)


def test_only_so_many_results_are_kept(engine: Engine) -> None:
    with Session(engine) as session:
        for number in range(50):
            named: Label[int] = literal_column(str(number)).label(f"number_{number}")
            assert Direct(select(named)).rows(session, {}) == [(number,)]
        kept = [cursors for cursors in session.connection().info.values() if cursors]
        assert max(len(cursors) for cursors in kept if isinstance(cursors, dict)) <= 16


def test_a_statement_is_the_same_on_every_connection(session: Session) -> None:
    engine = create_database_engine(database_url(), pool_size=2)
    with Session(engine) as one, Session(engine) as other:
        pids = {_PID.rows(each, {})[0] for each in (one, other, one, other)}
    engine.dispose()
    assert len(pids) == 2
    assert _PID.rows(session, {})[0] not in pids
