"""One Nexus per data directory."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from nexus.waiting import wait_until

_PATIENCE_SECONDS = 0.5


class AlreadyRunningError(Exception):
    """Another process holds the data directory."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(f"process {pid}" if pid else "another process")
        self.pid = pid


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[IO[str]]:
    """Hold the lock file while the block lasts. The kernel releases it when we are killed."""
    with path.open("a+") as file:
        # Wait a little: commands that only check who holds it hold it for a moment themselves.
        if not wait_until(lambda: _taken(file), within=_PATIENCE_SECONDS):
            raise AlreadyRunningError(_read_pid(path))
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield file


def holder(path: Path) -> int | None:
    """The process that holds the lock, or None when it is free."""
    if not path.exists():
        return None
    with path.open("a+") as file:
        return None if _taken(file) else _read_pid(path)


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read_pid(path: Path) -> int | None:
    text = path.read_text().strip()
    return int(text) if text.isdigit() else None
