"""Databases beside the one that all tests share."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Engine

from nexus.db.session import create_database_engine
from nexus.embedded.postgres import EmbeddedPostgres
from tests.conftest import SERVERS_VARIABLE, TEMPLATE_DATABASE


@contextmanager
def own_database(purpose: str) -> Iterator[Engine]:
    """An empty database each time: thousands of rows would be in the way of others."""
    postgres = EmbeddedPostgres(Path(os.environ[SERVERS_VARIABLE]) / "postgres", durable=False)
    # A process that comes back to a module sets it up again.
    name = f"{purpose}_{uuid4().hex}"
    postgres.create_database(name, template=TEMPLATE_DATABASE)
    engine = create_database_engine(postgres.url(name))
    try:
        yield engine
    finally:
        engine.dispose()
