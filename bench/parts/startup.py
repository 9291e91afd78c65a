"""How long the second `make up` takes, and how long a bare uvicorn."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure
from bench.ports import free_port
from bench.run import Run
from bench.stack import wait_for
from nexus.config import PROJECT_ROOT

_READY = b"Nexus is ready"
_TARGET_SECONDS = 10.0


def measure(bench: Run) -> list[Figure]:
    """The first run makes the data directory and whatever is not installed yet."""
    with tempfile.TemporaryDirectory(prefix="nexus-bench-", ignore_cleanup_errors=True) as folder:
        data_dir = Path(folder)
        data_dir.chmod(0o711)
        bench.say("startup: first run")
        _seconds_until_ready(data_dir, limit=600)
        taken, bare = [], []
        for number in range(bench.size(3, 1)):
            bench.say(f"startup: second run, {number + 1}")
            taken.append(_seconds_until_ready(data_dir, limit=120))
            bare.append(_bare_seconds())
    seconds, bare_seconds = min(taken), min(bare)
    note = f"bare uvicorn {bare_seconds:.2f} s"
    return [
        Figure(
            "make up, second run",
            seconds,
            "s",
            at_most=_TARGET_SECONDS,
            note=f"best of {len(taken)}",
        ),
        Figure("make up / bare uvicorn", seconds / bare_seconds, "×", note=note),
    ]


def _seconds_until_ready(data_dir: Path, *, limit: float) -> float:
    environment = os.environ | {"NEXUS_DATA_DIR": str(data_dir), "NEXUS_PORT": str(free_port())}
    started = time.perf_counter()
    with _running(["make", "--no-print-directory", "up"], environment) as process:
        assert process.stdout is not None
        output = []
        for line in process.stdout:
            output.append(line)
            if _READY in line:
                return time.perf_counter() - started
            if time.perf_counter() - started > limit:
                raise TimeoutError(f"`make up` is not ready after {limit:.0f} s")
    raise RuntimeError("`make up` ended: " + b"".join(output[-3:]).decode(errors="replace"))


def _bare_seconds() -> float:
    """From the command to the first connection."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "bench.bare:app", "--port", str(port)]
    started = time.perf_counter()
    with _running([*command, "--log-level", "error"], dict(os.environ)):
        wait_for(lambda: _responds(port))
        return time.perf_counter() - started


@contextlib.contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
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


def _responds(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
