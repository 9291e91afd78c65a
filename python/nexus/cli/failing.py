"""Errors that an operator can fix, as one line and exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from nexus.backup.errors import BackupError
from nexus.cli.operator import fail
from nexus.config import SettingsError
from nexus.embedded.server import EmbeddedError
from nexus.storage.errors import StorageError
from nexus.storage.fixes import how_to_fix


@contextmanager
def database_errors() -> Iterator[None]:
    """A database error is one line, not a traceback."""
    try:
        yield
    except (psycopg.Error, SQLAlchemyError) as error:
        text = str(getattr(error, "orig", None) or error).strip()
        fail(f"The database failed: {text.splitlines()[0] if text else type(error).__name__}")


@contextmanager
def archive_errors(*, otherwise: str = "") -> Iterator[None]:
    """Whatever can go wrong with a backup or an export is one line, not a traceback."""
    try:
        with database_errors():
            yield
    except (BackupError, SettingsError, EmbeddedError) as error:
        fail(str(error))
    except StorageError as error:
        # This is not about one missing file: none can be read. `otherwise` says what was written.
        text = f"The file store cannot be used: {error}. To fix it, {how_to_fix(error)}."
        fail(f"{text} {otherwise}".strip())
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}")
