"""A process and everything below it."""

import contextlib

import psutil


def descendants(pid: int) -> list[psutil.Process]:
    """The process and its children's children, those that still live."""
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def memory(pid: int) -> int:
    """Bytes of the whole tree; what processes share counts once."""
    total = 0
    for process in descendants(pid):
        with contextlib.suppress(psutil.Error):
            info = process.memory_full_info()
            total += getattr(info, "pss", info.rss)
    return total
