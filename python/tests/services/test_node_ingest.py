"""The Node extractor as the worker drives it: both modes, real browser, real kills."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from nexus.config import PROJECT_ROOT, Environment, Settings
from nexus.services import node_ingest, node_process
from nexus.services.node_ingest import (
    ExtractorServer,
    IngestError,
    IngestFailed,
    IngestTimeout,
    extract,
)
from tests.live import wait_for

SENTENCE = "The lighthouse keeper wrote every evening about the weather and the ships. "
ARTICLE = f"<title>Lighthouse</title><article>{f'<p>{SENTENCE * 4}</p>' * 6}</article>"


class Site:
    """Pages on loopback; `/hang` never answers, until the site closes."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self.asked: set[str] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.add(self.path)
                if self.path == "/hang":
                    outer.closing.wait()
                    return
                body = {"/blank": "<p></p>"}.get(self.path, ARTICLE).encode()
                self.send_response(404 if self.path == "/missing" else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}{path}"

    def close(self) -> None:
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def server() -> Iterator[ExtractorServer]:
    server = ExtractorServer(settings())
    yield server
    server.stop()


def settings(**values: object) -> Settings:
    return Settings.model_validate({"env": Environment.TEST, **values})


def below(pid: int) -> list[psutil.Process]:
    return list(psutil.Process(pid).children(recursive=True))


def gone(processes: list[psutil.Process]) -> bool:
    return not any(
        process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes
    )


@pytest.mark.parametrize("mode", ["serve", "oneshot"])
def test_both_modes_read_and_fail_alike(site: Site, mode: str) -> None:
    chosen = settings(ingest_mode=mode)
    try:
        article = extract(site.url("/article"), settings=chosen)
        assert article.final_url == article.base_url == site.url("/article")
        assert article.title == "Lighthouse"
        assert SENTENCE.strip() in article.content_html
        for path, error, message in [
            ("/missing", IngestFailed, "the site answered 404"),
            ("/blank", IngestFailed, "no article text found"),
            ("/hang", IngestTimeout, "too long"),
        ]:
            with pytest.raises(error, match=message):
                extract(site.url(path), timeout_seconds=4, settings=chosen)
        with pytest.raises(IngestFailed, match="not public"):
            extract("http://10.0.0.1/", settings=chosen)
    finally:
        node_ingest.stop()


def test_one_process_serves_every_thread_and_stop_leaves_nothing(site: Site) -> None:
    with ThreadPoolExecutor(6) as threads:
        articles = list(
            threads.map(lambda n: extract(site.url(f"/{n}"), settings=settings()), range(6))
        )
    assert [article.final_url for article in articles] == [site.url(f"/{n}") for n in range(6)]
    extractors = [child for child in psutil.Process().children() if child.name() == "node"]
    assert len(extractors) == 1
    tree = [*extractors, *below(extractors[0].pid)]
    assert len(tree) > 2
    node_ingest.stop()
    wait_for(lambda: gone(tree), what="the extractor and its browser are gone")
    assert extract(site.url("/again"), settings=settings()).title == "Lighthouse"
    node_ingest.stop()


