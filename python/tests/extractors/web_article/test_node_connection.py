"""The extractor elsewhere, as the worker sees it: real processes behind a real connection."""

import math
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest
from bench.ports import free_port

from nexus.config import Settings
from nexus.extractors.web_article import node_client as node_ingest
from nexus.extractors.web_article import node_connection, node_server
from nexus.extractors.web_article.node_client import extract
from nexus.extractors.web_article.node_errors import (
    IngestError,
    IngestInterrupted,
    IngestTimeout,
)
from tests.extractors.web_article.lighthouse import (
    FORK,
    STAY,
    Site,
    assert_reads_and_fails,
    gone,
    read,
    run_parent,
    settings,
)
from tests.extractors.web_article.listener import Listener
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    node_ingest.stop()
    listener.stop()


@contextmanager
def reading(url: str, chosen: Settings) -> Iterator[list[IngestError]]:
    """Read a page beside the test; yields what went wrong with it, once it did."""
    failures: list[IngestError] = []

    def fetch() -> None:
        try:
            read(url, chosen)
        except IngestError as error:
            failures.append(error)

    thread = threading.Thread(target=fetch)
    thread.start()
    yield failures
    thread.join()


def test_it_reads_and_fails_as_one_of_our_own_does(site: Site, listener: Listener) -> None:
    assert_reads_and_fails(site, listener.settings)
    node = [child.pid for child in psutil.Process().children() if child.name() == "node"]
    assert node == [listener.process.pid], "no extractor was started here"


def test_stopping_leaves_nothing_over_there(site: Site, listener: Listener) -> None:
    read(site.url("/article"), listener.settings)
    assert len(listener.children()) > 2
    node_ingest.stop()
    wait_for(lambda: not listener.children(), what="the extractor and its browser are gone")
    assert read(site.url("/again"), listener.settings).title == "Lighthouse"


@pytest.mark.heavy
def test_a_silent_one_is_left_and_killed(
    site: Site, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Silence of any length: whether it is our fault is another test's.
    monkeypatch.setattr(node_server, "LONGEST_SECONDS", math.inf)
    read(site.url("/article"), listener.settings)
    tree = listener.children()
    os.kill(tree[0].pid, signal.SIGSTOP)
    with pytest.raises(IngestTimeout):
        extract(site.url("/article"), timeout_seconds=1, settings=listener.settings)
    wait_for(lambda: gone(tree), what="every process of it is gone")
    assert read(site.url("/article"), listener.settings).title == "Lighthouse"


def test_a_container_that_comes_back_is_waited_for(site: Site, listener: Listener) -> None:
    with reading(site.url("/hang"), listener.settings) as failures:
        wait_for(lambda: "/hang" in site.asked, what="the page is being fetched")
        listener.stop()
    assert [type(error) for error in failures] == [IngestInterrupted]
    assert "stopped" in failures[0].message
    with reading(site.url("/article"), listener.settings) as failures:
        listener.start()
    assert failures == []
    assert "/article" in site.asked


def test_nobody_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_connection, "CONNECT_SECONDS", 0.1)
    with pytest.raises(IngestInterrupted, match="cannot reach its browser"):
        extract("http://127.0.0.1/", settings=settings(extractor=f"127.0.0.1:{free_port()}"))


@pytest.mark.heavy
def test_a_forked_child_connects_for_itself(site: Site, listener: Listener) -> None:
    who = "link._socket.getsockname()"
    with run_parent(FORK, site.url("/article"), who=who, extractor=listener.place) as parent:
        output, _ = parent.communicate(timeout=PATIENCE_SECONDS)
    assert parent.returncode == 0
    first, second = output.splitlines()
    assert first != second


@pytest.mark.heavy
def test_it_ends_with_a_worker_that_is_killed(site: Site, listener: Listener) -> None:
    with run_parent(STAY, site.url("/article"), who="link", extractor=listener.place) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        assert len(listener.children()) > 2
        parent.kill()
    wait_for(lambda: not listener.children(), what="the extractor and its browser are gone")
