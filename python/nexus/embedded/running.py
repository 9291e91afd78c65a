"""Running one embedded server for as long as a block of code lasts."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from typing import TypeVar

from nexus.embedded.bound import bound_command
from nexus.embedded.server import EmbeddedError, EmbeddedServer
from nexus.waiting import wait_until

Server = TypeVar("Server", bound=EmbeddedServer)

_STOP_SECONDS = 15.0


@contextlib.contextmanager
def running(server: Server, *, timeout: float = 60.0) -> Iterator[Server]:
    """Prepare and start the server, wait until it responds, stop it at the end.

    The server ends with the thread that entered this block, even when that is killed: enter it
    from a thread that lives as long as the server is needed.
    """
    server.prepare()
    server.stop_leftover()
    command = bound_command(
        server.command(), stop_signal=server.stop_signal, user=server.account, parent=os.getpid()
    )
    log_path = server.root / f"{server.name}.log"
    with log_path.open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_ready(server, process, timeout)
        yield server
    finally:
        _stop(process, server.stop_signal)


def _wait_ready(server: EmbeddedServer, process: subprocess.Popen[bytes], timeout: float) -> None:
    log = server.root / f"{server.name}.log"

    def decided() -> bool:
        return server.is_ready() or process.poll() is not None

    if not wait_until(decided, within=timeout):
        raise EmbeddedError(f"{server.name} did not respond within {timeout:.0f} s, see {log}")
    if process.poll() is not None:
        lines = log.read_text(errors="replace").splitlines()[-15:]
        raise EmbeddedError("\n".join([f"{server.name} ended while starting:", *lines]))


def _stop(process: subprocess.Popen[bytes], stop_signal: signal.Signals) -> None:
    process.send_signal(stop_signal)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
