"""Databases of a test's own, made empty and dropped afterwards."""

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text

from nexus.db.session import create_database_engine, get_engine
from nexus.embedded.postgres import EmbeddedPostgres
from tests.conftest import SERVERS_VARIABLE


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The URL of a new database without any table."""
    postgres = EmbeddedPostgres(Path(os.environ[SERVERS_VARIABLE]) / "postgres", durable=False)
    name = f"own_{uuid4().hex}"
    postgres.create_database(name)
    yield postgres.url(name)
    # Dropped over the worker's own connection: a database in use cannot drop itself.
    with get_engine().connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))


def tables_of(url: str) -> set[str]:
    engine = create_database_engine(url, pool_size=1)
    try:
        with engine.connect() as connection:
            query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            return set(connection.scalars(text(query)))
    finally:
        engine.dispose()
