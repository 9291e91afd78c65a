"""The Node extractor as the worker drives it: both modes, real browser, real kills."""

import math
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from nexus.extractors.web_article import node_client as node_ingest
from nexus.extractors.web_article import node_process, node_server, node_shared
from nexus.extractors.web_article.node_client import ExtractorServer, extract
from nexus.extractors.web_article.node_errors import (
    IngestError,
    IngestFailed,
    IngestInterrupted,
    IngestTimeout,
)
from nexus.extractors.web_article.node_process import NodeProcess
from tests.extractors.web_article.lighthouse import (
    FORK,
    STAY,
    Site,
    assert_reads_and_fails,
    below,
    gone,
    read,
    run_parent,
    settings,
)
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def server() -> Iterator[ExtractorServer]:
    server = ExtractorServer(settings())
    yield server
    server.stop()


def node_pid(server: ExtractorServer) -> int:
    assert isinstance(server.link, NodeProcess)
    return server.link.process.pid


@pytest.mark.parametrize("mode", ["serve", "oneshot"])
def test_both_modes_read_and_fail_alike(site: Site, mode: str) -> None:
    try:
        assert_reads_and_fails(site, settings(ingest_mode=mode))
    finally:
        node_ingest.stop()


def test_text_that_cannot_be_stored_is_cleaned(site: Site, server: ExtractorServer) -> None:
    assert server.extract(site.url("/surrogate"), PATIENCE_SECONDS).title == "half ? of a pair"


def test_one_process_serves_every_thread_and_stop_leaves_nothing(site: Site) -> None:
    with ThreadPoolExecutor(6) as threads:
        articles = list(threads.map(lambda n: read(site.url(f"/{n}"), settings()), range(6)))
    assert [article.final_url for article in articles] == [site.url(f"/{n}") for n in range(6)]
    extractors = [child for child in psutil.Process().children() if child.name() == "node"]
    assert len(extractors) == 1
    tree = [*extractors, *below(extractors[0].pid)]
    assert len(tree) > 2
    node_ingest.stop()
    wait_for(lambda: gone(tree), what="the extractor and its browser are gone")
    assert read(site.url("/again"), settings()).title == "Lighthouse"
    node_ingest.stop()


def test_a_silent_extractor_is_killed_with_its_browser(
    site: Site, server: ExtractorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Silence of any length: whether it is our fault is another test's.
    monkeypatch.setattr(node_server, "LONGEST_SECONDS", math.inf)
    server.extract(site.url("/article"), PATIENCE_SECONDS)
    tree = below(node_pid(server))
    os.kill(node_pid(server), signal.SIGSTOP)
    with pytest.raises(IngestTimeout):
        server.extract(site.url("/article"), 1)
    wait_for(lambda: gone(tree), what="the browser is gone")
    wait_for(lambda: not server.is_alive, what="the server knows")


def test_a_killed_extractor_fails_what_was_in_flight_and_is_replaced(site: Site) -> None:
    read(site.url("/article"), settings())
    first = node_shared._server
    assert first is not None
    tree = below(node_pid(first))
    failures: list[IngestError] = []

    def doomed() -> None:
        try:
            read(site.url("/hang"), settings())
        except IngestError as error:
            failures.append(error)

    thread = threading.Thread(target=doomed)
    thread.start()
    wait_for(lambda: "/hang" in site.asked, what="the page is being fetched")
    os.kill(node_pid(first), signal.SIGKILL)
    thread.join()
    assert [type(error) for error in failures] == [IngestInterrupted]
    assert "stopped" in failures[0].message
    wait_for(lambda: gone(tree), what="the browser is gone")
    assert read(site.url("/article"), settings()).title == "Lighthouse"
    assert node_shared._server is not first
    node_ingest.stop()


def test_an_extractor_that_nobody_uses_is_ended(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_shared, "IDLE_SECONDS", 0.5)
    with node_shared.shared_extractor(settings()) as first:
        first.extract(site.url("/article"), PATIENCE_SECONDS)
        tree = below(node_pid(first))
    wait_for(lambda: node_shared._server is None, what="it is let go")
    wait_for(lambda: gone(tree), what="Node and the browser are gone")
    assert read(site.url("/article"), settings()).title == "Lighthouse"
    node_ingest.stop()


def test_secrets_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_JWT_SECRET", "do-not-pass-on")
    server = ExtractorServer(settings(allow_private_hosts="a.lan,b.lan:81"))
    try:
        # Asked again each time: psutil remembers which program a process was.
        wait_for(lambda: "node" in psutil.Process(node_pid(server)).exe(), what="the program runs")
        environment = psutil.Process(node_pid(server)).environ()
    finally:
        server.stop()
    assert "do-not-pass-on" not in environment.values()
    assert environment["NEXUS_ALLOW_PRIVATE_HOSTS"] == "a.lan,b.lan:81"
    assert environment["NEXUS_ENV"] == "test"


def test_a_forked_child_starts_its_own(site: Site) -> None:
    with run_parent(FORK, site.url("/article")) as parent:
        output, _ = parent.communicate(timeout=PATIENCE_SECONDS)
    assert parent.returncode == 0
    first, second = output.split()
    assert first != second


def test_it_dies_with_its_parent(site: Site) -> None:
    with run_parent(STAY, site.url("/article")) as parent:
        assert parent.stdout is not None
        node = psutil.Process(int(parent.stdout.readline()))
        tree = [node, *below(node.pid)]
        parent.kill()
    wait_for(lambda: gone(tree), what="the extractor and its browser are gone")


_RESULT = "{{final_url: 'x', base_url: 'x', title: {title}, content_html: 'x'}}"
ANSWER = f"console.log(JSON.stringify({{{{id: 1, ok: true, result: {_RESULT}, ...{_RESULT}}}}}))"
REFUSAL = "console.log(JSON.stringify({id: 1, ok: false, code: 'x', message: null}))"


@pytest.mark.parametrize("mode", ["serve", pytest.param("oneshot", marks=pytest.mark.heavy)])
@pytest.mark.parametrize(
    "program",
    [
        pytest.param("process.stdout.write('x'.repeat(25 * 2 ** 20))", id="endless output"),
        pytest.param("console.log('nonsense'); setTimeout(() => {}, 1e6)", id="nonsense"),
        pytest.param("process.stdout.write('{}\\n'); process.exit(0)", id="an empty answer"),
        pytest.param(ANSWER.format(title="{}"), id="a title that is no text"),
        pytest.param(REFUSAL, id="a reason that is no text"),
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
