"""What an operator can mend, as one line and exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from nexus.backup.errors import BackupError
from nexus.cli.operator import fail
from nexus.config import SettingsError
from nexus.embedded.server import EmbeddedError
from nexus.storage.errors import StorageError


@contextmanager
def database_errors() -> Iterator[None]:
    """A database that fails is a line, not a trace."""
    try:
        yield
    except (psycopg.Error, SQLAlchemyError) as error:
        text = str(getattr(error, "orig", None) or error).strip()
        fail(f"The database failed: {text.splitlines()[0] if text else type(error).__name__}")


@contextmanager
def archive_errors() -> Iterator[None]:
    """Whatever can go wrong with a backup or an export is a line, not a trace."""
    try:
        with database_errors():
            yield
    except (BackupError, SettingsError, EmbeddedError, StorageError) as error:
        fail(str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}")
