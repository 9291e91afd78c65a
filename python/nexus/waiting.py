"""Waiting for what does not call back: a server that starts to answer, a process that ends."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], *, within: float, every: float = 0.05) -> bool:
    """Look at the condition until it holds; False when it does not within so many seconds."""
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
