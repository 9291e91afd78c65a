"""`nexus up`: everything on one machine, in the foreground, until somebody stops it."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import IO

from nexus.config import PROJECT_ROOT, Settings, SettingsError
from nexus.db.schema_version import VERSION_QUERY, is_newest
from nexus.embedded.server import EmbeddedError, EmbeddedServer
from nexus.progress import Progress
from nexus.ready import VARIABLE as READY
from nexus.secrets import ensure_secrets
from nexus.supervisor.console import Console
from nexus.supervisor.ending import Running
from nexus.supervisor.environment import settings_environment
from nexus.supervisor.layout import Layout, with_embedded
from nexus.supervisor.leftovers import MARK, clear_leftovers
from nexus.supervisor.lock import AlreadyRunningError, exclusive
from nexus.supervisor.port import port_problem
from nexus.supervisor.program import Program
from nexus.supervisor.programs import application_programs, embedded_servers, server_program
from nexus.supervisor.reports import Reports
from nexus.supervisor.signals import Signals, StopRequested
from nexus.supervisor.startup import StartError, start, wait_ready
from nexus.supervisor.supervisord import Supervisord
from nexus.supervisor.watch import become_watcher

Applications = Callable[[Settings, Layout], list[Program]]
Migrate = Callable[[str], None]


def migrate_database(database_url: str) -> None:
    """Bring the database to the newest schema; one query when it has that already."""
    if schema_is_current(database_url):
        return
    # In a process of its own, which takes with it what only a migration needs.
    command = [sys.executable, "-m", "nexus.cli.main", "migrate"]
    environment = os.environ | {"NEXUS_DATABASE_URL": database_url}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StartError((done.stderr or done.stdout).strip().splitlines()[-1])


def schema_is_current(database_url: str) -> bool:
    """Whether a database that can be reached has the newest schema."""
    import psycopg

    with psycopg.connect(database_url.replace("+psycopg", "", 1), connect_timeout=5) as connection:
        try:
            return is_newest(name for (name,) in connection.execute(VERSION_QUERY))
        except psycopg.errors.UndefinedTable:
            return False


def up(
    settings: Settings,
    *,
    say: Progress,
    applications: Applications = application_programs,
    migrate: Migrate = migrate_database,
) -> int:
    """Run Nexus until a signal stops it; the exit code."""
    signals = Signals()
    signals.install()
    layout = Layout(settings.data_dir)
    try:
        layout.create()
        with exclusive(layout.lock) as lock:
            servers = embedded_servers(settings, layout, say)
            clear_leftovers(layout, servers)
            return _Run(settings, layout, servers, say, signals, lock).run(applications, migrate)
    except StopRequested:
        return 0
    except AlreadyRunningError as error:
        say(
            f"Nexus already runs on {layout.data_dir} ({error}): stop it, or set NEXUS_DATA_DIR "
            "and NEXUS_PORT for a second one"
        )
    except (StartError, EmbeddedError, SettingsError) as error:
        say(f"Nexus cannot start: {error}")
    except OSError as error:
        reason = error.strerror or str(error)
        say(f"Nexus cannot start: {error.filename or layout.data_dir}: {reason}")
    return 1


class _Run:
    """One run of Nexus on a data directory that is ours alone."""

    def __init__(
        self,
        settings: Settings,
        layout: Layout,
        servers: list[EmbeddedServer],
        say: Progress,
        signals: Signals,
        lock: IO[str],
    ) -> None:
        self.settings = settings
        self.layout = layout
        self.servers = servers
        self.console = Console(layout, say)
        self.signals = signals
        self.lock = lock

    def run(self, applications: Applications, migrate: Migrate) -> int:
        say = self.console.say
        if problem := port_problem(self.settings.host, self.settings.port):
            raise StartError(problem)
        for server in self.servers:
            if not server.data.exists():
                say(f"Creating {server.name} in {server.root}")
            server.prepare()
        settings = _completed(self.settings, self.layout)
        servers = [server_program(server) for server in self.servers]
        programs = applications(settings, self.layout)
        manager = Supervisord(self.layout, [*servers, *programs])
        running = Running(self.layout, self.servers, manager, self.console, self.signals)

        def work() -> None:
            self._start(manager, servers, programs, settings, migrate)
            say(f"Nexus is ready: {settings.origin}")
            become_watcher(running, [*servers, *programs], lock=self.lock.fileno())

        return running.until_ended(work)

    def _start(
        self,
        manager: Supervisord,
        servers: list[Program],
        programs: list[Program],
        settings: Settings,
        migrate: Migrate,
    ) -> None:
        environment = child_environment(settings) | {READY: str(self.layout.ready_socket)}
        with Reports(self.layout.ready_socket) as reports:
            manager.start(environment, folder=PROJECT_ROOT)
            start(manager, servers, self.console)
            # While the servers start.
            if problem := manager.preload():
                self.console.show_log("supervisord-errors")
                raise StartError(f"the applications cannot be loaded: {problem}")
            wait_ready(manager, servers, self.console, reports)
            self._update_database(settings, migrate)
            self._check_redis()
            self._check_storage(settings)
            start(manager, programs, self.console)
            wait_ready(manager, programs, self.console, reports)

    def _update_database(self, settings: Settings, migrate: Migrate) -> None:
        self.console.say("Updating the database")
        if self.settings.database_url is None:
            self.layout.postgres.create_database("nexus")
        assert settings.database_url is not None
        try:
            migrate(settings.database_url)
        except Exception as error:
            reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
            raise StartError(f"the database cannot be updated: {reason[0]}") from error

    def _check_redis(self) -> None:
        """An external Redis is not waited for: it is reachable, or an operator must act."""
        if self.settings.redis_url is None:
            return
        import redis

        try:
            with redis.from_url(self.settings.redis_url, socket_timeout=5) as client:
                client.ping()
        except (redis.RedisError, ValueError) as error:
            raise StartError(f"Redis (NEXUS_REDIS_URL) cannot be used: {error}") from error

    def _check_storage(self, settings: Settings) -> None:
        """An external file store must accept our key; one that is too small is reported."""
        if settings.storage == "local":
            return
        from nexus.services.storage_limits import limit_problem
        from nexus.storage import get_storage_client
        from nexus.storage.errors import StorageError
        from nexus.storage.fixes import how_to_fix

        try:
            storage = get_storage_client(settings)
            storage.check()
            problem = limit_problem(storage.max_object_bytes())
        except StorageError as error:
            reason = f"the file store cannot be used: {error}"
            raise StartError(f"{reason}; {how_to_fix(error)}") from error
        if problem:
            self.console.say(f"The file store has a limit below ours: {problem} (nexus doctor)")


def _completed(settings: Settings, layout: Layout) -> Settings:
    try:
        settings = with_embedded(ensure_secrets(settings))
    except ValueError:
        path = settings.data_dir / "secrets.json"
        raise StartError(f"{path} is damaged: restore it, or delete it and sign in again") from None
    return settings.model_copy(update={"api_url": f"unix:{layout.api_socket}"})


def child_environment(settings: Settings) -> dict[str, str]:
    """The environment of every part: ours, with the settings that were determined here."""
    mark = {"PYTHONUNBUFFERED": "1", MARK: str(settings.data_dir)}
    # Threads that allocate from heaps of their own leave each of them full of holes.
    heaps = {"MALLOC_ARENA_MAX": "2"}
    return os.environ | heaps | settings_environment(settings) | mark
