"""How much memory processes took that are gone by now."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

_OFTEN = 0.02


@contextmanager
def largest_child(parent: int, command: str) -> Iterator[list[int]]:
    """The most bytes that a process below the parent has held, while the block lasts.

    Only those count whose command line has these words in it.
    """
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(_OFTEN):
            for child in psutil.Process(parent).children(recursive=True):
                peak[0] = max(peak[0], _held(child.pid, command))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def _held(pid: int, command: str) -> int:
    folder = Path(f"/proc/{pid}")
    try:
        if command.encode() not in (folder / "cmdline").read_bytes():
            return 0
        found = re.search(r"VmHWM:\s+(\d+)", (folder / "status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
