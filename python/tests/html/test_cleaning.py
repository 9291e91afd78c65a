"""Pages are cleaned in a process that may be slow, large or dead without harm to anybody else."""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

import psutil
import pytest

from nexus.child import bare_environment
from nexus.html import cleaning
from nexus.html.cleaner import clean
from nexus.html.cleaning import CleaningFailed, CleaningInterrupted, clean_page, warm_up
from nexus.html.outline import Heading
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS

BASE = "https://example.org/a/"
PAGE = (
    '<h1 id="b">One</h1><h2>Two</h2><p><a href="#b">Back</a></p>'
    '<div><p>Half of a pair: \ud83d, é, <b>bold</b></p><img src="b.png" width=64 height="48"></div>'
)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cleaning._end()
    yield
    cleaning._end()


def cleaner() -> psutil.Process:
    """The process as it runs now."""
    warm_up()
    assert cleaning._process is not None
    return psutil.Process(cleaning._process.pid)


def assert_cleans() -> None:
    expected = clean(PAGE, BASE)
    page = clean_page(PAGE, BASE)
    found = asdict(page)
    assert found.pop("image_sizes") == expected.pop("sizes")
    assert found == expected
    assert page.anchors == {"b": 0}
    assert page.headings == [Heading("One", 0, [Heading("Two", 5)])]
    assert page.image_sizes == {f"{BASE}b.png": (64, 48)}


def test_the_result_is_the_sanitizers_own_and_the_process_is_kept() -> None:
    first = cleaner()
    assert_cleans()
    assert_cleans()
    assert cleaner() == first


def test_what_its_parent_took_is_not_held_against_it() -> None:
    mine = b"x" * (300 * 1024**2)
    cleaning._end()
    first = cleaner()
    assert_cleans()
    assert cleaner() == first
    assert mine


def test_a_large_page_goes_through() -> None:
    html = "<p>word &amp; wörd</p>" * 100_000
    assert clean_page(html, BASE).text == "\n\n".join(["word & wörd"] * 100_000)


def test_what_the_sanitizer_refuses_is_refused_in_its_words() -> None:
    with pytest.raises(CleaningFailed, match="too large"):
        clean_page("x" * 10_000_001, BASE)
    assert_cleans()


def test_no_secret_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_JWT_SECRET", "never")
    assert not any("NEXUS" in name for name in cleaner().environ())


def test_one_that_takes_too_long_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "WALL_CLOCK_SECONDS", 0.5)
    stuck = cleaner()
    stuck.suspend()
    with pytest.raises(CleaningFailed, match="took too long"):
        clean_page("<p>" * 200_000, BASE)
    assert not stuck.is_running()
    monkeypatch.undo()
    assert_cleans()


def test_one_that_dies_fails_its_page_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    doomed = cleaner()
    doomed.suspend()
    failed: list[str] = []
    chosen = threading.Event()
    exchange = cleaning._exchange

    def exchange_told(process: subprocess.Popen[bytes], request: bytes) -> dict[str, Any]:
        chosen.set()
        return exchange(process, request)

    # Killed any earlier, it would be noticed and replaced before the page is sent.
    monkeypatch.setattr(cleaning, "_exchange", exchange_told)

    def send() -> None:
        try:
            clean_page(PAGE, BASE)
        except CleaningInterrupted as error:
            failed.append(str(error))

    sending = threading.Thread(target=send)
    sending.start()
    assert chosen.wait(PATIENCE_SECONDS)
    doomed.kill()
    sending.join(PATIENCE_SECONDS)
    assert failed == ["Cleaning up the text of this page was cut off."]
    assert_cleans()


@pytest.mark.parametrize("how", ["killed", "ended by itself"])
def test_one_that_is_gone_is_replaced(how: str) -> None:
    gone = cleaner()
    if how == "killed":
        gone.kill()
        wait_for(lambda: gone.status() == psutil.STATUS_ZOMBIE)
    else:
        assert cleaning._process is not None
        assert cleaning._process.stdin is not None
        cleaning._process.stdin.close()
        assert cleaning._process.wait(PATIENCE_SECONDS) == 0
    assert_cleans()


def test_memory_is_limited() -> None:
    poor = cleaner()
    assert_cleans()
    assert poor.rlimit(resource.RLIMIT_AS)[0] == pytest.approx(1024**3)
    held = poor.memory_info().vms
    poor.rlimit(resource.RLIMIT_AS, (held + 8 * 1024**2, held + 8 * 1024**2))
    with pytest.raises(CleaningFailed, match="could not be cleaned up"):
        clean_page("<p>word</p>" * 80_000, BASE)
    cleaning._end()
    assert_cleans()


def test_processor_time_is_limited_even_when_nobody_waits() -> None:
    program = "from nexus.html.cleaner import _allow_cpu_seconds as a\na(0)\nwhile True: pass"
    environment = bare_environment()
    ended = subprocess.run(
        [sys.executable, "-c", program], timeout=PATIENCE_SECONDS, env=environment
    )
    assert ended.returncode == -signal.SIGXCPU


def test_a_fork_has_a_process_of_its_own() -> None:
    ours = cleaner()
    theirs, report = multiprocessing.get_context("fork").Pipe(duplex=False)
    # Daemonic, as the workers of Celery are.
    child = multiprocessing.get_context("fork").Process(
        target=_clean_in_child, args=(report,), daemon=True
    )
    child.start()
    pid, text = theirs.recv()
    child.join(PATIENCE_SECONDS)
    assert (text, child.exitcode) == ("x", 0)
    assert pid != ours.pid
    wait_for(lambda: not psutil.pid_exists(pid))
    assert cleaner() == ours
    assert_cleans()


def _clean_in_child(report: Connection) -> None:
    text = clean_page("<p>x", BASE).text
    report.send((cleaner().pid, text))


def test_nothing_is_left_when_its_parent_is_killed() -> None:
    program = (
        "from nexus.html import cleaning as h\n"
        "h.clean_page('<p>x', 'https://example.org/')\n"
        "print(h._process.pid, flush=True)\nimport signal; signal.pause()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | bare_environment(),
    )
    assert parent.stdout is not None
    with parent.stdout as out:
        pid = int(out.readline())
        parent.kill()
        parent.wait()
    wait_for(lambda: not psutil.pid_exists(pid))
