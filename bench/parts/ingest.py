"""Articles per minute: one warm extractor against bare loads of the same pages in warm browsers."""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from bench.bare_load import BareLoader
from bench.figures import Figure
from bench.pages import Site, site
from bench.run import Run
from nexus.config import Settings
from nexus.extractors.web_article import node_client as node_ingest

# Of both: as many as the worker reads at once by default.
_AT_ONCE = 2
_TARGET = 0.85


def measure(bench: Run) -> list[Figure]:
    """Rounds of all, one after the other; what is warm starts cold in each round."""
    rounds = bench.size(3, 1)
    rates: dict[str, list[float]] = {"serve": [], "oneshot": [], "bare": []}
    with site() as pages:
        sizes = {"serve": bench.size(4, 1) * len(pages.names), "oneshot": bench.size(30, 6)}
        for number in range(rounds):
            for mode, count in sizes.items():
                bench.say(f"ingest: {count} articles, {mode}, round {number + 1} of {rounds}")
                rates[mode].append(_articles_per_minute(pages, mode, count, mark=f"{mode}{number}"))
            bench.say(f"ingest: bare loads, round {number + 1} of {rounds}")
            rates["bare"].append(
                _bare_loads_per_minute(pages, sizes["serve"], mark=f"bare{number}")
            )
    median = {mode: statistics.median(values) for mode, values in rates.items()}
    return [
        Figure(
            "articles per minute, serve / bare loads in warm browsers",
            _ratio(rates["serve"], rates["bare"]),
            "×",
            at_least=_TARGET,
            note=f"{_AT_ONCE} at once, {pages.source}; bare: no guard, no waiting, nothing kept",
        ),
        Figure(
            "articles per minute, serve / one process each",
            _ratio(rates["serve"], rates["oneshot"]),
            "×",
        ),
        Figure("serve", median["serve"], "articles/min"),
        Figure("one process each", median["oneshot"], "articles/min"),
        Figure("bare loads", median["bare"], "articles/min"),
    ]


def _ratio(rates: list[float], base: list[float]) -> float:
    return statistics.median(rate / slow for rate, slow in zip(rates, base, strict=True))


def _bare_loads_per_minute(pages: Site, count: int, *, mark: str) -> float:
    """As many warm browsers as articles at once, their start included."""
    urls = pages.urls(count, mark=mark)
    started = time.perf_counter()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(lambda first: _load_bare(urls[first::_AT_ONCE]), range(_AT_ONCE)))
    return count / (time.perf_counter() - started) * 60


def _load_bare(urls: list[str]) -> None:
    loader = BareLoader()
    try:
        for number, url in enumerate(urls):
            loader.load(url, cold=number == 0)
    finally:
        loader.close()


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
