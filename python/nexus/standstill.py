"""Notices that this process stood still for a while: the machine slept, or everything was stopped.

Time limits pass meanwhile and connections break, which says nothing about what was being read.
"""

import threading
import time
from types import TracebackType
from typing import Self

TICK_SECONDS = 1.0
# A busy machine delays a tick, but not by that much.
LONGEST_SECONDS = 5.0


class Standstill:
    """Watches while its block lasts."""

    def __init__(self) -> None:
        self._finished = threading.Event()
        self._noticed = False
        # The wall clock: the others stop while a machine sleeps.
        self._last = time.time()
        self._thread = threading.Thread(target=self._tick, name="standstill", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._finished.set()
        self._thread.join()

    @property
    def noticed(self) -> bool:
        """Whether it happened since the block began. Right after it, the last tick is overdue."""
        return self._noticed or time.time() - self._last > LONGEST_SECONDS

    def _tick(self) -> None:
        while not self._finished.wait(TICK_SECONDS):
            self._noticed = self.noticed
            self._last = time.time()
