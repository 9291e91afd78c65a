"""Waiting for a condition instead of for a time."""

import time
from collections.abc import Callable


def eventually(condition: Callable[[], bool], *, within: float = 5.0) -> bool:
    """Whether the condition becomes true in time."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return condition()
