"""Articles per minute: one warm extractor against a Node and browser process for each article."""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from bench.figures import Figure
from bench.pages import Site, site
from bench.run import Run
from nexus.config import Settings
from nexus.services import node_ingest

# Of both: as many as the worker reads at once by default.
_AT_ONCE = 2
_TARGET = 6.0


def measure(bench: Run) -> list[Figure]:
    """Rounds of both, one after the other; the warm one starts cold in each round."""
    rounds = bench.size(3, 1)
    rates: dict[str, list[float]] = {"serve": [], "oneshot": []}
    with site() as pages:
        sizes = {"serve": bench.size(4, 1) * len(pages.names), "oneshot": bench.size(30, 6)}
        for number in range(rounds):
            for mode, count in sizes.items():
                bench.say(f"ingest: {count} articles, {mode}, round {number + 1} of {rounds}")
                rates[mode].append(_articles_per_minute(pages, mode, count, mark=f"{mode}{number}"))
    ratio = statistics.median(
        serve / oneshot for serve, oneshot in zip(rates["serve"], rates["oneshot"], strict=True)
    )
    median = {mode: statistics.median(values) for mode, values in rates.items()}
    note = f"{_AT_ONCE} at once, {pages.source}"
    return [
        Figure(
            "articles per minute, serve / one process each", ratio, "×", at_least=_TARGET, note=note
        ),
        Figure("serve", median["serve"], "articles/min"),
        Figure("one process each", median["oneshot"], "articles/min"),
    ]


def _articles_per_minute(pages: Site, mode: str, count: int, *, mark: str) -> float:
    settings = Settings(
        ingest_mode=mode,
        worker_concurrency=_AT_ONCE,
        allow_private_hosts=(pages.host,),
    )
    urls = pages.urls(count, mark=mark)
    started = time.perf_counter()
    try:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            read = list(pool.map(lambda url: _read(url, settings), urls))
        taken = time.perf_counter() - started
    finally:
        node_ingest.stop()
    if not all(read):
        raise RuntimeError(f"{read.count(False)} of {count} articles could not be read")
    return count / taken * 60


def _read(url: str, settings: Settings) -> bool:
    try:
        return bool(node_ingest.extract(url, settings=settings).content_html)
    except node_ingest.IngestError:
        return False
