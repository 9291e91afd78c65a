"""The database out of an archive: tables from our migrations, rows from the archive.

All of it happens in one transaction, checked against every constraint. What does not hold leaves
the database as it was.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from nexus.backup import database, tables
from nexus.backup.archive import DUMP, DUMP_FORMAT, Archive, Manifest, rows_member
from nexus.backup.dump import rows_of_dump
from nexus.backup.errors import BackupError, DamagedArchive
from nexus.backup.rows import GZIP, Room, TableRows, checked_rows, inflated
from nexus.db.migrate import is_known_revision, migrating, rebuild, upgrade_within
from nexus.html.sanitize import ALLOWLIST

# What Postgres raises for rows that do not fit its tables.
_UNFIT = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.errors.ProgramLimitExceeded,
    psycopg.errors.StatementTooComplex,
)
# Something still at work on the tables must make us stop, not wait. While files are stored the
# transaction is idle.
_LIMITS = "SET LOCAL lock_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = 0"
_BATCH = 100


@contextmanager
def replaced_database(
    url: str, archive: Archive, *, own: bool, room: Room
) -> Iterator[psycopg.Connection[Any]]:
    """The database with the archive's rows instead of its own, kept when the block ends well."""
    with _readable_errors(), migrating(url) as connection:
        connection.execute(text(_LIMITS))
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        _build_tables(connection, driver, archive.manifest)
        _load(driver, archive, own=own, room=room)
        upgrade_within(connection)
        # A backup has nothing of what search looks through: it is made again once Nexus runs.
        driver.execute(
            "INSERT INTO search_backlog (media_id) SELECT id FROM media ORDER BY created_at, id"
            " ON CONFLICT DO NOTHING"
        )
        yield driver


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(cause, psycopg.errors.LockNotAvailable):
            raise BackupError("Something still works on the database: stop it first.") from None
        if not isinstance(cause, _UNFIT):
            raise
        # With what is not printable escaped: the message may quote the archive.
        reason = ascii(cause.diag.message_primary or "no reason given")[1:-1]
        raise DamagedArchive(f"The archive has rows that do not fit: {reason}.") from None


def _build_tables(
    connection: Connection, driver: psycopg.Connection[Any], manifest: Manifest
) -> None:
    here = database.current_revision(driver)
    if here is not None and not is_known_revision(here):
        raise BackupError("A newer Nexus was here: update this one first, or use another database.")
    rebuild(connection, manifest.schema_revision)


def _load(driver: psycopg.Connection[Any], archive: Archive, *, own: bool, room: Room) -> None:
    wanted = tables.columns_of_tables(driver)
    given = _rows_by_table(archive)
    _compare(wanted, given, archive.manifest)
    with tables.resting_triggers(driver, wanted):
        with tables.only_adding_rows(driver, wanted):
            for table in wanted:
                rows = checked_rows(given[table].chunks(), room)
                count = tables.rows_in(driver, table, given[table].columns, rows)
                if count != archive.manifest.rows.get(table):
                    raise DamagedArchive(f"The archive does not hold as many {table} as it claims.")
        if not own:
            _clean_texts(driver)
    tables.continue_numbering(driver, wanted)
    deleted = archive.manifest.deleted_meanwhile
    driver.execute("DELETE FROM media WHERE id = ANY(%s::uuid[])", [deleted])


def _rows_by_table(archive: Archive) -> Mapping[str, TableRows]:
    manifest = archive.manifest
    if manifest.format == DUMP_FORMAT:
        if DUMP not in manifest.entries:
            raise DamagedArchive("The archive is damaged: it holds no database.")
        return rows_of_dump(archive.open(DUMP))
    return {
        table: _member(archive, table, columns)
        for table, columns in manifest.columns.items()
        if rows_member(table) in manifest.entries
    }


def _member(archive: Archive, table: str, columns: list[str]) -> TableRows:
    name = rows_member(table)
    return TableRows(tuple(columns), lambda: inflated(archive.chunks(name), GZIP))


def _compare(
    wanted: Mapping[str, list[str]], given: Mapping[str, TableRows], manifest: Manifest
) -> None:
    """Exactly the tables of its revision, each with exactly its columns."""
    for table, columns in wanted.items():
        if table not in given or sorted(given[table].columns) != sorted(columns):
            raise DamagedArchive(f"The archive has no {table} as its release of Nexus had them.")
    # A dump has all that was in the schema: what is not ours is left where it is.
    if manifest.format != DUMP_FORMAT and manifest.columns.keys() != wanted.keys():
        raise DamagedArchive("The archive has tables that are not tables of Nexus.")


def _clean_texts(driver: psycopg.Connection[Any]) -> None:
    """Take out of the texts of another's archive what is not in those that Nexus cleaned."""
    with driver.cursor(name="texts") as texts:
        texts.itersize = _BATCH
        texts.execute("SELECT id, html_sanitized FROM fragments")
        for fragment_id, html in texts:
            clean = ALLOWLIST.clean(html)
            if clean != html:
                driver.execute(
                    "UPDATE fragments SET html_sanitized = %s WHERE id = %s", [clean, fragment_id]
                )
