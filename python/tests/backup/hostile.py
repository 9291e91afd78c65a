"""Archives made to do harm: each as whole as its maker can make it."""

import gzip
import io
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from nexus.backup.archive import (
    DUMP,
    DUMP_FORMAT,
    Manifest,
    new_archive,
    opened_archive,
    rows_member,
)
from nexus.config import Settings
from nexus.embedded.postgres import client_program

ANOTHER_KEY = bytes(32)
Members = dict[str, bytes]
Change = Callable[[Members, Manifest], None]


def rewritten(source: Path, target: Path, change: Change, *, key: bytes = ANOTHER_KEY) -> None:
    """The same archive with other members, every checksum right."""
    with opened_archive(source) as opened:
        members = {name: b"".join(opened.chunks(name)) for name in opened.manifest.entries}
        manifest = opened.manifest
    change(members, manifest)
    with new_archive(target) as archive:
        for name, content in members.items():
            archive.add(name, io.BytesIO(content))
        archive.finish(manifest.model_copy(update={"entries": archive.entries}), key=key)


def lines(members: Members, table: str) -> list[bytes]:
    return gzip.decompress(members[rows_member(table)]).splitlines(keepends=True)


def set_lines(members: Members, table: str, rows: list[bytes]) -> None:
    members[rows_member(table)] = gzip.compress(b"".join(rows))


def dump_of(settings: Settings) -> bytes:
    """All that is in a database, as `pg_dump` writes it."""
    assert settings.database_url is not None
    url = settings.database_url.replace("+psycopg", "")
    command = [client_program("pg_dump"), "--format=custom", "--no-owner", f"--dbname={url}"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def dump_archive(dump: bytes, target: Path, *, rows: dict[str, int], revision: str) -> None:
    """An archive as Nexus made it before."""
    with new_archive(target) as archive:
        archive.add(DUMP, io.BytesIO(dump))
        manifest = Manifest(
            format=DUMP_FORMAT,
            created_at=datetime.now(UTC),
            schema_revision=revision,
            rows=rows,
            entries=archive.entries,
        )
        archive.finish(manifest, key=ANOTHER_KEY)


def lay_traps(settings: Settings, canary: Path) -> None:
    """Put into a database what runs a command when `pg_restore` brings it back."""
    assert settings.database_url is not None
    body = f"BEGIN COPY (SELECT 1) TO PROGRAM 'cat > {canary}'; RETURN true; END"
    harmless = "CREATE FUNCTION trap() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END'"
    traps = """
        CREATE FUNCTION trap_value(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
            'BEGIN PERFORM public.trap(); RETURN $1; END';
        CREATE FUNCTION trap_row() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM public.trap(); RETURN NEW; END';
        CREATE FUNCTION trap_event() RETURNS event_trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM public.trap(); END';
        CREATE VIEW trap_view AS SELECT public.trap();
        CREATE MATERIALIZED VIEW trap_rows AS SELECT public.trap();
        CREATE TABLE not_ours (x int, y boolean DEFAULT public.trap() CHECK (public.trap()));
        INSERT INTO not_ours VALUES (1);
        CREATE RULE trap_rule AS ON INSERT TO not_ours DO ALSO SELECT public.trap();
        CREATE INDEX trap_index ON users (public.trap_value(email));
        ALTER TABLE users ADD CONSTRAINT trap_check CHECK (public.trap());
        CREATE TRIGGER trap_trigger BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION trap_row();
        ALTER TABLE users ENABLE ALWAYS TRIGGER trap_trigger;
        ALTER TABLE users ADD COLUMN trapped text GENERATED ALWAYS AS (trap_value('x')) STORED;
    """
    armed = f"CREATE OR REPLACE FUNCTION trap() RETURNS boolean LANGUAGE plpgsql AS $x${body}$x$"
    event = "CREATE EVENT TRIGGER trap_event ON ddl_command_end EXECUTE FUNCTION trap_event()"
    with psycopg.connect(settings.database_url.replace("+psycopg", "")) as connection:
        for statement in (harmless, traps, armed, event):
            connection.execute(statement)


def with_statement(dump: bytes, table: str, statement: str) -> bytes:
    """A dump whose table says that its rows are read by another statement."""
    start = dump.index(f"COPY public.{table} (".encode())
    size = int.from_bytes(dump[start - 4 : start], "little")
    rest = dump[start + size :]
    return dump[: start - 4] + len(statement).to_bytes(4, "little") + statement.encode() + rest
