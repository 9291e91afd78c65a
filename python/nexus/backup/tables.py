"""The tables of Nexus: their names, reading their rows, and adding rows with no other rights."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.abc import Buffer

from nexus.db.models import Base, SearchBacklog, SearchPassage

SCHEMA = "public"
# What can be made again from the rest, and takes more room than it.
DERIVED = frozenset({SearchPassage.__tablename__, SearchBacklog.__tablename__})
_Connection = psycopg.Connection[Any]

# Values are written and read the same way, however the database is configured.
_SAME_EVERYWHERE = (
    "SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO';"
    " SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 3"
)


def columns_of_tables(connection: _Connection) -> dict[str, list[str]]:
    """The tables of a backup, those first that others refer to, and their columns."""
    query = """
        SELECT attname FROM pg_attribute
        WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ORDER BY attnum
    """
    found = {}
    for table in Base.metadata.sorted_tables:
        if table.name in DERIVED:
            continue
        rows = connection.execute(query, [f"{SCHEMA}.{table.name}"]).fetchall()
        if rows:
            found[table.name] = [column for (column,) in rows]
    return found


def rows_out(connection: _Connection, table: str, columns: Sequence[str]) -> Iterator[Buffer]:
    """The rows of a table as `COPY` writes them."""
    connection.execute(_SAME_EVERYWHERE)
    statement = sql.SQL("COPY {} ({}) TO STDOUT").format(_name(table), _names(columns))
    with connection.cursor().copy(statement) as copy:
        yield from copy


def rows_in(
    connection: _Connection, table: str, columns: Sequence[str], rows: Iterable[bytes]
) -> int:
    """Add rows as `rows_out` gave them; how many there were."""
    connection.execute(_SAME_EVERYWHERE)
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(_name(table), _names(columns))
    cursor = connection.cursor()
    with cursor.copy(statement) as copy:
        for chunk in rows:
            copy.write(chunk)
    return cursor.rowcount


@contextmanager
def resting_triggers(connection: _Connection, tables: Iterable[str]) -> Iterator[None]:
    """Without the triggers of Nexus: restored rows are not events, and not yet fixed."""
    for table in tables:
        _run(connection, "ALTER TABLE {} DISABLE TRIGGER USER", _name(table))
    yield
    for table in tables:
        _run(connection, "ALTER TABLE {} ENABLE TRIGGER USER", _name(table))


@contextmanager
def only_adding_rows(connection: _Connection, tables: Iterable[str]) -> Iterator[None]:
    """Act as a role that may add rows to these tables and nothing else, where one can be made.

    It is gone with this transaction, however that ends.
    """
    role = _made_role(connection, tables)
    if role is None:
        yield
        return
    _run(connection, "SET LOCAL ROLE {}", role)
    yield
    connection.execute("RESET ROLE")
    _run(connection, "REVOKE ALL ON {} FROM {}", _list(tables), role)
    _run(connection, "REVOKE ALL ON SCHEMA {} FROM {}", sql.Identifier(SCHEMA), role)
    _run(connection, "DROP ROLE {}", role)


def continue_numbering(connection: _Connection, tables: Iterable[str]) -> None:
    """Let numbers that the database assigns continue after those that were restored."""
    query = """
        SELECT attname, pg_get_serial_sequence(attrelid::regclass::text, attname)
        FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attidentity <> ''
    """
    for table in tables:
        for column, sequence in connection.execute(query, [f"{SCHEMA}.{table}"]).fetchall():
            last = "SELECT setval({}, greatest(max({}), 1), max({}) IS NOT NULL) FROM {}"
            named = sql.Identifier(column)
            _run(connection, last, sql.Literal(sequence), named, named, _name(table))


def _made_role(connection: _Connection, tables: Iterable[str]) -> sql.Identifier | None:
    """A role of its own; None where the database does not let us make one."""
    name = f"nexus_restore_{uuid4().hex}"
    role = sql.Identifier(name)
    try:
        with connection.transaction():
            _run(connection, "CREATE ROLE {} NOLOGIN NOINHERIT", role)
            _run(connection, "GRANT {} TO CURRENT_USER", role)
            _run(connection, "GRANT USAGE ON SCHEMA {} TO {}", sql.Identifier(SCHEMA), role)
            _run(connection, "GRANT INSERT ON {} TO {}", _list(tables), role)
    except psycopg.errors.InsufficientPrivilege:
        return None
    return role


def _run(connection: _Connection, statement: str, *parts: sql.Composable) -> None:
    connection.execute(sql.SQL(statement).format(*parts))


def _name(table: str) -> sql.Identifier:
    return sql.Identifier(SCHEMA, table)


def _names(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _list(tables: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(_name, tables))
