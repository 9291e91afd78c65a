"""Memory of the worker, its Node process and its browser over many articles."""

import statistics
import time
from uuid import uuid4

from bench.figures import Figure
from bench.pages import site
from bench.run import Run
from bench.saving import Saver, saver
from bench.stack import nexus_stack
from bench.tree import memory

_MIB = 2**20
_MOST_MIB = 1024
# Noise of a browser that is restarted now and then; a leak of 1 MiB in ten articles shows.
_FLAT = 1.15
_QUEUED = 20
_LIMIT_SECONDS = 900.0
# Memory is sampled: often enough to see every article, seldom enough not to slow them down.
_SAMPLE_SECONDS = 0.2

Samples = list[tuple[int, float]]


def measure(bench: Run) -> list[Figure]:
    """Sampled all the while, with the worker never out of work."""
    count = bench.size(500, 40)
    with (
        site() as pages,
        nexus_stack(redis=True, allow_private_hosts=(pages.host,)) as stack,
        stack.api(),
        stack.program("worker") as worker,
        saver(stack, uuid4()) as reader,
    ):
        urls = pages.urls(count, mark="memory")
        reader.save_and_wait(urls[0])
        samples, failed = _ingest(bench, reader, urls[1:], worker.pid)
    start = count // 10
    early = [size for done, size in samples if start <= done < 3 * start]
    late = [size for done, size in samples if done >= count - 2 * start]
    growth = statistics.median(late) / statistics.median(early)
    most = max(size for _, size in samples)
    note = f"{count} articles, {failed} failed, {pages.source}"
    flat = f"{statistics.median(late):.0f} MiB at the end, {statistics.median(early):.0f} before"
    return [
        Figure("worker tree, most", most, "MiB", at_most=_MOST_MIB, note=note),
        Figure(f"worker tree, last fifth / after {start}", growth, "×", at_most=_FLAT, note=flat),
    ]


def _ingest(bench: Run, reader: Saver, urls: list[str], pid: int) -> tuple[Samples, int]:
    samples: Samples = []
    saved, waiting = 1, iter(urls)
    deadline = time.monotonic() + _LIMIT_SECONDS
    while True:
        ready, failed = reader.finished()
        done = ready + failed
        samples.append((done, memory(pid) / _MIB))
        if done > len(urls):
            return samples, failed
        if time.monotonic() > deadline:
            raise TimeoutError(f"{done} articles in {_LIMIT_SECONDS:.0f} s")
        bench.say(f"memory: {done} of {len(urls) + 1} articles, {samples[-1][1]:.0f} MiB")
        for url in waiting:
            reader.save(url)
            saved += 1
            if saved - done >= _QUEUED:
                break
        time.sleep(_SAMPLE_SECONDS)
