"""All of Nexus, started as people start it."""

import contextlib
import os
import signal
import subprocess
import time
import xmlrpc.client
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from supervisor.xmlrpc import SupervisorTransport

from bench.ports import free_port
from bench.tree import memory
from nexus.config import PROJECT_ROOT
from nexus.supervisor.layout import Layout

_READY = b"Nexus is ready"


@dataclass(frozen=True)
class Whole:
    """A running `make up`."""

    layout: Layout
    origin: str
    pid: int
    seconds_to_ready: float

    def memory(self) -> dict[str, int]:
        """Bytes of each part with all below it, and of what runs the parts."""
        parts = {name: memory(pid) for name, pid in self._parts().items()}
        return {**parts, "manager": memory(self.pid) - sum(parts.values())}

    def _parts(self) -> dict[str, int]:
        transport = SupervisorTransport(serverurl=f"unix://{self.layout.supervisor_socket}")
        try:
            proxy = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
            known: list[dict[str, int | str]] = proxy.supervisor.getAllProcessInfo()  # type: ignore[assignment]
            return {str(part["name"]): int(part["pid"]) for part in known if part["pid"]}
        finally:
            transport.close()


@contextlib.contextmanager
def make_up(data_dir: Path, *, limit: float, **settings: str) -> Iterator[Whole]:
    """`make up` on this data directory, ready; stopped with the block."""
    port = free_port()
    environment = os.environ | {"NEXUS_DATA_DIR": str(data_dir), "NEXUS_PORT": str(port)}
    started = time.perf_counter()
    with running(["make", "--no-print-directory", "up"], environment | settings) as process:
        _wait_ready(process, started + limit)
        seconds = time.perf_counter() - started
        yield Whole(Layout(data_dir), f"http://127.0.0.1:{port}", process.pid, seconds)


def _wait_ready(process: subprocess.Popen[bytes], deadline: float) -> None:
    assert process.stdout is not None
    output = []
    for line in process.stdout:
        output.append(line)
        if _READY in line:
            return
        if time.perf_counter() > deadline:
            raise TimeoutError("`make up` is not ready in time")
    raise RuntimeError("`make up` ended: " + b"".join(output[-3:]).decode(errors="replace"))


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a group of its own, interrupted with the block."""
    process = subprocess.Popen(
        command,
        cwd=PROJECT_ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        assert process.stdout is not None
        process.stdout.read()
        process.wait(60)
