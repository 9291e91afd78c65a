"""What programs report while Nexus starts (see `nexus.ready`)."""

import contextlib
import socket
from pathlib import Path
from typing import Self


class Reports:
    """A socket for the reports, and the programs that have reported."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ready: set[str] = set()

    def __enter__(self) -> Self:
        self._path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(str(self._path))
        return self

    def __exit__(self, *_error: object) -> None:
        self._socket.close()
        self._path.unlink(missing_ok=True)

    def fileno(self) -> int:
        return self._socket.fileno()

    def ready(self) -> set[str]:
        """The names of those that are ready."""
        with contextlib.suppress(BlockingIOError):
            while message := self._socket.recv(4096):
                lines = message.decode(errors="replace").splitlines()
                values = dict(line.split("=", 1) for line in lines if "=" in line)
                if values.get("READY") == "1":
                    self._ready.add(values.get("STATUS", ""))
        return self._ready
