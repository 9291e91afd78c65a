"""`nexus up`: everything on one machine, in the foreground, until somebody stops it."""

import os
from collections.abc import Callable
from typing import NoReturn

from nexus.config import PROJECT_ROOT, Settings, SettingsError
from nexus.embedded.server import EmbeddedError, EmbeddedServer
from nexus.progress import Progress
from nexus.secrets import ensure_secrets
from nexus.supervisor.console import Console
from nexus.supervisor.environment import settings_environment
from nexus.supervisor.layout import Layout, with_embedded
from nexus.supervisor.leftovers import MARK, clear_leftovers
from nexus.supervisor.lock import AlreadyRunningError, exclusive
from nexus.supervisor.port import port_problem
from nexus.supervisor.program import Program
from nexus.supervisor.programs import application_programs, embedded_servers, server_program
from nexus.supervisor.signals import Signals, StopRequested
from nexus.supervisor.startup import StartError, start_and_wait
from nexus.supervisor.supervisord import Supervisord, SupervisordGoneError

Applications = Callable[[Settings, Layout], list[Program]]
Migrate = Callable[[str], None]


def migrate_database(database_url: str) -> None:
    """Bring the database to the newest schema."""
    from nexus.db.migrate import upgrade

    upgrade(database_url)


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
        with exclusive(layout.lock):
            servers = embedded_servers(settings, layout, say)
            clear_leftovers(layout, servers)
            return _Run(settings, layout, servers, say, signals).run(applications, migrate)
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
    ) -> None:
        self.settings = settings
        self.layout = layout
        self.servers = servers
        self.console = Console(layout, say)
        self.signals = signals

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
        try:
            manager.start(child_environment(settings), folder=PROJECT_ROOT)
            start_and_wait(manager, servers, self.console)
            self._update_database(settings, migrate)
            self._check_redis()
            self._check_storage(settings)
            start_and_wait(manager, programs, self.console)
            say(f"Nexus is ready: {settings.origin}")
            self._watch(manager)
        except StopRequested:
            say("Stopping Nexus (Ctrl-C again to hurry)")
            return 0
        except SupervisordGoneError:
            say("The process manager ended unexpectedly; stopping Nexus")
            self.console.show_log("supervisord-errors")
            return 1
        finally:
            self.signals.stopping = True
            manager.stop(hurried=self.signals.hurried)
            clear_leftovers(self.layout, self.servers)
            say("Nexus has stopped")

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

    def _watch(self, manager: Supervisord) -> NoReturn:
        """Report every part that ends by itself; returns only by an exception."""
        while True:
            for event in manager.events(60.0):
                self.console.report(event)
                if event.kind == "gave up":
                    # A new round of attempts, which starts with short waits again.
                    manager.start_program(event.name)


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
    return os.environ | settings_environment(settings) | mark
