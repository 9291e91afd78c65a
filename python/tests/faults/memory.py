"""Whether the memory of everything together stays flat while work goes on."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from statistics import median

# The first articles fill pools and caches, Postgres' shared buffers above all.
WARM_UP = 0.25
# Browsers and pools come and go, more so when they are killed; a leak adds up beyond that.
TOLERANCE = 1.15
MIB = 1024 * 1024
_EVERY_SECONDS = 2.0
_ENOUGH = 12

Sample = tuple[float, int]
"""How far the work had come, from 0 to 1, and the bytes in use then."""


def growth(samples: Sequence[Sample]) -> float | None:
    """The last third against the first third after the warm-up; None without enough samples."""
    used = [size for progress, size in samples if progress >= WARM_UP]
    if len(used) < _ENOUGH:
        return None
    third = len(used) // 3
    return median(used[-third:]) / median(used[:third])


@contextlib.contextmanager
def sampling(memory: Callable[[], int], progress: Callable[[], float]) -> Iterator[list[Sample]]:
    """Note the memory every few seconds until the block ends."""
    samples: list[Sample] = []
    finished = threading.Event()

    def sample() -> None:
        while not finished.wait(_EVERY_SECONDS):
            samples.append((progress(), memory()))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        finished.set()
        thread.join()
