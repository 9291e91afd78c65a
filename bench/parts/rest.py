"""Memory of all of Nexus while nobody uses it, by part: fresh, and some time after a busy hour."""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.figures import Figure
from bench.front import Reader, signed_up
from bench.pages import Site, site
from bench.run import Run
from bench.stack import wait_for
from bench.whole import Whole, make_up

_MIB = 2**20
_MOST_MIB = 400
# Nobody comes within this time, so whatever ends when it is not needed has ended.
_REST_SECONDS = 100
# A browser opens six connections at most.
_AT_ONCE = 6
_INGEST_SECONDS = 900.0
_READS = ("/media?limit=50", "/libraries", "/highlights?limit=50", "/search?q=the", "/me")


def measure(bench: Run) -> list[Figure]:
    """Proportional set size: what processes share counts once."""
    articles, requests = bench.size(200, 10), bench.size(2_000, 100)
    with (
        tempfile.TemporaryDirectory(prefix="nexus-bench-", ignore_cleanup_errors=True) as folder,
        site() as pages,
    ):
        data_dir = Path(folder)
        data_dir.chmod(0o711)
        allowed = {"NEXUS_ALLOW_PRIVATE_HOSTS": pages.host, "NEXUS_REQUEST_RATE": "100000/second"}
        with make_up(data_dir, limit=600, **allowed) as nexus:
            fresh = _at_rest(bench, nexus, "after its start")
            with signed_up(nexus.origin) as reader:
                failed = _ingest(bench, reader, pages, articles)
                _ask(bench, reader, requests)
            busy = nexus.memory()
            used = _at_rest(bench, nexus, "after use")
    note = f"{articles} articles ({failed} failed), {requests} requests, {_REST_SECONDS} s"
    return [
        *_figures("at rest", fresh, f"{_REST_SECONDS} s after the start"),
        *_figures("at rest after use", used, note),
        Figure("at the end of that use", sum(busy.values()) / _MIB, "MiB"),
    ]


def _at_rest(bench: Run, nexus: Whole, when: str) -> dict[str, int]:
    for second in range(_REST_SECONDS):
        bench.say(f"rest: {when}, {_REST_SECONDS - second} s")
        time.sleep(1)
    return nexus.memory()


def _ingest(bench: Run, reader: Reader, pages: Site, count: int) -> int:
    """How many of the articles failed; all of them are done."""
    ids = [
        reader.post("/media/from_url", {"url": url})["media_id"]
        for url in pages.urls(count, mark="rest")
    ]
    statuses = dict.fromkeys(ids, "pending")

    def all_done() -> bool:
        for media_id in ids:
            if statuses[media_id] in ("pending", "extracting"):
                statuses[media_id] = reader.get(f"/media/{media_id}")["processing_status"]
                if statuses[media_id] in ("pending", "extracting"):
                    break
        left = sum(status in ("pending", "extracting") for status in statuses.values())
        bench.say(f"rest: {count - left} of {count} articles")
        return left == 0

    wait_for(all_done, seconds=_INGEST_SECONDS)
    return sum(status == "failed" for status in statuses.values())


def _ask(bench: Run, reader: Reader, count: int) -> None:
    bench.say(f"rest: {count} requests")
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(lambda number: reader.get(_READS[number % len(_READS)]), range(count)))


def _figures(name: str, parts: dict[str, int], note: str) -> list[Figure]:
    total = sum(parts.values()) / _MIB
    return [
        Figure(f"Nexus {name}", total, "MiB", at_most=_MOST_MIB, note=note),
        *(
            Figure(f"  {part}", size / _MIB, "MiB")
            for part, size in sorted(parts.items(), key=lambda item: -item[1])
        ),
    ]