def test_a_silent_extractor_is_killed_with_its_browser(site: Site, server: ExtractorServer) -> None:
    server.extract(site.url("/article"), 30)
    tree = below(server.process.pid)
    os.kill(server.process.pid, signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(IngestTimeout):
        server.extract(site.url("/article"), 1)
    assert time.monotonic() - started < 5
    wait_for(lambda: gone(tree), what="the browser is gone")
    wait_for(lambda: not server.is_alive, what="the server knows")


def test_a_killed_extractor_fails_what_was_in_flight_and_is_replaced(site: Site) -> None:
    extract(site.url("/article"), settings=settings())
    first = node_ingest._shared_server(settings())
    tree = below(first.process.pid)
    failures: list[IngestError] = []

    def doomed() -> None:
        try:
            extract(site.url("/hang"), settings=settings())
        except IngestError as error:
            failures.append(error)

    thread = threading.Thread(target=doomed)
    thread.start()
    wait_for(lambda: "/hang" in site.asked, what="the page is being fetched")
    os.kill(first.process.pid, signal.SIGKILL)
    thread.join()
    assert [type(error) for error in failures] == [IngestFailed]
    assert "stopped" in failures[0].message
    wait_for(lambda: gone(tree), what="the browser is gone")
    assert extract(site.url("/article"), settings=settings()).title == "Lighthouse"
    assert node_ingest._shared_server(settings()) is not first
    node_ingest.stop()


def test_secrets_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_JWT_SECRET", "do-not-pass-on")
    server = ExtractorServer(settings(allow_private_hosts="a.lan,b.lan:81"))
    try:
        # Asked anew each time: psutil remembers which program a process was.
        wait_for(
            lambda: "node" in psutil.Process(server.process.pid).exe(), what="the program runs"
        )
        environment = psutil.Process(server.process.pid).environ()
    finally:
        server.stop()
    assert "do-not-pass-on" not in environment.values()
    assert environment["NEXUS_ALLOW_PRIVATE_HOSTS"] == "a.lan,b.lan:81"
    assert environment["NEXUS_ENV"] == "test"


PARENT = """
import os, sys, time
from nexus.services import node_ingest
url = sys.argv[1]
assert node_ingest.extract(url).title == "Lighthouse"
print(node_ingest._server.process.pid, flush=True)
{rest}
"""

FORK = """
child = os.fork()
if child == 0:
    assert node_ingest._server is None
    assert node_ingest.extract(url).title == "Lighthouse"
    print(node_ingest._server.process.pid, flush=True)
    node_ingest.stop()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert node_ingest._server.is_alive
assert node_ingest.extract(url).title == "Lighthouse"
node_ingest.stop()
"""


def run_python(rest: str, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PARENT.format(rest=rest), url],
        env={**os.environ, "NEXUS_ENV": "test", "PYTHONPATH": str(PROJECT_ROOT / "python")},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_forked_child_starts_its_own(site: Site) -> None:
    with run_python(FORK, site.url("/article")) as parent:
        output, _ = parent.communicate(timeout=60)
    assert parent.returncode == 0
    first, second = output.split()
    assert first != second


def test_it_dies_with_its_parent(site: Site) -> None:
    with run_python("time.sleep(60)", site.url("/article")) as parent:
        assert parent.stdout is not None
        node = psutil.Process(int(parent.stdout.readline()))
        tree = [node, *below(node.pid)]
        parent.kill()
    wait_for(lambda: gone(tree), what="the extractor and its browser are gone")


@pytest.mark.parametrize("mode", ["serve", "oneshot"])
@pytest.mark.parametrize(
    "program",
    [
        pytest.param("process.stdout.write('x'.repeat(25 * 2 ** 20))", id="endless output"),
        pytest.param("console.log('nonsense'); setTimeout(() => {}, 1e6)", id="nonsense"),
        pytest.param("process.stdout.write('{}\\n'); process.exit(0)", id="an empty answer"),
        pytest.param("process.stderr.write('y'.repeat(5 * 2 ** 20)); process.exit(1)", id="noise"),
        pytest.param("process.exit(3)", id="silence"),
    ],
)
def test_a_broken_program_is_a_failure(
    mode: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "broken.mjs"
    script.write_text(program)
    monkeypatch.setattr(node_process, "PROGRAM", script)
    with pytest.raises(IngestError):
        extract("http://127.0.0.1/", timeout_seconds=3, settings=settings(ingest_mode=mode))
    node_ingest.stop()


@pytest.mark.parametrize("mode", ["serve", "oneshot"])
def test_without_node_the_failure_says_so(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(IngestFailed, match=r"Node\.js is not installed"):
        extract("http://127.0.0.1/", settings=settings(ingest_mode=mode))
