"""The short form of `make faults`: the real stack, a handful of pages, three faults at once."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tests.faults.outcome import Row, look, settle
from tests.faults.reader import Highlighter, Reader, Saved
from tests.faults.site import Site
from tests.faults.stack import Stack, running_stack, wait_until

LEASE_SECONDS = 31
ARTICLES = 6
READY = Row(
    id="1",
    url="http://site/1",
    status="ready_for_reading",
    attempts=2,
    code=None,
    message=None,
    fragments=1,
    claims=2,
    successes=1,
    changed_at=0.0,
)
FAILED = replace(
    READY,
    status="failed",
    fragments=0,
    successes=0,
    code="E_JOB_TIMEOUT",
    message="It was cut off.",
)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().serving() as site:
        yield site


@pytest.fixture
def stack() -> Iterator[Stack]:
    with running_stack() as stack:
        yield stack


def test_nothing_is_lost_when_worker_api_and_queue_go_at_once(stack: Stack, site: Site) -> None:
    reader = Reader(stack.origin)
    with Highlighter(reader).writing() as highlighter:
        with reader.saving(site.urls("short", ARTICLES, wait_ms=700), at_once=3) as saved:
            wait_until(lambda: bool(site.under_way), 30, "a page is being read")
            stack.kill_worker()
            stack.kill("api")
            with stack.queue() as queue:
                queue.flushall()
        # Leases and patience run out in the database, where their time is kept.
        stack.age_unfinished(LEASE_SECONDS)
        outcome = settle(stack, reader, saved, last_fault=time.time())
        wait_until(lambda: bool(highlighter.accepted), 30, "a highlight is accepted")
    assert (outcome.lost, outcome.duplicated, outcome.problems) == ([], [], [])
    assert outcome.ready == ARTICLES
    assert max(row.attempts for row in look(stack, saved)) == 2, "a killed article is read again"
    assert highlighter.lost() == 0
    assert stack.orphans() == []
    assert_a_loss_would_be_seen(stack, reader, saved)
    reader.close()
    assert stack.stop() == (0, [])


def assert_a_loss_would_be_seen(stack: Stack, reader: Reader, saved: Sequence[Saved]) -> None:
    """The control: an item that vanished is found out."""
    with stack.database() as connection:
        connection.execute("DELETE FROM media WHERE id = %s", [saved[0].media_id])
    outcome = settle(stack, reader, saved, last_fault=time.time() - 119)
    assert {text.split(": ")[0] for text in outcome.lost} == {saved[0].url}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (READY, None),
        (FAILED, None),
        (replace(READY, status="merged", fragments=0), None),
        (replace(READY, fragments=0), "0 fragments"),
        (replace(FAILED, fragments=1), "1 fragments"),
        (replace(READY, attempts=1), "1 attempts for 2 claims"),
        (replace(FAILED, attempts=4, claims=4), "4 attempts"),
        (replace(READY, successes=2), "made ready 2 times"),
        (replace(FAILED, message=None), "failed without a reason"),
    ],
)
def test_what_is_wrong_with_an_item(row: Row, problem: str | None) -> None:
    expected = [] if problem is None else [f"{row.url}: {problem}"]
    assert row.problems() == expected
