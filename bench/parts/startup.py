"""How long the second `make up` takes, and how long a bare uvicorn."""

import os
import socket
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import Figure
from bench.ports import free_port
from bench.run import Run
from bench.stack import wait_for
from bench.whole import make_up, running

_TARGET_SECONDS = 5.0


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
    with make_up(data_dir, limit=limit) as nexus:
        return nexus.seconds_to_ready


def _bare_seconds() -> float:
    """From the command to the first connection."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "bench.bare:app", "--port", str(port)]
    started = time.perf_counter()
    with running([*command, "--log-level", "error"], dict(os.environ)):
        wait_for(lambda: _responds(port))
        return time.perf_counter() - started


def _responds(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
