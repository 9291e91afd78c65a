"""An import of 10,000 addresses: how fast they are accepted, and what a save takes meanwhile."""

import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

from bench.dataset import data_of
from bench.figures import Figure
from bench.load import Connection, request
from bench.pages import Site, site
from bench.run import Run
from bench.saving import Saver, saver
from bench.stack import Stack, nexus_stack, wait_for

_RATE = 1000
_SLOWER = 1.5


def measure(bench: Run) -> list[Figure]:
    """Saves on an idle system, then while an import is accepted, then while its pages come."""
    count, saves = bench.size(10_000, 1_000), bench.size(30, 6)
    with (
        site() as pages,
        nexus_stack(redis=True, allow_private_hosts=_hosts(pages)) as stack,
        stack.api(),
        stack.program("worker"),
        saver(stack, uuid4()) as reader,
    ):
        bench.say("imports: warming up")
        for url in pages.urls(6, mark="warm"):
            reader.save_and_wait(url)
        # The same pages each time: one of them takes much longer than another.
        saved = replace(pages, names=pages.names[:saves])
        usual = _saves(reader, saved, bench, "usual", at_most=saves)
        importer = _Importer(stack)
        bench.say(f"imports: reading a file of {count} addresses")
        reading = importer.upload(_file(pages, count))
        taken: list[float] = []
        accepting = threading.Thread(target=lambda: taken.append(importer.run()))
        accepting.start()
        meanwhile = {
            "addresses are accepted": _saves(
                reader, saved, bench, "accepting", at_most=10 * saves, goes_on=accepting.is_alive
            )
        }
        accepting.join()
        meanwhile["pages are fetched"] = _saves(reader, saved, bench, "fetching", at_most=saves)
        fetched = importer.fetched()
    return [
        Figure(
            "addresses of an import accepted",
            count / taken[0],
            "a second",
            at_least=_RATE,
            note=f"{count:,} in {taken[0]:.1f} s, after {reading:.1f} s for the preview",
        ),
        *(
            Figure(
                f"save to ready while {name} / on an idle system",
                statistics.median(_ratios(seconds, usual[: len(saved.names)])),
                "×",
                at_most=_SLOWER,
                note=f"{len(seconds)} saves, {statistics.median(usual) * 1000:.0f} ms idle;"
                f" {fetched} pages of the import were fetched",
            )
            for name, seconds in meanwhile.items()
        ),
    ]


def _ratios(seconds: list[float], usual: list[float]) -> list[float]:
    """Of each save and the usual one of the same page."""
    return [one / usual[number % len(usual)] for number, one in enumerate(seconds)]


def _hosts(pages: Site) -> tuple[str, str]:
    """Two names of one server, as two sites: one of them always has its turn."""
    port = pages.host.rpartition(":")[2]
    return f"127.0.0.1:{port}", f"localhost:{port}"


def _saves(
    reader: Saver,
    pages: Site,
    bench: Run,
    mark: str,
    *,
    at_most: int,
    goes_on: Callable[[], bool] = lambda: True,
) -> list[float]:
    """Seconds of one save after the other."""
    taken: list[float] = []
    for url in pages.urls(at_most, mark=mark):
        if not goes_on():
            break
        bench.say(f"imports: save {len(taken) + 1} ({mark})")
        taken.append(reader.save_and_wait(url))
    return taken


def _file(pages: Site, count: int) -> bytes:
    first, second = (f"http://{host}" for host in _hosts(pages))
    urls = pages.urls(count, mark="imported")
    lines = [
        f'<DT><A HREF="{(url.replace(first, second) if number % 2 else url)}" '
        f'ADD_DATE="{1_400_000_000 + number}" TAGS="tag{number % 20}">Page {number}</A>'
        for number, url in enumerate(urls)
    ]
    head = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p>\n"
    return (head + "\n".join(lines) + "\n</DL><p>\n").encode()


class _Importer:
    """Somebody else, who brings their bookmarks."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._user_id = uuid4()
        self._import_id = ""

    def upload(self, file: bytes) -> float:
        """Seconds until the preview is there."""
        began = time.perf_counter()
        headers = self._stack.headers(self._user_id) | {"Content-Length": str(len(file))}
        message = request("POST", "/imports?name=b.html", headers) + file
        self._import_id = self._ask(message)["id"]
        return time.perf_counter() - began

    def run(self) -> float:
        """Seconds from the start until every address is in the library."""
        began = time.perf_counter()
        path = f"/imports/{self._import_id}"
        self._ask(request("POST", f"{path}/start", self._stack.headers(self._user_id), {}))
        with self._stack.connect() as connection:
            query = "SELECT state FROM imports WHERE id = %s"

            def is_done() -> bool:
                return connection.execute(query, [self._import_id]).fetchone() == ("done",)

            wait_for(is_done, seconds=300)
        return time.perf_counter() - began

    def fetched(self) -> int:
        with self._stack.connect() as connection:
            query = (
                "SELECT count(*) FROM media WHERE background_site IS NOT NULL"
                " AND processing_status = 'ready_for_reading'"
            )
            row = connection.execute(query).fetchone()
            return int(row[0]) if row else 0

    def _ask(self, message: bytes) -> dict[str, str]:
        connection = Connection(self._stack.api_socket)
        try:
            data: dict[str, str] = data_of(connection.ask(message))
            return data
        finally:
            connection.close()
