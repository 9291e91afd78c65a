"""The instruments of the soak, and that they would notice."""

import contextlib
import os
import signal
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session

from nexus.db.models import Highlight
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.processes import read_pid
from nexus.embedded.running import running
from tests.faults.disk import small_disk
from tests.faults.disk_faults import database_stops, database_witness
from tests.faults.killer import Outage
from tests.faults.memory import TOLERANCE, Sample, growth
from tests.faults.site import Site
from tests.faults.stack import DATA, temporary_folder
from tests.faults.visitor import Visitor
from tests.live import LiveNexus, wait_for

ENOUGH = 150


@pytest.mark.heavy
def test_a_visitor_knows_what_must_be_there(nexus: LiveNexus, session: Session) -> None:
    with Site().serving() as site, contextlib.ExitStack() as left:
        visitor = Visitor(nexus.origin, picture=f"{site.origin}/picture/harness", seed=1)
        left.callback(visitor.close)
        while visitor.answered < ENOUGH:
            visitor.do_something()
        assert (visitor.problems, visitor.unclear, visitor.lost()) == ([], [], [])
        highlight = next(
            thing for thing in visitor.things() if "/highlights/" in thing.path and thing.is_there
        )
        session.execute(delete(Highlight).where(Highlight.id == highlight.path.rpartition("/")[2]))
        session.commit()
        assert [text.split()[0] for text in visitor.lost()] == [highlight.path]


@pytest.mark.parametrize(
    ("began", "ended", "excused"),
    [(90, 99.9, False), (99, 100, True), (105, 105.5, True), (112, 113, True), (113.1, 114, False)],
)
def test_only_requests_that_may_have_met_an_outage_are_excused(
    began: float, ended: float, excused: bool
) -> None:
    assert Outage(100, 110).excuses(began, ended) is excused


def samples(*sizes: float) -> list[Sample]:
    return [(number / len(sizes), int(size)) for number, size in enumerate(sizes)]


def test_memory_that_only_warms_up_is_flat() -> None:
    up_and_down = [1000, 1100] * 20
    grown = growth(samples(100, 200, 300, 400, 500, 600, *up_and_down))
    assert grown is not None
    assert grown <= TOLERANCE


def test_memory_that_leaks_is_not() -> None:
    grown = growth(samples(*range(1000, 2000, 20)))
    assert grown is not None
    assert grown > TOLERANCE


def test_a_few_samples_say_nothing() -> None:
    assert growth(samples(*range(12))) is None


@pytest.mark.heavy
def test_the_end_of_a_database_is_noticed_though_its_log_has_no_room_for_it() -> None:
    with temporary_folder() as root, small_disk(root / DATA, mib=150) as disk:
        disk.folder.chmod(0o711)
        with running(EmbeddedPostgres(disk.folder / "postgres", durable=False)) as postgres:
            url = postgres.url("postgres").replace("+psycopg", "", 1)
            log = postgres.root / "postgres.log"
            with database_witness(url) as witness:
                assert not database_stops(url, witness)
                disk.fill()
                wait_for(lambda: not grows_by_an_error(log, witness), what="the log is full")
                wait_for(lambda: database_stops(url, witness), what="the database stops")
            assert "PANIC" not in log.read_text()
            disk.make_room()
            if pid := read_pid(postgres.data / "postmaster.pid"):
                # An orderly end would wait for a recovery that nobody needs.
                os.kill(pid, signal.SIGQUIT)


def grows_by_an_error(log: Path, connection: "psycopg.Connection[tuple[object]]") -> bool:
    before = log.stat().st_size
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute("SELECT 1/0")
    return log.stat().st_size > before
