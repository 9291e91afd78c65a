"""A real `nexus up` on a data directory of its own, and hands to break its parts with."""

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import xmlrpc.client
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import psycopg
import redis
from bench.ports import free_port
from bench.tree import memory as tree_memory
from supervisor.xmlrpc import SupervisorTransport

from nexus.config import PROJECT_ROOT
from nexus.embedded.bound import bound_command
from nexus.embedded.processes import is_alive, wait_gone
from nexus.queues import INGEST_QUEUE
from nexus.supervisor.layout import Layout
from nexus.supervisor.leftovers import MARK
from nexus.supervisor.programs import http_problem
from nexus.waiting import wait_until
from tests.faults.audit import AUDIT
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS

RECOVERY_LIMIT_SECONDS = 120.0
"""After the last fault everything is as it should be within this time."""

DATA = "data"


class Stack:
    """One running Nexus."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout(root / DATA)
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self._output = root / "output.log"
        # Everything below inherits it, Node and browsers too: this is how their strays are found.
        self._temporary = root / "tmp"
        self._temporary.mkdir()
        self._process: subprocess.Popen[bytes] | None = None
        self._seen: set[psutil.Process] = set()

    def start(self) -> None:
        """Start everything and return when it is ready."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("NEXUS_")}
        environment |= {
            "NEXUS_ENV": "test",
            "NEXUS_DATA_DIR": str(self.layout.data_dir),
            "NEXUS_PORT": str(self.port),
            "NEXUS_SIGNUP_RATE": "1000/minute",
            "TMPDIR": str(self._temporary),
        }
        if chromium := os.environ.get("NEXUS_CHROMIUM"):
            environment["NEXUS_CHROMIUM"] = chromium
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                bound_command([sys.executable, "-m", "nexus.cli.main", "up"], parent=os.getpid()),
                cwd=PROJECT_ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        wait_for(self._ready_or_ended, what="Nexus is ready")
        assert self._process.poll() is None, self.output()
        with self.database() as connection:
            connection.execute(AUDIT)

    def _ready_or_ended(self) -> bool:
        assert self._process is not None
        return "Nexus is ready" in self.output() or self._process.poll() is not None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def output(self) -> str:
        return self._output.read_text(errors="replace")

    def stop(self) -> tuple[int | None, list[str]]:
        """Ask it to stop; its exit code (None: it had to be killed), and what it left running."""
        assert self._process is not None
        self._family()
        self._process.send_signal(signal.SIGTERM)
        code: int | None
        try:
            code = self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            code = None
        left = {*wait_gone(self._seen, PATIENCE_SECONDS), *self._ours()}
        names = [_describe(process) for process in left]
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        return code, names

    def pid(self, name: str) -> int:
        """The process of a part, once it has one."""
        found: list[int] = []

        def look() -> bool:
            found[:] = [info["pid"] for info in self._supervisor_info() if info["name"] == name]
            return bool(found and found[0])

        wait_for(look, what=f"{name} runs")
        return found[0]

    def kill(self, name: str) -> int:
        """SIGKILL to one part; the manager starts it again. The process that was killed."""
        self._family()
        pid = self.pid(name)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return pid

    def wait_restarted(self, name: str, was: int) -> None:
        """Return when a part that had that process has another one, and answers."""
        answers = {
            "api": lambda: self._front_problem() is None,
            "bff": lambda: self._front_problem() is None,
            "redis": self.layout.redis.is_ready,
            "postgres": self.layout.postgres.is_ready,
        }
        wait_for(lambda: self.pid(name) != was and answers[name](), what=f"{name} is back")

    def wait_all_answer(self) -> None:
        """Return when the front door says that database, broker and storage are there."""
        problems: list[str | None] = []

        def all_answer() -> bool:
            problems[:] = [self._front_problem()]
            return problems == [None]

        answered = wait_until(all_answer, within=PATIENCE_SECONDS)
        assert answered, f"not within {PATIENCE_SECONDS:.0f} s: {problems[0]}"

    def _front_problem(self) -> str | None:
        return http_problem("127.0.0.1", self.port)

    def kill_worker(self) -> None:
        """SIGKILL to the worker and all its pool at once, as the kernel does without memory."""
        pool = self.pool()
        self.kill("worker")
        for process in pool:
            with contextlib.suppress(psutil.Error):
                process.kill()

    def pool(self) -> list[psutil.Process]:
        """The processes in which the worker reads articles."""
        return _children(self.pid("worker"))

    def nodes(self) -> list[psutil.Process]:
        return [node for process in self.pool() for node in _children(process.pid)]

    def browsers(self) -> list[psutil.Process]:
        return [browser for node in self.nodes() for browser in _children(node.pid)]

    def backends(self) -> list[psutil.Process]:
        """The processes below Postgres' first one: connections and its own helpers."""
        return _children(self.pid("postgres"))

    def memory(self) -> int:
        """Bytes of all our processes; what they share counts once."""
        assert self._process is not None
        return tree_memory(self._process.pid)

    def command(self, method: str, *arguments: object) -> Any:
        """One call to the process manager."""
        transport = SupervisorTransport(serverurl=f"unix://{self.layout.supervisor_socket}")
        try:
            proxy = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
            return getattr(proxy.supervisor, method)(*arguments)
        finally:
            transport.close()

    def lock_waiters(self) -> int:
        """How many statements of Nexus wait for a lock, which the caller holds."""
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        return int(self.rows(waiting)[0][0])

    def messages(self) -> list[bytes]:
        """What waits in the queue of articles."""
        with self.queue() as queue:
            return list(queue.lrange(INGEST_QUEUE, 0, -1))  # type: ignore[arg-type]

    def queued_ids(self) -> set[str]:
        """The items for which a message waits."""
        bodies = [base64.b64decode(json.loads(message)["body"]) for message in self.messages()]
        return {json.loads(body)[0][0] for body in bodies}

    def age_unfinished(self, seconds: int) -> None:
        """Let time pass for unfinished items, as if nobody had touched them for so long."""
        with self.database() as connection:
            connection.execute(
                "UPDATE media SET updated_at = updated_at - %(by)s, "
                "lease_expires_at = lease_expires_at - %(by)s "
                "WHERE processing_status IN ('pending', 'extracting')",
                {"by": timedelta(seconds=seconds)},
            )

    def _supervisor_info(self) -> list[dict[str, Any]]:
        info: list[dict[str, Any]] = self.command("getAllProcessInfo")
        return info

    @contextlib.contextmanager
    def database(self) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
        """A connection in one transaction, committed when the block ends."""
        with psycopg.connect(
            self.database_url(), connect_timeout=int(PATIENCE_SECONDS)
        ) as connection:
            yield connection

    def database_url(self) -> str:
        """Where Postgres is, as its own clients read it."""
        return self.layout.postgres.url().replace("+psycopg", "", 1)

    def rows(self, query: str, *arguments: object) -> list[tuple[Any, ...]]:
        with self.database() as connection:
            return connection.execute(query, arguments).fetchall()

    @contextlib.contextmanager
    def queue(self) -> Iterator["redis.Redis"]:
        with redis.Redis.from_url(self.layout.redis.url, socket_timeout=PATIENCE_SECONDS) as client:
            yield client

    def orphans(self) -> list[str]:
        """Our processes that hang on nobody any more, those about to end excepted.

        An article that lost its worker may be read to its end before the process notices.
        """
        wait_until(lambda: not self._lost(), within=PATIENCE_SECONDS, every=0.5)
        return [_describe(process) for process in self._lost()]

    def _lost(self) -> list[psutil.Process]:
        family = self._family()
        suspects = {*self._seen, *self._ours()} - family
        # Whatever was born between the two looks is in the second one.
        return [process for process in suspects - self._family() if is_alive(process)]

    def _family(self) -> set[psutil.Process]:
        """Every process below ours, remembered: browsers hide where their children come from."""
        assert self._process is not None
        try:
            own = psutil.Process(self._process.pid)
            family = {own, *own.children(recursive=True)}
        except psutil.NoSuchProcess:
            return set()
        self._seen = {process for process in self._seen | family if is_alive(process)} - {own}
        return family

    def _ours(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                environment = process.environ()
                marked = environment.get(MARK) == str(self.layout.data_dir)
                inside = environment.get("TMPDIR", "").startswith(str(self._temporary))
                if (marked or inside) and is_alive(process):
                    found.append(process)
        return found


@contextlib.contextmanager
def running_stack(*, logs: Path | None = None) -> Iterator[Stack]:
    """A stack in a temporary folder, stopped and removed with the block; `logs` keeps its logs."""
    with temporary_folder() as root, running_in(root, logs=logs) as stack:
        yield stack


@contextlib.contextmanager
def running_in(root: Path, *, logs: Path | None = None) -> Iterator[Stack]:
    """A stack in that folder, stopped with the block."""
    stack = Stack(root)
    try:
        stack.start()
        yield stack
    finally:
        if stack.is_running:
            stack.stop()
        if logs is not None:
            shutil.copytree(stack.layout.logs, logs, dirs_exist_ok=True)


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that goes with the block."""
    root = Path(tempfile.mkdtemp(prefix="nexus-faults-"))
    # Postgres drops root's privileges and must still reach its folder.
    root.chmod(0o711)
    try:
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _children(pid: int) -> list[psutil.Process]:
    """Nobody when the process is gone: the manager may not have noticed yet that it was killed."""
    try:
        children: list[psutil.Process] = psutil.Process(pid).children()
    except psutil.Error:
        return []
    return children


def _describe(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {process.name()} {' '.join(process.cmdline())[:120]}"
    except psutil.Error:
        return f"{process.pid}"
