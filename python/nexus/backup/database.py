"""What a backup reads from the database: a snapshot, and which files it knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from nexus.backup.errors import BackupError
from nexus.backup.tables import SCHEMA, columns_of_tables

_CONNECT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An original file, or a picture of a text, that the database knows of."""

    media_id: str
    path: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of the database, while others keep writing."""

    connection: psycopg.Connection[Any]
    revision: str
    files: list[StoredFile]
    columns: dict[str, list[str]]
    rows: dict[str, int]


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection, or BackupError when none can be made."""
    conninfo = url.replace("postgresql+psycopg://", "postgresql://", 1)
    try:
        connection = psycopg.connect(conninfo, connect_timeout=_CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        raise BackupError(f"The database does not respond: {_last_line(str(error))}") from None
    with connection:
        yield connection


@contextmanager
def snapshot(url: str) -> Iterator[Snapshot]:
    """Hold a snapshot of the database for as long as the block lasts."""
    with connected(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        connection.execute("SET statement_timeout = 0")
        revision = current_revision(connection)
        if revision is None:
            raise BackupError("There is nothing to back up: this database is not one of Nexus.")
        columns = columns_of_tables(connection)
        rows = {table: _count(connection, table) for table in columns}
        yield Snapshot(connection, revision, stored_files(connection), columns, rows)


def current_revision(connection: psycopg.Connection[Any]) -> str | None:
    """The revision of the schema, None in a database without one."""
    if not _exists(connection, "alembic_version"):
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else None


def has_people(connection: psycopg.Connection[Any]) -> bool:
    """Whether anybody uses this database."""
    if not _exists(connection, "users"):
        return False
    return connection.execute("SELECT 1 FROM users LIMIT 1").fetchone() is not None


def stored_files(
    connection: psycopg.Connection[Any], *, media_id: str | None = None
) -> list[StoredFile]:
    """Every file and picture the database knows of, or those of one item."""
    query = (
        "SELECT f.media_id, f.storage_path, m.file_sha256"
        " FROM media_file f JOIN media m ON m.id = f.media_id"
        " WHERE %(id)s::uuid IS NULL OR f.media_id = %(id)s::uuid"
    )
    # A database that this release has not migrated yet has none.
    if _exists(connection, "media_pictures"):
        query += (
            " UNION ALL SELECT media_id, storage_path, split_part(name, '.', 1)"
            " FROM media_pictures WHERE %(id)s::uuid IS NULL OR media_id = %(id)s::uuid"
        )
    rows = connection.execute(f"{query} ORDER BY 2", {"id": media_id})
    return [StoredFile(str(found), path, sha256) for found, path, sha256 in rows]


def _count(connection: psycopg.Connection[Any], table: str) -> int:
    query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(SCHEMA, table))
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _exists(connection: psycopg.Connection[Any], table: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s)", [f"{SCHEMA}.{table}"]).fetchone()
    return row is not None and row[0] is not None


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]
