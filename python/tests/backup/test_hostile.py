"""An archive from anywhere brings rows or is refused: it runs nothing and spoils nothing."""

import gzip
import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from alembic.script import ScriptDirectory

from nexus.backup import load, tables
from nexus.backup.archive import Manifest, opened_archive, rows_member
from nexus.backup.create import create_backup
from nexus.backup.database import connected
from nexus.backup.dump import rows_of_dump
from nexus.backup.errors import BackupError, DamagedArchive, ForeignArchive
from nexus.backup.key import ensure_key, key_path
from nexus.backup.restore import FOREIGN, restore_backup
from nexus.backup.rows import GZIP, Room, TableRows, checked_rows, inflated
from nexus.config import PROJECT_ROOT, Settings
from nexus.db.migrate import downgrade, upgrade
from nexus.embedded.postgres import client_program
from tests.backup.hostile import (
    Members,
    dump_archive,
    dump_of,
    lay_traps,
    lines,
    rewritten,
    set_lines,
    with_statement,
)
from tests.backup.installations import contents, fill, new_installation, unreachable
from tests.backup.test_archive import small_archive

SCRIPTS = ScriptDirectory(str(PROJECT_ROOT / "migrations"))
REVISIONS = [found.revision for found in SCRIPTS.walk_revisions()]


def silent(line: str) -> None:
    assert line


@dataclass(frozen=True)
class Dump:
    data: bytes
    rows: dict[str, int]
    revision: str

    def archived(self, path: Path, data: bytes) -> Path:
        """An archive with this or another dump in it."""
        dump_archive(data, path, rows=self.rows, revision=self.revision)
        return path


def rows_and_revision(archive: Path) -> tuple[dict[str, int], str]:
    with opened_archive(archive) as opened:
        return opened.manifest.rows, opened.manifest.schema_revision


@pytest.fixture
def canary() -> Iterator[Path]:
    """A file that the database's server could write."""
    folder = Path(tempfile.mkdtemp(prefix="nexus-canary-"))
    folder.chmod(0o777)
    yield folder / "hit"
    shutil.rmtree(folder)


@pytest.fixture
def source(tmp_path: Path) -> Settings:
    settings = new_installation(tmp_path)
    fill(settings, files=1)
    return settings


@pytest.fixture
def archive(source: Settings, tmp_path: Path) -> Path:
    create_backup(source, tmp_path / "honest.tar", say=silent)
    return tmp_path / "honest.tar"


