"""Giving memory back to the system while a process has nothing to do."""

import contextlib
import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable

_ROUND_SECONDS = 20.0
# A process that took less than this share of a processor since the last round is at rest.
_BUSY_SHARE = 0.02
# By process id: a fork has no thread of its parent.
_watched: set[int] = set()


def give_back() -> None:
    """Free what nothing refers to, and return the pages that became empty."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def at_rest(release: Callable[[], None]) -> None:
    """Call `release` and give memory back, in a thread, each time this process comes to rest.

    The first call in a process counts.
    """
    if os.getpid() in _watched:
        return
    _watched.add(os.getpid())
    threading.Thread(target=_watch, args=(release,), name="at-rest", daemon=True).start()


def _watch(release: Callable[[], None]) -> None:
    resting, before = False, time.process_time()
    while True:
        time.sleep(_ROUND_SECONDS)
        used, before = time.process_time() - before, time.process_time()
        was_resting, resting = resting, used < _BUSY_SHARE * _ROUND_SECONDS
        if resting and not was_resting:
            release()
            give_back()
