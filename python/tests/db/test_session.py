"""Connections that died in the pool are replaced before anybody uses them."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Engine, text

from nexus.db import rested
from nexus.db.session import create_database_engine, database_url
from tests.live import wait_for


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = create_database_engine(database_url(), pool_size=2)
    yield engine
    engine.dispose()


def backend(engine: Engine) -> int:
    with engine.connect() as connection:
        pid: int = connection.scalar(text("SELECT pg_backend_pid()"))
        return pid


def is_gone(engine: Engine, pid: int) -> Callable[[], bool]:
    def gone() -> bool:
        with engine.connect() as connection:
            query = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
            return bool(connection.scalar(query, {"pid": pid}) == 0)

    return gone


def end(other: Engine, pid: int) -> None:
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
    wait_for(is_gone(other, pid))


def test_a_dead_connection_is_replaced(engine: Engine) -> None:
    first = backend(engine)
    assert backend(engine) == first, "a living one is used again"
    other = create_database_engine(database_url(), pool_size=1)
    try:
        end(other, first)
    finally:
        other.dispose()
    assert backend(engine) != first


def test_only_a_connection_that_rested_is_asked(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def ping(connection: object) -> bool:
        asked.append(connection)
        return True

    monkeypatch.setattr(engine.dialect, "do_ping", ping)
    assert backend(engine) == backend(engine)
    assert asked == []
    monkeypatch.setattr(rested, "_RESTED_SECONDS", 0.0)
    backend(engine)
    assert len(asked) == 1
