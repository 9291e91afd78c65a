"""supervisord as our child: started, instructed, listened to, stopped."""

import contextlib
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nexus.embedded.bound import bound_command
from nexus.supervisor.layout import Layout
from nexus.supervisor.program import Program

_EVENT = re.compile(
    r"(?P<kind>spawned|exited|stopped|gave up): '?(?P<name>[\w-]+)'?"
    r"(?: with pid (?P<pid>\d+)| \((?P<reason>[^;)]*))?"
)
_START_SECONDS = 15.0


class SupervisordGoneError(Exception):
    """supervisord ended, or no longer responds, although nobody asked it to stop."""


class HasFileno(Protocol):
    """Something to wait for."""

    def fileno(self) -> int: ...


@dataclass(frozen=True)
class Event:
    """Something that happened to a program, as supervisord reports it."""

    kind: str
    """spawned, exited (by itself), stopped (on request) or gave up."""
    name: str
    reason: str = ""


@dataclass(frozen=True)
class Attached:
    """A supervisord that runs, as one process leaves it to the next one of the same id."""

    pid: int
    output: int
    unread: str
    pids: dict[str, int]


class Supervisord:
    """One supervisord with its programs."""

    def __init__(self, layout: Layout, programs: list[Program]) -> None:
        self._layout = layout
        self._programs = programs
        self._pids: dict[str, int] = {}
        self._unread = b""
        self._pid: int | None = None
        self._output = -1

    def start(self, environment: dict[str, str], *, folder: Path) -> None:
        """Start supervisord with no program running yet; `folder` is where programs run."""
        # Here, because it is not needed any more once everything runs.
        from nexus.supervisor.conf import write_conf

        conf = write_conf(self._layout, self._programs, folder)
        command = [sys.executable, "-m", "nexus.supervisor.daemon", "-n", "-c", str(conf)]
        with self._layout.log_of("supervisord-errors").open("wb") as errors:
            self._output, output = os.pipe()
            process = subprocess.Popen(
                bound_command(command, parent=os.getpid()),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,  # a Ctrl-C in the terminal is for us alone
            )
            os.close(output)
        self._pid = process.pid
        process.returncode = 0  # it is waited for by its id
        self._wait_for_rpc()

    def attached(self) -> Attached:
        """What `attach` needs to go on."""
        assert self._pid is not None
        return Attached(self._pid, self._output, self._unread.decode(), self._pids)

    def attach(self, attached: Attached) -> None:
        """Take over a supervisord that this process started before it became another program."""
        self._pid, self._output = attached.pid, attached.output
        self._unread, self._pids = attached.unread.encode(), attached.pids

    def preload(self) -> str:
        """Have supervisord import what its programs share; what is wrong with it, or nothing."""
        return str(self._call("preload", namespace="nexus"))

    def start_program(self, name: str) -> None:
        """Start one program, without waiting for it."""
        self._call("startProcess", name, False)

    def seconds_alive(self) -> dict[str, int]:
        """For how long each program that is alive now has been."""
        return {
            info["name"]: info["now"] - info["start"]
            for info in self._call("getAllProcessInfo")
            if info["statename"] in {"STARTING", "RUNNING"}
        }

    def events(self, timeout: float, *, until: HasFileno | None = None) -> list[Event]:
        """What happened since the last call; waits up to `timeout` seconds for something.

        Waits no longer when there is something to read in `until`.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            if until is not None:
                selector.register(until, selectors.EVENT_READ)
            readable = [key.fileobj for key, _ in selector.select(timeout)]
        if self._output not in readable:
            return []
        # In the foreground supervisord writes its log to stdout as well: its stream of events.
        received = os.read(self._output, 65536)
        if not received:
            raise SupervisordGoneError
        *lines, self._unread = (self._unread + received).split(b"\n")
        return [event for line in lines if (event := self._read(line.decode(errors="replace")))]

    def stop(self, *, hurried: Callable[[], bool]) -> None:
        """Stop the programs, last started first, then supervisord; at once when `hurried`."""
        if self._pid is None:
            return
        limit = sum(program.stop_seconds for program in self._programs) + 10
        deadline = time.monotonic() + limit
        with contextlib.suppress(SupervisordGoneError):
            os.kill(self._pid, signal.SIGTERM)
            while time.monotonic() < deadline:
                if hurried():
                    self._kill_applications()
                self.events(0.1)
                self._wake()
        if time.monotonic() >= deadline:
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._output)
        self._pid = None

    def _call(self, method: str, *arguments: object, namespace: str = "supervisor") -> Any:
        # Here, because it is needed while Nexus starts and stops, and hardly ever in between.
        import http.client
        import xmlrpc.client

        from supervisor.xmlrpc import SupervisorTransport

        # A connection for each call: the transport cannot be used again after a refused one.
        transport = SupervisorTransport(serverurl=f"unix://{self._layout.supervisor_socket}")
        try:
            proxy = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
            return getattr(getattr(proxy, namespace), method)(*arguments)
        except (OSError, http.client.HTTPException, xmlrpc.client.Error) as error:
            raise SupervisordGoneError from error
        finally:
            transport.close()

    def _wait_for_rpc(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._wake():
            if time.monotonic() > deadline:
                raise SupervisordGoneError
            self.events(0.05)

    def _wake(self) -> bool:
        """Whether supervisord responds. A request ends the second it sleeps between rounds."""
        try:
            self._call("getState")
        except SupervisordGoneError:
            return False
        return True

    def _kill_applications(self) -> None:
        for program in self._programs:
            pid = self._pids.get(program.name)
            if pid and not program.keeps_data:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)

    def _read(self, line: str) -> Event | None:
        match = _EVENT.search(line)
        if match is None:
            return None
        kind, name = match["kind"], match["name"]
        if match["pid"]:
            self._pids[name] = int(match["pid"])
        else:
            self._pids.pop(name, None)
        return Event(kind, name, match["reason"] or "")
