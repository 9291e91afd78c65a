"""The instruments of the soak, and that they would notice."""

import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session

from nexus.db.models import Highlight
from tests.faults.killer import Outage
from tests.faults.memory import TOLERANCE, Sample, growth
from tests.faults.site import Site
from tests.faults.visitor import Visitor
from tests.live import LiveNexus

ENOUGH = 150


def test_a_visitor_knows_what_must_be_there(nexus: LiveNexus, session: Session) -> None:
    with Site().serving() as site:
        visitor = Visitor(nexus.origin, picture=f"{site.origin}/picture/harness", seed=1)
        while visitor.answered < ENOUGH:
            visitor.do_something()
    assert (visitor.problems, visitor.unclear, visitor.lost()) == ([], [], [])
    highlight = next(
        thing for thing in visitor.things() if "/highlights/" in thing.path and thing.is_there
    )
    session.execute(delete(Highlight).where(Highlight.id == highlight.path.rpartition("/")[2]))
    session.commit()
    assert [text.split()[0] for text in visitor.lost()] == [highlight.path]
    visitor.close()


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
