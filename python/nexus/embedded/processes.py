"""Finding and ending processes that an earlier run left behind."""

import contextlib
import signal
from collections.abc import Iterable, Sequence
from pathlib import Path

import psutil

from nexus.waiting import wait_until


def read_pid(path: Path) -> int | None:
    """The process id on the first line of a pid file, if there is one."""
    try:
        return int(path.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def process_in(pid: int | None, *, name: str, folder: Path) -> psutil.Process | None:
    """Process `pid`, provided it really is a `name` working in `folder` and not a reused id."""
    if pid is None:
        return None
    try:
        process = psutil.Process(pid)
        is_it = process.name().startswith(name) and Path(process.cwd()) == folder.resolve()
    except (psutil.Error, OSError):
        return None
    return process if is_it else None


def stop(process: psutil.Process, signals: Sequence[tuple[signal.Signals, float]]) -> None:
    """Send each signal in turn, giving the process that many seconds to end, then SIGKILL."""
    for number, seconds in [*signals, (signal.SIGKILL, 5.0)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)
        if not wait_gone([process], seconds):
            return


def wait_gone(processes: Iterable[psutil.Process], timeout: float) -> list[psutil.Process]:
    """Wait for the processes to end; return those still alive after `timeout` seconds."""
    watched = list(processes)
    wait_until(lambda: not any(map(is_alive, watched)), within=timeout)
    return [process for process in watched if is_alive(process)]


def is_alive(process: psutil.Process) -> bool:
    """Whether the process still runs. A zombie does not: it only waits to be reaped."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
