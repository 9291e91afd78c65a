"""From saving an address to the article being ready, against the bare page load + Readability."""

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

from bench.bare_load import BareLoader
from bench.figures import Figure
from bench.pages import Site, site
from bench.run import Run
from bench.saving import saver
from bench.stack import nexus_stack, wait_for
from bench.tree import descendants

_TARGET = 1.3
# Closing the last article's tab must not be counted against the next page's bare load.
_REST_SECONDS = 0.05


def measure(bench: Run) -> list[Figure]:
    """Page by page, both ways in turn: with the browser running, and after a rest without one."""
    user_id = uuid4()
    bare = BareLoader()
    with (
        site() as pages,
        nexus_stack(redis=True, allow_private_hosts=(pages.host,)) as stack,
        stack.api(),
        stack.program("worker") as worker,
        saver(stack, user_id) as reader,
    ):
        bench.say("latency: warming up")
        for number, url in enumerate(pages.urls(6, mark="warm")):
            reader.save_and_wait(url)
            bare.load(url, cold=number == 0)
        warm = _compare(bench, pages, reader.save_and_wait, bare, count=bench.size(60, 10))
        cold = []
        for number, url in enumerate(pages.urls(bench.size(9, 2), mark="cold")):
            bench.say(f"latency: at rest, {number + 1}")
            wait_for(lambda: not _has(worker.pid, "chrom"), seconds=30)
            bare_seconds = bare.load(url, cold=True)
            cold.append((reader.save_and_wait(url), bare_seconds))
        resting = []
        for number, url in enumerate(pages.urls(bench.size(5, 1), mark="resting")):
            bench.say(f"latency: after a minute at rest, {number + 1}")
            wait_for(lambda: not _has(worker.pid, "node"), seconds=120)
            bare_seconds = bare.load(url, cold=True)
            resting.append((reader.save_and_wait(url), bare_seconds))
    bare.close()
    return [
        _figure("save to ready / bare load, browser running", warm),
        _figure("save to ready / bare load, from rest", cold),
        # For information: the target is about a system that is idle, not one that was left alone.
        replace(
            _figure("save to ready / bare load, after a minute at rest", resting), at_most=None
        ),
    ]


def _compare(
    bench: Run, pages: Site, save: Callable[[str], float], bare: BareLoader, *, count: int
) -> list[tuple[float, float]]:
    taken = []
    for number, url in enumerate(pages.urls(count, mark="save")):
        bench.say(f"latency: article {number + 1} of {count}")
        bare_seconds = bare.load(url, cold=False)
        taken.append((save(url), bare_seconds))
        time.sleep(_REST_SECONDS)
    return taken


def _has(pid: int, name: str) -> bool:
    return any(name in process.name() for process in descendants(pid))


def _figure(name: str, taken: list[tuple[float, float]]) -> Figure:
    ratio = statistics.median(saved / bare for saved, bare in taken)
    saved, bare = (statistics.median(values) * 1000 for values in zip(*taken, strict=True))
    return Figure(name, ratio, "×", at_most=_TARGET, note=f"{saved:.0f} ms against {bare:.0f} ms")
