"""The database as one dump: written from a snapshot, read back in one transaction."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from nexus.backup.errors import BackupError
from nexus.db.models import Base
from nexus.embedded.postgres import client_program

_SCHEMA = "public"
_CONNECT_SECONDS = 10
# Something still at work on the tables must make us stop, not wait.
_RESTORE_OPTIONS = "-c lock_timeout=10s -c statement_timeout=0"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An original file the database knows of."""

    media_id: str
    path: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The database at one moment, while others go on writing."""

    name: str
    revision: str
    files: list[StoredFile]
    rows: dict[str, int]


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection, or BackupError when there is none to be had."""
    try:
        connection = psycopg.connect(_conninfo(url), connect_timeout=_CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        raise BackupError(f"The database does not answer: {_last_line(str(error))}") from None
    with connection:
        yield connection


@contextmanager
def snapshot(url: str) -> Iterator[Snapshot]:
    """Hold one moment of the database for as long as the block lasts."""
    with connected(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        revision = current_revision(connection)
        if revision is None:
            raise BackupError("There is nothing to back up: this database is not one of Nexus.")
        name = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert name is not None
        yield Snapshot(name[0], revision, stored_files(connection), count_rows(connection))


def dump(url: str, moment: Snapshot, into: IO[bytes]) -> None:
    """Write the database as it was at that moment."""
    _run(
        ["pg_dump", "--format=custom", f"--snapshot={moment.name}", f"--schema={_SCHEMA}"],
        url,
        stdout=into,
    )


def load(url: str, source: IO[bytes]) -> None:
    """Replace the tables of Nexus by those of a dump, all or nothing."""
    arguments = ["pg_restore", "--clean", "--if-exists", "--single-transaction", "--exit-on-error"]
    _run([*arguments, f"--schema={_SCHEMA}"], url, stdin=source, options=_RESTORE_OPTIONS)


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
    """Every original file the database knows of, or that of one item."""
    rows = connection.execute(
        "SELECT f.media_id, f.storage_path, m.file_sha256"
        " FROM media_file f JOIN media m ON m.id = f.media_id"
        " WHERE %(id)s::uuid IS NULL OR f.media_id = %(id)s::uuid ORDER BY f.storage_path",
        {"id": media_id},
    )
    return [StoredFile(str(found), path, sha256) for found, path, sha256 in rows]


def count_rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """How many rows each table of Nexus has."""
    counts = {}
    for table in sorted(Base.metadata.tables):
        if _exists(connection, table):
            query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(_SCHEMA, table))
            row = connection.execute(query).fetchone()
            assert row is not None
            counts[table] = row[0]
    return counts


def delete_items(connection: psycopg.Connection[Any], media_ids: list[str]) -> None:
    """Remove items with all that hangs on them."""
    connection.execute("DELETE FROM media WHERE id = ANY(%s::uuid[])", [media_ids])


def _exists(connection: psycopg.Connection[Any], table: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s)", [f"{_SCHEMA}.{table}"]).fetchone()
    return row is not None and row[0] is not None


def _run(arguments: list[str], url: str, *, options: str = "", **streams: Any) -> None:
    # The password goes through the environment: arguments are for everybody to see.
    parts = conninfo_to_dict(_conninfo(url))
    password = str(parts.pop("password", ""))
    command = [client_program(arguments[0]), *arguments[1:], "--no-owner", "--no-privileges"]
    # Nobody is there to type a password.
    command += ["--no-password", f"--dbname={make_conninfo('', **parts)}"]
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    done = subprocess.run(
        command,
        env=environment | ({"PGOPTIONS": options} if options else {}),
        stderr=subprocess.PIPE,
        check=False,
        **streams,
    )
    if done.returncode != 0:
        reason = _first_error(done.stderr.decode(errors="replace"))
        raise BackupError(f"{arguments[0]} failed: {reason}")


def _conninfo(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://", 1)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line.lower()]
    return lines[0] if lines else _last_line(text)
