"""Nexus for a benchmark: its own data directory, the parts `nexus up` runs, run the same way."""

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

import psycopg

from nexus.auth.tokens import mint_local_token
from nexus.config import PROJECT_ROOT, Settings
from nexus.db.migrate import upgrade
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.redis import EmbeddedRedis
from nexus.embedded.running import running
from nexus.secrets import ensure_secrets
from nexus.supervisor.layout import Layout
from nexus.supervisor.programs import application_programs
from nexus.supervisor.up import child_environment
from nexus.waiting import wait_until


@dataclass(frozen=True)
class Stack:
    """Durable servers with the newest schema, and the settings that lead to them."""

    settings: Settings
    layout: Layout
    name: str = "nexus"

    @property
    def api_socket(self) -> str:
        socket_path = self.layout.api_socket
        return str(socket_path.with_stem(f"{socket_path.stem}-{self.name}"))

    def beside(self, name: str) -> "Stack":
        """The same servers with another database, empty, for an API of its own."""
        postgres = self.layout.postgres
        postgres.create_database(name)
        upgrade(postgres.url(name))
        settings = self.settings.model_copy(update={"database_url": postgres.url(name)})
        return replace(self, settings=settings, name=name)

    def headers(self, user_id: UUID) -> dict[str, str]:
        """What the BFF sends with a request of this person."""
        assert self.settings.jwt_secret
        assert self.settings.internal_secret
        secret = self.settings.jwt_secret.get_secret_value()
        token = mint_local_token(secret, user_id=user_id, email="reader@example.org")
        internal = self.settings.internal_secret.get_secret_value()
        return {"Authorization": f"Bearer {token}", "X-Nexus-Internal": internal}

    def connect(self) -> psycopg.Connection:
        assert self.settings.database_url
        return psycopg.connect(self.settings.database_url.replace("+psycopg", ""), autocommit=True)

    @contextlib.contextmanager
    def program(self, name: str, *, app: str | None = None) -> Iterator[subprocess.Popen[bytes]]:
        """Run one application as `nexus up` does; `app` puts another ASGI app in its place."""
        programs = application_programs(self.settings, self.layout)
        command = next(program.command for program in programs if program.name == name)
        changed = {str(self.layout.api_socket): self.api_socket}
        if app is not None:
            changed[f"apps.{name}.main:app"] = app
        command = [changed.get(part, part) for part in command]
        with self.layout.log_of(name).open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=PROJECT_ROOT,
                env=child_environment(self.settings)
                | {"NEXUS_ALLOW_PRIVATE_HOSTS": ",".join(self.settings.allow_private_hosts)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    @contextlib.contextmanager
    def api(self, *, app: str | None = None) -> Iterator[None]:
        """The API, ready."""
        with self.program("api", app=app) as process:
            wait_for(lambda: process.poll() is not None or _responds(self.api_socket))
            if process.poll() is not None:
                raise RuntimeError(f"the API did not start, see {self.layout.log_of('api')}")
            yield


@contextlib.contextmanager
def nexus_stack(*, redis: bool = False, **changes: object) -> Iterator[Stack]:
    """Embedded servers as `nexus up` runs them, fsync and all, in a directory of their own."""
    with tempfile.TemporaryDirectory(prefix="nexus-bench-", ignore_cleanup_errors=True) as folder:
        data_dir = Path(folder)
        # Postgres drops root's privileges and must still reach its folder.
        data_dir.chmod(0o711)
        layout = Layout(data_dir)
        layout.create()
        with contextlib.ExitStack() as servers:
            postgres = EmbeddedPostgres(layout.postgres.root, say=lambda _text: None)
            servers.enter_context(running(postgres))
            if redis:
                servers.enter_context(running(EmbeddedRedis(layout.redis.root)))
            postgres.create_database("nexus")
            upgrade(postgres.url())
            plain = Settings(data_dir=data_dir, database_url=postgres.url(), **changes)  # type: ignore[arg-type]
            found = {"redis_url": layout.redis.url, "api_url": f"unix:{layout.api_socket}"}
            yield Stack(ensure_secrets(plain).model_copy(update=found), layout)


def wait_for(condition: Callable[[], bool], *, seconds: float = 60) -> None:
    """Return when the condition holds; TimeoutError when it does not in time."""
    if not wait_until(condition, within=seconds, every=0.02):
        raise TimeoutError(f"waited {seconds:.0f} s without success")


def _responds(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0
