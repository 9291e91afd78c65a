"""Embedded Postgres, for real."""

import os
import pwd
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import psycopg
import pytest
from sqlalchemy import create_engine, text

from nexus.embedded.account import allow_access
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.processes import wait_gone
from nexus.embedded.running import running
from nexus.embedded.server import EmbeddedError
from tests.patience import PATIENCE_SECONDS

as_root = os.geteuid() == 0


def ask(url: str, query: str) -> list[object]:
    """The first column of the answer, if there is one."""
    engine = create_engine(url)
    with engine.begin() as connection:
        result = connection.execute(text(query))
        rows = list(result.scalars()) if result.returns_rows else []
    engine.dispose()
    return rows


def postmaster(postgres: EmbeddedPostgres) -> psutil.Process:
    return psutil.Process(int((postgres.data / "postmaster.pid").read_text().split()[0]))


def test_keeps_its_data_over_a_restart(root: Path) -> None:
    with running(EmbeddedPostgres(root / "pg", durable=False)) as postgres:
        postgres.create_database("nexus")
        ask(postgres.url(), "CREATE TABLE kept AS SELECT 7 AS id")
    with running(EmbeddedPostgres(root / "pg", durable=False)) as postgres:
        postgres.create_database("nexus")
        assert ask(postgres.url(), "SELECT id FROM kept") == [7]
        for _ in range(2):
            postgres.create_database('odd "name"', template="nexus")
        assert ask(postgres.url('odd "name"'), "SELECT id FROM kept") == [7]


def test_settings_that_the_application_counts_on(root: Path) -> None:
    expected = {
        "listen_addresses": "",
        "server_encoding": "UTF8",
        "TimeZone": "UTC",
        "max_connections": "200",
        "fsync": "on",
    }
    EmbeddedPostgres(root / "pg", durable=False).prepare()
    with running(EmbeddedPostgres(root / "pg")) as postgres:
        names = ", ".join(f"('{name}')" for name in expected)
        query = f"SELECT current_setting(name) FROM (VALUES {names}) AS wanted(name)"
        assert ask(postgres.url("postgres"), query) == list(expected.values())
        accents = "SELECT upper('é') || (SELECT min(x) FROM (VALUES ('a'), ('B')) AS v(x))"
        assert ask(postgres.url("postgres"), accents) == ["ÉB"]
        assert stat.S_IMODE(postgres.sockets.stat().st_mode) == 0o700


def test_a_path_too_long_for_a_socket_and_a_half_finished_initdb(root: Path) -> None:
    postgres = EmbeddedPostgres(root / ("long " * 30), durable=False)
    # What an initdb that was killed leaves is no obstacle either.
    unfinished = postgres.root / "data.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18")
    with running(postgres):
        assert not unfinished.exists()
        assert not postgres.sockets.is_relative_to(root)
        assert stat.S_IMODE(postgres.sockets.stat().st_mode) == 0o700
        assert ask(postgres.url("postgres"), "SELECT 1") == [1]
    postgres.stop_leftover()
    postgres.sockets.rmdir()


def test_a_socket_folder_of_somebody_else_is_refused(root: Path) -> None:
    postgres = EmbeddedPostgres(root / ("long " * 30), durable=False)
    postgres.sockets.symlink_to(root)
    try:
        with pytest.raises(EmbeddedError, match="belongs to somebody else"):
            postgres.prepare()
    finally:
        postgres.sockets.unlink()


def test_a_server_that_cannot_start_says_why(root: Path) -> None:
    postgres = EmbeddedPostgres(root / "pg", durable=False)
    postgres.prepare()
    (postgres.data / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match="no_such_setting"), running(postgres):
        pass
    (postgres.data / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedError, match="made by Postgres 16"):
        postgres.prepare()


RUN_AND_WAIT = """
    import pathlib, sys
    from nexus.embedded.postgres import EmbeddedPostgres
    from nexus.embedded.running import running
    with running(EmbeddedPostgres(pathlib.Path(sys.argv[1]), durable=False)):
        print("ready", flush=True)
        sys.stdin.read()
"""


