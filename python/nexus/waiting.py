"""Polling for what cannot notify us: a server that comes up, a process that ends."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], *, within: float, every: float = 0.05) -> bool:
    """Poll the condition until it holds; False if it does not hold in `within` seconds."""
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
