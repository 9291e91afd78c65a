"""Databases beside the one that all tests share."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from nexus.db.session import create_database_engine
from nexus.embedded.postgres import EmbeddedPostgres
from tests.conftest import SERVERS_VARIABLE, TEMPLATE_DATABASE


@contextmanager
def own_database(purpose: str) -> Iterator[Engine]:
    """An empty database of this process: thousands of rows would be in the way of others."""
    postgres = EmbeddedPostgres(Path(os.environ[SERVERS_VARIABLE]) / "postgres", durable=False)
    name = f"{purpose}_{os.getpid()}"
    postgres.create_database(name, template=TEMPLATE_DATABASE)
    engine = create_database_engine(postgres.url(name))
    try:
        yield engine
    finally:
        engine.dispose()
