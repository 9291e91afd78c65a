"""Ending whatever a run of Nexus leaves behind, however it ended."""

import contextlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import psutil

from nexus.embedded.processes import read_pid, stop, wait_gone
from nexus.embedded.server import EmbeddedServer
from nexus.supervisor.layout import Layout

MARK = "NEXUS_SUPERVISED"
"""Every child carries this variable with its data directory, and passes it on to its own."""

_GRACE_SECONDS = 2.0


def clear_leftovers(layout: Layout, servers: Sequence[EmbeddedServer]) -> None:
    """Stop every process of this data directory that still runs and remove its socket files."""
    manager = read_pid(layout.supervisor_pid)
    for process in _marked(layout.data_dir):
        if process.pid == manager:
            stop(process, [(signal.SIGTERM, _GRACE_SECONDS)])
    for server in servers:
        server.stop_leftover()
    remaining = _marked(layout.data_dir)
    _send(remaining, signal.SIGTERM)
    _send(wait_gone(remaining, _GRACE_SECONDS), signal.SIGKILL)
    wait_gone(remaining, _GRACE_SECONDS)
    for path in (layout.supervisor_pid, layout.supervisor_socket, layout.api_socket):
        path.unlink(missing_ok=True)


def _marked(data_dir: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == str(data_dir):
                found.append(process)
    return found


def _send(processes: Sequence[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(number)