def test_ends_when_its_parent_is_killed(root: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(RUN_AND_WAIT), str(root / "pg")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        server = postmaster(EmbeddedPostgres(root / "pg"))
        family = [server, *server.children(recursive=True)]
        parent.kill()
    assert wait_gone(family, PATIENCE_SECONDS) == []


def start_unbound(postgres: EmbeddedPostgres) -> psutil.Process:
    """A server which nobody stops: it is not bound to its parent."""
    postgres.prepare()
    account = {}
    if postgres.account:
        group = pwd.getpwnam(postgres.account).pw_gid
        account = {"user": postgres.account, "group": group, "extra_groups": []}
    quiet = subprocess.DEVNULL
    process = psutil.Popen(postgres.command(), stdout=quiet, stderr=quiet, cwd="/", **account)
    postgres.wait_ready(PATIENCE_SECONDS)
    return process


def test_leftovers_are_no_obstacle(root: Path) -> None:
    postgres = EmbeddedPostgres(root / "pg", durable=False)
    pid_file = postgres.data / "postmaster.pid"

    running_still = start_unbound(postgres)
    with psycopg.connect(host=str(postgres.sockets), user="postgres", dbname="postgres"):
        postgres.stop_leftover()
        assert running_still.wait(PATIENCE_SECONDS) == 0

    killed = start_unbound(postgres)
    family = killed.children(recursive=True)
    killed.kill()
    killed.wait(PATIENCE_SECONDS)
    assert wait_gone(family, PATIENCE_SECONDS) == []
    assert pid_file.exists()
    with running(postgres):
        assert ask(postgres.url("postgres"), "SELECT 1") == [1]

    with subprocess.Popen(["sleep", "3600"]) as innocent:
        try:
            pid_file.write_text(f"{innocent.pid}\n{postgres.data}\n")
            with running(postgres):
                assert innocent.poll() is None
        finally:
            innocent.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755])
def test_only_the_traverse_bit_is_granted_and_only_by_root(root: Path, mode: int) -> None:
    said: list[str] = []
    closed = root / "closed"
    closed.mkdir()
    for folder in (root, closed):
        folder.chmod(mode)
    postgres = EmbeddedPostgres(closed / "pg", durable=False, say=said.append)
    postgres.data.mkdir(parents=True)  # no need of a real cluster here
    (postgres.data / "PG_VERSION").write_text("18")
    postgres.prepare()
    granted = as_root and not mode & stat.S_IXOTH
    for folder in (root, closed):
        assert stat.S_IMODE(folder.stat().st_mode) == mode | (stat.S_IXOTH if granted else 0)
    assert [str(root) in line and str(closed) in line for line in said] == [True] * granted


@pytest.mark.parametrize(("mode", "expected"), [(0o700, 0o710), (0o750, 0o750), (0o705, 0o715)])
def test_a_group_of_the_account_gets_the_bit_instead(root: Path, mode: int, expected: int) -> None:
    """The kernel asks the group's bits, and no others, of a member of the group."""
    account = pwd.getpwuid(os.geteuid() or pwd.getpwnam("nobody").pw_uid)
    closed, programs = root / "closed", root / "programs"
    closed.mkdir()
    (programs / "bin").mkdir(parents=True)
    (programs / "bin" / "postgres").touch(mode=0o755)
    for folder in (closed, programs, root) if as_root else ():
        os.chown(folder, -1, account.pw_gid)
    closed.chmod(mode)
    allow_access(account, folders=[closed / "data"], programs=programs)
    assert stat.S_IMODE(closed.stat().st_mode) == (expected if as_root else mode)


def is_stranger(account: pwd.struct_passwd, folder: Path) -> bool:
    groups = os.getgrouplist(account.pw_name, account.pw_gid)
    return account.pw_uid != folder.stat().st_uid and folder.stat().st_gid not in groups


def test_programs_installed_under_a_strict_umask_are_opened(root: Path) -> None:
    account = next(other for other in pwd.getpwall() if is_stranger(other, root))
    programs = root / "programs"
    program, library = programs / "bin" / "postgres", programs / "bin" / "libpq.so"
    for folder in (programs, program.parent):
        folder.mkdir(mode=0o700)
    for path, mode in ((program, 0o700), (library, 0o600)):
        path.touch()
        path.chmod(mode)
    allow_access(account, folders=[], programs=programs)
    paths = (programs, program.parent, program, library)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in paths]
    assert modes == [0o705, 0o705, 0o705, 0o604]
