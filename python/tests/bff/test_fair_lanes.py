"""Streams and slow images of some people take nothing from anybody else."""

import asyncio
import contextlib
import gc
import io
import statistics
import threading
import time
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from PIL import Image

from nexus.services.media_events import MAX_STREAMS_PER_USER
from tests.live import LiveNexus, live_nexus, wait_for

# Below this a median says more about the machine than about the attack; `make faults` looks closer.
FLOOR_SECONDS = 1.0
ATTACKERS = 10
SLOW_IMAGES = 500


class SlowSite:
    """Images that come at once, and images that never come."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                if self.path.startswith("/slow"):
                    site.closing.wait(60)
                    return
                body = io.BytesIO()
                Image.new("RGB", (4, 3), "orange").save(body, "PNG")
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.wfile.write(body.getvalue())

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def site() -> Iterator[SlowSite]:
    site = SlowSite()
    thread = threading.Thread(target=site.server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield site
    site.closing.set()
    site.server.shutdown()
    site.server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def crowded() -> Iterator[LiveNexus]:
    with live_nexus() as live:
        yield live
    # Hundreds of connections were open when the servers stopped: not another test's to hear of.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def median(ask: Callable[[], httpx.Response], *, count: int = 15) -> float:
    seconds = []
    for _ in range(count):
        began = time.perf_counter()
        assert ask().status_code == 200
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def assert_served_as_usual(usual: float, ask: Callable[[], httpx.Response]) -> None:
    """Within twice the usual time; measured again once, in case the machine had a hiccup."""
    limit = max(2 * usual, FLOOR_SECONDS)
    taken = [median(ask)]
    if taken[0] > limit:
        taken.append(median(ask))
    assert taken[-1] <= limit, f"usually {usual:.3f} s, under attack {taken}"


def test_streams_of_ten_accounts(crowded: LiveNexus) -> None:
    with crowded.signed_up() as victim, ExitStack() as attack:
        usual = median(lambda: victim.get("/api/media"))
        for _ in range(ATTACKERS):
            attacker = attack.enter_context(crowded.signed_up())
            for number in range(MAX_STREAMS_PER_USER):
                # Another spelling of the same path counts the same.
                path = "/api/media/events" if number % 2 else "/api/media/%65vents"
                stream = attack.enter_context(attacker.stream("GET", path))
                assert stream.status_code == 200
        one_more = attacker.get("/api/media/events")
        assert (one_more.status_code, one_more.headers["Retry-After"]) == (429, "30")
        assert_served_as_usual(usual, lambda: victim.get("/api/media"))
        with victim.stream("GET", "/api/media/events") as stream:
            assert stream.status_code == 200


def test_slow_images_of_one_account(crowded: LiveNexus, site: SlowSite) -> None:
    with crowded.signed_up() as victim, crowded.signed_up() as attacker:
        pictures = (f"/api/media/image?url={site.origin}/{n}.png" for n in range(1_000_000))
        usual = median(lambda: victim.get("/api/media"))
        usual_picture = median(lambda: victim.get(next(pictures)))
        with _attack(crowded, attacker, site) as outcome:
            wait_for(lambda: any("slow" in path for path in site.asked), what="the attack is on")
            wait_for(lambda: 429 in outcome, what="too much of it is refused")
            assert_served_as_usual(usual, lambda: victim.get("/api/media"))
            assert_served_as_usual(usual_picture, lambda: victim.get(next(pictures)))
            assert attacker.get("/api/media").status_code == 200
            asked = sum("slow" in path for path in site.asked)
            assert asked <= 8, "only a few of one account are fetched at once"
        assert set(outcome) <= {429, 502, 503, 504}


@contextlib.contextmanager
def _attack(nexus: LiveNexus, attacker: httpx.Client, site: SlowSite) -> Iterator[list[int]]:
    """500 slow images at once, for as long as the block lasts; the list gets their statuses."""
    outcome: list[int] = []
    stop = threading.Event()

    async def fetch(client: httpx.AsyncClient, number: int) -> None:
        answer = await client.get(f"/api/media/image?url={site.origin}/slow{number}")
        if answer.status_code in {429, 503}:
            assert int(answer.headers["Retry-After"]) > 0
        outcome.append(answer.status_code)

    async def attack() -> None:
        async with _client(nexus, attacker) as client:
            tasks = [asyncio.create_task(fetch(client, number)) for number in range(SLOW_IMAGES)]
            await asyncio.to_thread(stop.wait, 60)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            problems = [r for r in results if isinstance(r, Exception)]
            assert not problems, problems[:3]

    failures: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(attack())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield outcome
    finally:
        stop.set()
        thread.join(30)
    assert not failures, failures


@contextlib.asynccontextmanager
async def _client(nexus: LiveNexus, of: httpx.Client) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=None)
    async with AsyncExitStack() as stack:
        client = httpx.AsyncClient(
            base_url=nexus.origin, cookies=dict(of.cookies), limits=limits, timeout=90
        )
        yield await stack.enter_async_context(client)
