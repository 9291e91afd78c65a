"""The short form of `make faults`: the real stack and a handful of pages.

Three faults at once; a short soak; a hoard of saves; a full disk.
"""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from nexus.standstill import LONGEST_SECONDS
from tests.faults.crowd_faults import hoard
from tests.faults.disk import small_disk
from tests.faults.disk_faults import MIB_OF_DISK, damage, disk_full
from tests.faults.import_faults import import_cut_off
from tests.faults.outcome import Outcome, Row, look, settle
from tests.faults.pdf_faults import pdf_reader_killed, worker_killed_over_pdf_in_short
from tests.faults.process_faults import everything_frozen
from tests.faults.reader import Highlighter, Reader, Saved
from tests.faults.scene import Scene
from tests.faults.site import Site
from tests.faults.soak import soak_with
from tests.faults.stack import DATA, Stack, running_in, running_stack, temporary_folder
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS

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
def reader(stack: Stack) -> Iterator[Reader]:
    with contextlib.closing(Reader(stack.origin)) as reader:
        yield reader


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """One for all tests that can share it: starting and stopping takes longer than many of them."""
    with running_stack() as stack:
        yield stack
        assert stack.stop() == (0, [])


def test_nothing_is_lost_when_worker_api_and_queue_go_at_once(
    stack: Stack, site: Site, reader: Reader
) -> None:
    with Highlighter(reader).writing() as highlighter:
        site.hold()
        with reader.saving(site.urls("short", ARTICLES), at_once=3) as saved:
            wait_for(lambda: site.under_way, what="a page is being read")
            stack.kill_worker()
            stack.kill("api")
            with stack.queue() as queue:
                queue.flushall()
            site.let_go()
        # Leases and patience run out in the database, where their time is kept.
        stack.age_unfinished(LEASE_SECONDS)
        outcome = settled(stack, reader, saved)
        wait_for(lambda: highlighter.accepted, what="a highlight is accepted")
    assert (outcome.lost, outcome.duplicated, outcome.problems) == ([], [], [])
    assert outcome.ready == ARTICLES
    assert max(row.attempts for row in look(stack, saved)) == 2, "a killed article is read again"
    assert highlighter.lost() == 0
    assert stack.orphans() == []
    assert_a_loss_would_be_seen(stack, reader, saved)


@pytest.mark.heavy
def test_nothing_fails_because_the_machine_stood_still(
    stack: Stack, site: Site, reader: Reader
) -> None:
    scene = Scene(stack, site, reader, "short-frozen", ARTICLES)
    assert_all_is_well(scene, everything_frozen(scene, seconds=LONGEST_SECONDS * 1.5))


@pytest.mark.heavy
def test_a_short_soak(stack: Stack, site: Site, reader: Reader) -> None:
    scene = Scene(stack, site, reader, "short-soak")
    saved = soak_with(scene, articles=60, requests=120, kills=10)
    assert_all_is_well(scene, saved)


@pytest.mark.heavy
def test_a_hoard_of_one_person_delays_nobody_else(stack: Stack, site: Site, reader: Reader) -> None:
    scene = Scene(stack, site, reader, "short-crowd")
    hanging = site.urls("short-crowd/hanging", 8, wait_ms=60_000)
    saved = hoard(scene, [*hanging, *site.urls("short-crowd/hoard", 30)])
    assert scene.problems == []
    assert_all_is_well(scene, saved)


@pytest.mark.heavy
def test_a_pdf_is_read_although_processes_are_killed(
    stack: Stack, site: Site, reader: Reader
) -> None:
    scene = Scene(stack, site, reader, "short-pdf")
    pdf_reader_killed(scene)
    worker_killed_over_pdf_in_short(scene, lease_seconds=LEASE_SECONDS)
    assert scene.problems == []
    assert stack.orphans() == []


@pytest.mark.heavy
def test_an_import_is_whole_although_processes_are_killed(
    stack: Stack, site: Site, reader: Reader
) -> None:
    scene = Scene(stack, site, reader, "short-import", articles=20)
    import_cut_off(scene)
    assert scene.problems == []
    assert stack.orphans() == []


@pytest.mark.heavy
def test_a_full_disk(site: Site) -> None:
    with temporary_folder() as root, small_disk(root / DATA, mib=MIB_OF_DISK) as disk:
        with running_in(root) as stack, contextlib.closing(Reader(stack.origin)) as reader:
            scene = Scene(stack, site, reader, "short-disk", ARTICLES)
            saved = disk_full(scene, disk, seconds=5)
            assert_all_is_well(scene, saved)
            assert stack.stop() == (0, [])
        assert damage(stack.layout.postgres.data) == []


def settled(stack: Stack, reader: Reader, saved: Sequence[Saved]) -> Outcome:
    """Outcome of everything; how soon is a matter of `make faults`."""
    return settle(stack, reader, saved, last_fault=time.time(), within=PATIENCE_SECONDS)


def assert_all_is_well(scene: Scene, saved: Sequence[Saved]) -> None:
    """Nothing lost, nothing twice, nothing left over, once leases have run out."""
    scene.stack.age_unfinished(LEASE_SECONDS)
    outcome = settled(scene.stack, scene.reader, saved)
    for look_again in scene.afterwards:
        look_again()
    assert (outcome.lost, outcome.duplicated, outcome.problems) == ([], [], [])
    assert scene.problems == []
    assert scene.stack.orphans() == []


def assert_a_loss_would_be_seen(stack: Stack, reader: Reader, saved: Sequence[Saved]) -> None:
    """The control: an item that vanished is found out."""
    with stack.database() as connection:
        connection.execute("DELETE FROM media WHERE id = %s", [saved[0].media_id])
    outcome = settle(stack, reader, saved, last_fault=time.time(), within=0)
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
