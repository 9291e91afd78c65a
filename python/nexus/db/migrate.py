"""Bring a database to the newest schema."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from nexus.db.schema_version import SCRIPTS
from nexus.db.session import create_database_engine

# Any number that nothing else locks: two starts at once migrate one after the other.
_MIGRATION_LOCK = 8_420_001
_SCRIPTS = str(SCRIPTS)


def alembic_config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", _SCRIPTS)
    config.attributes["connection"] = connection
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Upgrade to `revision`; safe when several processes do it at once."""
    _run(url, lambda config: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> None:
    _run(url, lambda config: command.downgrade(config, revision))


def rebuild(connection: Connection, revision: str) -> None:
    """Replace all tables and their rows with empty ones of this revision."""
    config = alembic_config(connection)
    command.downgrade(config, "base")
    command.upgrade(config, revision)


def upgrade_within(connection: Connection) -> None:
    """Upgrade to the newest schema within the open transaction."""
    command.upgrade(alembic_config(connection), "head")


@contextmanager
def migrating(url: str) -> Iterator[Connection]:
    """One transaction, during which nobody else migrates."""
    engine = create_database_engine(url, pool_size=1, application_name="nexus-migrate")
    try:
        with engine.connect() as connection, connection.begin():
            connection.execute(text("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            yield connection
    finally:
        engine.dispose()


def is_known_revision(revision: str) -> bool:
    """Whether this code has the migration; not if a newer release made it."""
    return revision in {script.revision for script in ScriptDirectory(_SCRIPTS).walk_revisions()}


def _run(url: str, action) -> None:  # type: ignore[no-untyped-def]
    with migrating(url) as connection:
        action(alembic_config(connection))
