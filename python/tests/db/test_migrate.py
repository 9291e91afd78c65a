"""Migrations: complete, reversible, and safe to start twice at once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic import command
from sqlalchemy import text

from nexus.db.migrate import alembic_config, downgrade, upgrade
from nexus.db.models import Base
from nexus.db.schema_version import is_current
from nexus.db.session import create_database_engine, get_engine
from tests.db.conftest import tables_of
from tests.patience import PATIENCE_SECONDS

MODEL_TABLES = set(Base.metadata.tables)


@pytest.mark.must
def test_models_and_migrations_do_not_differ() -> None:
    with get_engine().connect() as connection:
        command.check(alembic_config(connection))


@pytest.mark.must
def test_up_down_up_again(empty_database: str) -> None:
    upgrade(empty_database)
    assert tables_of(empty_database) == MODEL_TABLES | {"alembic_version"}
    downgrade(empty_database, "base")
    assert tables_of(empty_database) == {"alembic_version"}
    assert leftovers(empty_database) == []
    upgrade(empty_database)
    assert tables_of(empty_database) == MODEL_TABLES | {"alembic_version"}


@pytest.mark.must
def test_images_of_texts_stored_before_get_their_rows(empty_database: str) -> None:
    upgrade(empty_database, "20261115_initial_schema")
    image = '<img src="/media/image?url=https%3A%2F%2Fexample.org%2Fa%20b.png" alt="">'
    engine = create_database_engine(empty_database, pool_size=1)
    with engine.begin() as connection:
        connection.execute(
            text(
                "WITH item AS (INSERT INTO media (kind, title) VALUES ('web_article', 'Old')"
                " RETURNING id) INSERT INTO fragments (media_id, idx, html_sanitized,"
                " canonical_text) SELECT id, 0, :html, 'text' FROM item"
            ),
            {"html": f"<p>text {image} {image}</p>"},
        )
    upgrade(empty_database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT idx, address, width FROM fragment_images"))
        assert rows.all() == [(0, "https://example.org/a b.png", None)]
    engine.dispose()


@pytest.mark.must
def test_upgrade_twice_changes_nothing(empty_database: str) -> None:
    upgrade(empty_database)
    upgrade(empty_database)
    assert tables_of(empty_database) == MODEL_TABLES | {"alembic_version"}


@pytest.mark.must
def test_only_the_newest_schema_is_current(empty_database: str) -> None:
    engine = create_database_engine(empty_database, pool_size=1)
    try:
        with engine.connect() as connection:
            assert not is_current(connection)
        upgrade(empty_database)
        with engine.connect() as connection:
            assert is_current(connection)
    finally:
        engine.dispose()


def test_threads_upgrading_at_once(empty_database: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: upgrade(empty_database), range(4)))
    assert tables_of(empty_database) == MODEL_TABLES | {"alembic_version"}


def test_processes_upgrading_at_once(empty_database: str) -> None:
    code = "import sys; from nexus.db.migrate import upgrade; upgrade(sys.argv[1])"
    command_line = [sys.executable, "-c", code, empty_database]
    processes = [
        subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=PATIENCE_SECONDS)[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert tables_of(empty_database) == MODEL_TABLES | {"alembic_version"}


def leftovers(url: str) -> list[str]:
    """Functions and types that the schema left behind."""
    engine = create_database_engine(url, pool_size=1)
    query = """
        SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION ALL
        SELECT typname::text FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
    """
    try:
        with engine.connect() as connection:
            return list(connection.scalars(text(query)))
    finally:
        engine.dispose()