@pytest.fixture
def target(tmp_path: Path) -> Settings:
    """An installation with something to lose."""
    settings = new_installation(tmp_path)
    fill(settings, files=1)
    return settings


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One archive for all tests that need any."""
    folder = tmp_path_factory.mktemp("honest")
    settings = new_installation(folder)
    fill(settings, files=1)
    create_backup(settings, folder / "honest.tar", say=silent)
    return folder / "honest.tar"


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """One installation for all tests after which it is as it was before."""
    settings = new_installation(tmp_path_factory.mktemp("unharmed"))
    fill(settings, files=1)
    return settings


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Dump:
    """A dump of all of a database, as archives held it before."""
    folder = tmp_path_factory.mktemp("dump")
    settings = new_installation(folder)
    create_backup(settings, folder / "new.tar", say=silent)
    return Dump(dump_of(settings), *rows_and_revision(folder / "new.tar"))


def url_of(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url


def restore(settings: Settings, path: Path) -> Manifest:
    return restore_backup(settings, path, force=True, from_elsewhere=True, warn=silent, say=silent)


def columns(**changes: list[str] | None) -> Callable[[Members, Manifest], None]:
    def change(members: Members, manifest: Manifest) -> None:
        for table, names in changes.items():
            if names is None:
                del manifest.columns[table]
                del members[rows_member(table)]
            else:
                manifest.columns[table] = names
                members.setdefault(rows_member(table), gzip.compress(b""))

    return change


def table_named(name: str) -> Callable[[Members, Manifest], None]:
    return columns(**{name: ["rolname"]})


def one_more(table: str, row: bytes) -> Callable[[Members, Manifest], None]:
    def change(members: Members, manifest: Manifest) -> None:
        set_lines(members, table, [*lines(members, table), row + b"\n"])
        manifest.rows[table] += 1

    return change


def first_row(table: str, column: str, value: bytes) -> Callable[[Members, Manifest], None]:
    def change(members: Members, manifest: Manifest) -> None:
        row, *others = lines(members, table)
        fields = row.rstrip(b"\n").split(b"\t")
        fields[manifest.columns[table].index(column)] = value
        set_lines(members, table, [b"\t".join(fields) + b"\n", *others])

    return change


def raw(table: str, content: Callable[[bytes], bytes]) -> Callable[[Members, Manifest], None]:
    def change(members: Members, manifest: Manifest) -> None:
        assert manifest.rows[table]
        members[rows_member(table)] = content(members[rows_member(table)])

    return change


def file_named(name: str) -> Callable[[Members, Manifest], None]:
    return lambda members, manifest: members.update({name: b"x"})


def missing(path: str) -> Callable[[Members, Manifest], None]:
    return lambda members, manifest: manifest.missing_files.append(path)


def wrong_count(members: Members, manifest: Manifest) -> None:
    manifest.rows["users"] += len(members)


def deletion(members: Members, manifest: Manifest) -> None:
    manifest.deleted_meanwhile.append("x'); DROP TABLE users; --" if members else "")


USERS = ["id", "email", "created_at"]
INJECTED = "id) FROM PROGRAM 'true' --"
NOW = b"2026-01-01 00:00:00+00"


def refused(archive: Path, settings: Settings, said: str) -> None:
    """Refused in words that are safe on a screen."""
    with pytest.raises(BackupError, match=said) as error:
        restore(settings, archive)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (file_named("files/../../../etc/cron.d/x"), "is not a valid path"),
        (file_named("files//etc/cron.d/x"), "is not a valid path"),
        (file_named("../x"), "has no place"),
        (file_named("database.dump"), "has no place"),
        (missing("../../../etc/passwd"), "is not a valid path"),
    ],
)
def test_names_that_nexus_never_wrote_are_refused_before_the_database_is_asked(
    tmp_path: Path, change: Callable[[Members, Manifest], None], said: str
) -> None:
    small_archive(tmp_path / "small.tar")
    rewritten(tmp_path / "small.tar", tmp_path / "hostile.tar", change)
    refused(tmp_path / "hostile.tar", unreachable(tmp_path), said)


USERS = ["id", "email", "created_at"]
OURS = {"users": USERS, "annotations": ["id", "body"]}
INJECTED = "id) FROM PROGRAM 'true' --"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pg_authid": ["rolname"]}, "not tables of Nexus"),
        ({"alembic_version": ["version_num"]}, "not tables of Nexus"),
        ({"users FROM PROGRAM 'x' --": ["id"]}, "not tables of Nexus"),
        ({"users": [*USERS, "is_superuser"]}, "no users as"),
        ({"users": USERS[:2]}, "no users as"),
        ({"users": ["id", "email", "email"]}, "no users as"),
        ({"users": [INJECTED, "email", "created_at"]}, "no users as"),
        ({"annotations": None}, "no annotations as"),
    ],
)
def test_other_tables_than_those_of_the_release_are_refused(
    given: dict[str, list[str] | None], said: str
) -> None:
    columns = {name: found for name, found in (OURS | given).items() if found is not None}
    manifest = Manifest(
        created_at=datetime.now(UTC), schema_revision="x", rows={}, entries={}, columns=columns
    )
    rows = {name: TableRows(tuple(found), lambda: iter(())) for name, found in columns.items()}
    with pytest.raises(DamagedArchive, match=said):
        load._compare(OURS, rows, manifest)


ROWS = b"1\tx\n2\ty\n" * 1000


NOT_WHOLE = {
    "cut off": (gzip.compress(ROWS)[:-9], "rows are cut off"),
    "longer": (gzip.compress(ROWS) + b"more", "rows are cut off"),
    "begun in plain text": (b"plain" + gzip.compress(ROWS), "cannot be decompressed"),
    "without the last end": (gzip.compress(ROWS[:-1]), "the last row is cut off"),
}


@pytest.mark.parametrize("name", NOT_WHOLE)
def test_rows_that_are_not_whole_are_refused(name: str) -> None:
    packed, said = NOT_WHOLE[name]
    with pytest.raises(DamagedArchive, match=said):
        list(checked_rows(inflated([packed], GZIP), Room(None)))


NOW = b"2026-01-01 00:00:00+00"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (table_named("pg_authid"), "not tables of Nexus"),
        (one_more("users", b"\\! touch /tmp/x"), "do not fit: invalid input syntax"),
        (one_more("users", b"\\.\nSET ROLE postgres;"), "do not fit|as it claims"),
        (one_more("users", b"\xff\xfe"), "do not fit"),
        (
            one_more(
                "users", b"\t".join([uuid4().bytes.hex().encode(), b"x", NOW, NOW, NOW, b"y"])
            ),
            "extra",
        ),
        (first_row("highlights", "fragment_id", str(uuid4()).encode()), "foreign key"),
        (first_row("highlights", "end_offset", b"-1"), "check constraint"),
        (first_row("users", "email", b"\x1b[2J\\t" * 3 + b"\\x00"), "do not fit"),
        (wrong_count, "as it claims"),
        (deletion, "do not fit"),
        (raw("users", lambda data: data[:-9]), "cut off"),
        (first_row("media_file", "storage_path", b"media/x/other.pdf"), "lacks the file"),
    ],
)
def test_what_is_not_rows_of_nexus_is_refused_and_changes_nothing(
    honest: Path,
    unharmed: Settings,
    tmp_path: Path,
    change: Callable[[Members, Manifest], None],
    said: str,
) -> None:
    rewritten(honest, tmp_path / "hostile.tar", change)
    before = contents(unharmed)
    refused(tmp_path / "hostile.tar", unharmed, said)
    assert contents(unharmed) == before


def test_an_archive_of_another_is_taken_only_when_asked_for(
    archive: Path, source: Settings, target: Settings
) -> None:
    before = contents(target)
    with pytest.raises(ForeignArchive, match="--from-elsewhere"):
        restore_backup(target, archive, force=True, say=silent)
    assert contents(target) == before
    warnings: list[str] = []
    restore_backup(
        target, archive, force=True, from_elsewhere=True, warn=warnings.append, say=silent
    )
    assert warnings == [FOREIGN]
    assert contents(target) == contents(source)
    assert not (target.data_dir / "secrets.json").exists()


def test_a_changed_row_with_right_checksums_is_not_ours(
    archive: Path, source: Settings, tmp_path: Path
) -> None:
    made = tmp_path / "changed.tar"
    rewritten(archive, made, first_row("annotations", "body", b"forged"))
    before = contents(source)
    with pytest.raises(ForeignArchive):
        restore_backup(source, made, force=True, say=silent)
    assert contents(source) == before
    key = ensure_key(source.data_dir)
    signed = tmp_path / "signed.tar"
    rewritten(archive, signed, first_row("annotations", "body", b"mine"), key=key)
    restore_backup(source, signed, force=True, say=silent)
    assert any(",mine," in row for row in contents(source)["annotations"])


@pytest.mark.heavy
def test_the_key_is_kept_to_oneself(archive: Path, source: Settings) -> None:
    path = key_path(source.data_dir)
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(ensure_key(source.data_dir)) == 32
    assert path.read_bytes() not in archive.read_bytes()
    path.write_text("half")
    with pytest.raises(BackupError, match="is damaged"):
        restore_backup(source, archive, force=True, say=silent)


def test_texts_of_another_are_cleaned_again(honest: Path, target: Settings, tmp_path: Path) -> None:
    made = tmp_path / "script.tar"
    html = b"<p>Read <script>alert(1)</script><b onclick=x>this</b></p>"
    rewritten(honest, made, first_row("fragments", "html_sanitized", html))
    restore(target, made)
    found = " ".join(contents(target)["fragments"])
    assert "Read" in found
    assert "script" not in found
    assert "onclick" not in found
    with connected(url_of(target)) as connection, pytest.raises(psycopg.IntegrityError):
        connection.execute("UPDATE fragments SET canonical_text = 'x'")


@pytest.mark.heavy
def test_a_dump_of_before_gives_its_rows(tmp_path: Path) -> None:
    source, target = new_installation(tmp_path), new_installation(tmp_path, migrated=False)
    fill(source, files=0)
    create_backup(source, tmp_path / "new.tar", say=silent)
    rows, revision = rows_and_revision(tmp_path / "new.tar")
    dump_archive(dump_of(source), tmp_path / "old.tar", rows=rows, revision=revision)
    restore(target, tmp_path / "old.tar")
    assert contents(target) == contents(source)
    with pytest.raises(ForeignArchive):
        restore_backup(source, tmp_path / "old.tar", force=True, say=silent)


def test_a_dump_full_of_traps_runs_nothing(tmp_path: Path, canary: Path) -> None:
    source, target = new_installation(tmp_path), new_installation(tmp_path)
    fill(source, files=0)
    create_backup(source, tmp_path / "new.tar", say=silent)
    rows, revision = rows_and_revision(tmp_path / "new.tar")
    as_it_was = contents(source)
    lay_traps(source, canary)
    canary.unlink(missing_ok=True)
    dump = dump_of(source)
    # The traps work: this is what restoring did before.
    victim = new_installation(tmp_path, migrated=False)
    url = url_of(victim).replace("+psycopg", "")
    subprocess.run(
        [client_program("pg_restore"), f"--dbname={url}"],
        input=dump,
        check=False,
        capture_output=True,
    )
    assert canary.exists()
    canary.unlink()
    dump_archive(dump, tmp_path / "old.tar", rows=rows, revision=revision)
    restore(target, tmp_path / "old.tar")
    assert contents(target) == as_it_was
    with connected(url_of(target)) as connection:
        query = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'trap%'"
        assert connection.execute(query).fetchone() == (0,)
    assert not canary.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "COPY public.users (id, email, created_at) FROM PROGRAM 'cat > {canary}';\n",
        "COPY public.users (id, email, created_at) FROM stdin;\n\\! touch {canary}\n",
        "DROP TABLE public.users;",
        "",
    ],
)
@pytest.mark.heavy
def test_a_dump_with_other_statements_is_refused(
    tmp_path: Path, dump: Dump, unharmed: Settings, canary: Path, statement: str
) -> None:
    made = with_statement(dump.data, "users", statement.format(canary=canary))
    before = contents(unharmed)
    with pytest.raises(DamagedArchive, match="no users as"):
        restore(unharmed, dump.archived(tmp_path / "old.tar", made))
    assert contents(unharmed) == before
    assert not canary.exists()


def cut_off(dump: bytes, length: int) -> bytes:
    """Its first bytes; for a negative length, without those of its last rows."""
    blocks = dump.rindex(b"x\x9c") + 1000
    return dump[: length if length >= 0 else blocks + length]


@pytest.mark.parametrize("length", [0, 5, 11, 300, 20_000, -1000])
def test_a_dump_cut_off_or_of_another_kind_has_no_rows(dump: Dump, length: int) -> None:
    source = io.BytesIO(cut_off(dump.data, length))
    with pytest.raises(DamagedArchive):
        list(chain.from_iterable(rows.chunks() for rows in rows_of_dump(source).values()))


@pytest.mark.heavy
def test_a_dump_that_is_cut_off_changes_nothing(
    tmp_path: Path, dump: Dump, unharmed: Settings
) -> None:
    before = contents(unharmed)
    with pytest.raises(DamagedArchive):
        restore(unharmed, dump.archived(tmp_path / "old.tar", cut_off(dump.data, -1000)))
    assert contents(unharmed) == before


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.heavy
def test_archives_of_every_release_come_back(tmp_path: Path, revision: str) -> None:
    source, target = new_installation(tmp_path), new_installation(tmp_path)
    fill(source, files=1)
    downgrade(url_of(source), revision)
    create_backup(source, tmp_path / "old.tar", say=silent)
    restore(target, tmp_path / "old.tar")
    upgrade(url_of(source))
    before, after = contents(source), contents(target)
    for table in ("users", "media", "fragments", "highlights", "annotations", "library_media"):
        assert after[table] == before[table] != []
    assert after["stored"] == before["stored"]


FORBIDDEN = [
    "CREATE TABLE mine (x int)",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE ROLE other SUPERUSER",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "COPY users FROM '/etc/passwd'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT * FROM accounts",
    "DELETE FROM users",
    "UPDATE alembic_version SET version_num = 'x'",
    "ALTER TABLE users DISABLE TRIGGER ALL",
]


def test_the_role_that_adds_rows_may_do_nothing_else(tmp_path: Path) -> None:
    with connected(url_of(new_installation(tmp_path))) as connection:
        as_it_is = connection.execute("SELECT current_user").fetchone()
        with tables.only_adding_rows(connection, tables.columns_of_tables(connection)):
            for statement in FORBIDDEN:
                with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                    connection.execute(statement)
            row = b"%s\tx@example.org\t%s\n" % (str(uuid4()).encode(), NOW)
            assert tables.rows_in(connection, "users", USERS, [row]) == 1
            name = connection.execute("SELECT current_user").fetchone()
            assert name is not None
            assert name[0].startswith("nexus_restore_")
        assert connection.execute("SELECT current_user").fetchone() == as_it_is
        found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", name).fetchone()
        assert found is None


@pytest.mark.parametrize("rights", ["LOGIN", "LOGIN CREATEROLE"])
@pytest.mark.heavy
def test_a_database_of_somebody_who_is_no_superuser(
    archive: Path, source: Settings, tmp_path: Path, rights: str
) -> None:
    target = new_installation(tmp_path, migrated=False)
    role = f"owner_{uuid4().hex}"
    with connected(url_of(target)) as connection:
        connection.execute(f'CREATE ROLE "{role}" {rights}')
        row = connection.execute("SELECT current_database()").fetchone()
        assert row is not None
        connection.execute(f'ALTER DATABASE "{row[0]}" OWNER TO "{role}"')
    url = url_of(target).replace("postgres@", f"{role}@")
    restore(target.model_copy(update={"database_url": url}), archive)
    assert contents(target) == contents(source)


@pytest.mark.heavy
def test_more_than_there_is_room_for(honest: Path, unharmed: Settings) -> None:
    before = contents(unharmed)
    with opened_archive(honest) as opened:
        replaced = load.replaced_database(url_of(unharmed), opened, own=False, room=Room(500))
        with pytest.raises(BackupError, match="more room than the disk has"), replaced:
            pass
    assert contents(unharmed) == before


def test_what_unpacks_hugely_is_read_in_small_pieces() -> None:
    bomb = gzip.compress(bytes(64 * 1024 * 1024))
    sizes = [len(piece) for piece in inflated([bomb], GZIP)]
    assert sum(sizes) == 64 * 1024 * 1024
    assert max(sizes) <= 1024 * 1024


def test_a_row_without_end_is_refused() -> None:
    endless = (bytes(1024 * 1024) for _ in iter(int, 1))
    with pytest.raises(DamagedArchive, match="a row is too long"):
        for _ in checked_rows(endless, Room(None)):
            pass


@pytest.mark.heavy
def test_numbers_go_on_behind_those_that_came_back(source: Settings, tmp_path: Path) -> None:
    add = (
        "INSERT INTO usage_records (user_id, operation, amount)"
        " SELECT id, 'INGEST_URLS', 1 FROM users RETURNING id"
    )
    with connected(url_of(source)) as connection:
        before = connection.execute(add).fetchall()
    create_backup(source, tmp_path / "a.tar", say=silent)
    target = new_installation(tmp_path)
    restore(target, tmp_path / "a.tar")
    with connected(url_of(target)) as connection:
        assert min(connection.execute(add).fetchall()) > max(before)
