"""supervisord as our child: started, instructed, listened to, stopped."""

import contextlib
import http.client
import os
import re
import selectors
import signal
import subprocess
import sys
import time
import xmlrpc.client
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supervisor.xmlrpc import SupervisorTransport

from nexus.embedded.bound import bound_command
from nexus.supervisor.conf import write_conf
from nexus.supervisor.layout import Layout
from nexus.supervisor.program import Program

_EVENT = re.compile(
    r"(?P<kind>spawned|exited|stopped|gave up): '?(?P<name>[\w-]+)'?"
    r"(?: with pid (?P<pid>\d+)| \((?P<reason>[^;)]*))?"
)
_START_SECONDS = 15.0


class SupervisordGoneError(Exception):
    """supervisord ended, or no longer responds, although nobody asked it to stop."""


@dataclass(frozen=True)
class Event:
    """Something that happened to a program, as supervisord reports it."""

    kind: str
    """spawned, exited (by itself), stopped (on request) or gave up."""
    name: str
    reason: str = ""


class Supervisord:
    """One supervisord with its programs."""

    def __init__(self, layout: Layout, programs: list[Program]) -> None:
        self._layout = layout
        self._programs = programs
        self._pids: dict[str, int] = {}
        self._unread = b""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, environment: dict[str, str], *, folder: Path) -> None:
        """Start supervisord with no program running yet; `folder` is where programs run."""
        conf = write_conf(self._layout, self._programs, folder)
        command = [sys.executable, "-m", "nexus.supervisor.daemon", "-n", "-c", str(conf)]
        with self._layout.log_of("supervisord-errors").open("wb") as errors:
            self._process = subprocess.Popen(
                bound_command(command, parent=os.getpid()),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # a Ctrl-C in the terminal is for us alone
            )
        self._wait_for_rpc()

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

    def events(self, timeout: float) -> list[Event]:
        """What happened since the last call; waits up to `timeout` seconds for something."""
        assert self._process is not None
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(timeout):
                return []
        # In the foreground supervisord writes its log to stdout as well: its stream of events.
        received = os.read(self._process.stdout.fileno(), 65536)
        if not received:
            raise SupervisordGoneError
        *lines, self._unread = (self._unread + received).split(b"\n")
        return [event for line in lines if (event := self._read(line.decode(errors="replace")))]

    def stop(self, *, hurried: Callable[[], bool]) -> None:
        """Stop the programs, last started first, then supervisord; at once when `hurried`."""
        if self._process is None:
            return
        limit = sum(program.stop_seconds for program in self._programs) + 10
        deadline = time.monotonic() + limit
        with contextlib.suppress(SupervisordGoneError):
            self._process.send_signal(signal.SIGTERM)
            while time.monotonic() < deadline:
                if hurried():
                    self._kill_applications()
                self.events(0.1)
                self._wake()
        if time.monotonic() >= deadline:
            self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def _call(self, method: str, *arguments: object) -> Any:
        # A connection for each call: the transport cannot be used again after a refused one.
        transport = SupervisorTransport(serverurl=f"unix://{self._layout.supervisor_socket}")
        try:
            proxy = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
            return getattr(proxy.supervisor, method)(*arguments)
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
