"""Work counted in lines of Python that ran: the same on every machine, however busy it is."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """Lines, calls and returns in this thread; what a function in C does counts as nothing."""
    count = 0

    def see(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += 1
        return see

    before = sys.gettrace()
    sys.settrace(see)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
