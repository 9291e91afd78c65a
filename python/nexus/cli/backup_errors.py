"""What can go wrong with a backup, as one line and exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import typer
from sqlalchemy.exc import SQLAlchemyError

from nexus.backup.errors import BackupError
from nexus.config import SettingsError
from nexus.embedded.server import EmbeddedError
from nexus.storage.errors import StorageError


@contextmanager
def backup_errors() -> Iterator[None]:
    """Turn what an operator can mend into a line that says so."""
    try:
        yield
    except (BackupError, SettingsError, EmbeddedError, StorageError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except (psycopg.Error, SQLAlchemyError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        typer.echo(f"The database failed: {reason[0]}", err=True)
        raise typer.Exit(1) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"{where}{error.strerror or error}", err=True)
        raise typer.Exit(1) from None
