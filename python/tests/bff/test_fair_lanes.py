"""Streams and slow images of some people take nothing from anybody else.

Nothing here looks at a clock: a request that is served while others are held did not wait for one
of them. How long it takes is what `make faults ONLY=crowd` measures.
"""

import asyncio
import contextlib
import io
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from PIL import Image

from nexus.services.media_events import MAX_STREAMS_PER_USER
from tests.live import LiveNexus, live_nexus, wait_for
from tests.patience import PATIENCE_SECONDS

ATTACKERS = 10
SERVED = 15  # requests of the victim, one after the other, while the attack is on
SLOW_IMAGES = 500


class SlowSite:
    """Images that come at once, and images that never come."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self.asked: list[str] = []
        self.held: set[str] = set()  # asked for, and still waited for
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                if self.path.startswith("/slow"):
                    site.held.add(self.path)
                    self._hold()
                    site.held.discard(self.path)
                    return
                body = io.BytesIO()
                Image.new("RGB", (4, 3), "orange").save(body, "PNG")
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.wfile.write(body.getvalue())

            def _hold(self) -> None:
                """Until the other side hangs up, or the test is over."""
                self.connection.settimeout(0.1)
                while not site.closing.is_set():
                    with contextlib.suppress(TimeoutError):
                        self.connection.recv(1)
                        return

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


def test_streams_of_ten_accounts(crowded: LiveNexus) -> None:
    with crowded.signed_up() as victim, ExitStack() as attack:
        for _ in range(ATTACKERS):
            attacker = attack.enter_context(crowded.signed_up())
            for number in range(MAX_STREAMS_PER_USER):
                # Another spelling of the same path counts the same.
                path = "/api/media/events" if number % 2 else "/api/media/%65vents"
                stream = attack.enter_context(attacker.stream("GET", path))
                assert stream.status_code == 200
        one_more = attacker.get("/api/media/events")
        assert (one_more.status_code, one_more.headers["Retry-After"]) == (429, "30")
        for _ in range(SERVED):
            assert victim.get("/api/media").status_code == 200
        with victim.stream("GET", "/api/media/events") as stream:
            assert stream.status_code == 200


def test_slow_images_of_one_account(crowded: LiveNexus, site: SlowSite) -> None:
    with crowded.signed_up() as victim, crowded.signed_up() as attacker:
        pictures = (f"/api/media/image?url={site.origin}/{n}.png" for n in range(1_000_000))
        with _attack(crowded, attacker, site) as outcome:
            wait_for(lambda: site.held, what="the attack is on")
            wait_for(lambda: 429 in outcome, what="too much of it is refused")
            waited = 0
            for _ in range(SERVED):
                for path in ("/api/media", next(pictures)):
                    held = set(site.held)
                    assert victim.get(path).status_code == 200
                    waited += held.isdisjoint(site.held)
            # A few may just have seen the slow ones give up, which all do at once.
            assert waited <= SERVED // 3
            assert attacker.get("/api/media").status_code == 200
            asked = sum("slow" in path for path in site.asked)
            assert asked <= 8, "only a few of one account are fetched at once"
        assert set(outcome) <= {429, 502, 503, 504}


@contextlib.contextmanager
def _attack(nexus: LiveNexus, attacker: httpx.Client, site: SlowSite) -> Iterator[list[int]]:
    """500 slow images at once, for as long as the block lasts; the list gets their statuses."""
    outcome: list[int] = []
    stop = threading.Event()

    async def fetch(
        number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(_request(attacker, f"{site.origin}/slow{number}"))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head.split()[1])
        assert status not in {429, 503} or b"\r\nretry-after: " in head
        outcome.append(status)

    async def attack() -> None:
        where = (nexus.settings.host, nexus.settings.port)
        lines = [await asyncio.open_connection(*where) for _ in range(SLOW_IMAGES)]
        tasks = [asyncio.create_task(fetch(n, *line)) for n, line in enumerate(lines)]
        await asyncio.to_thread(stop.wait, PATIENCE_SECONDS)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for _, writer in lines:
            writer.close()
        problems = [result for result in results if isinstance(result, Exception)]
        assert not problems, problems[:3]

    with ThreadPoolExecutor(1) as pool:
        attacking = pool.submit(asyncio.run, attack())
        try:
            yield outcome
        finally:
            stop.set()
        attacking.result(PATIENCE_SECONDS)


def _request(of: httpx.Client, image: str) -> bytes:
    request = of.build_request("GET", f"/api/media/image?url={image}")
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    return f"GET {request.url.raw_path.decode()} HTTP/1.1\r\n{head}\r\n".encode()
