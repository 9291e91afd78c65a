"""What a fault has at hand: the running stack, a site, a reader, and a place to say what it saw."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.faults.outcome import Row, look
from tests.faults.reader import Reader, Saved
from tests.faults.site import Site
from tests.faults.stack import Stack
from tests.live import wait_for


@dataclass
class Scene:
    """One fault under way."""

    stack: Stack
    site: Site
    reader: Reader
    name: str
    articles: int = 50
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    afterwards: list[Callable[[], None]] = field(default_factory=list)
    """Looks that a fault wants to take when everything has ended."""

    def urls(self, count: int | None = None, *, wait_ms: int = 100, part: str = "a") -> list[str]:
        return self.site.urls(f"{self.name}/{part}", count or self.articles, wait_ms=wait_ms)

    def save(self, count: int | None = None, *, wait_ms: int = 100, part: str = "a") -> list[Saved]:
        return self.reader.save_all(self.urls(count, wait_ms=wait_ms, part=part))

    def note(self, text: str) -> None:
        self.notes.append(text)

    def check(self, holds: bool, problem: str) -> None:
        """Something that must hold beside what is asked after every fault."""
        if not holds:
            self.problems.append(problem)

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        wait_for(condition, what=what)

    def reading(self) -> bool:
        """Whether an article of this fault is being fetched right now."""
        return any(f"/{self.name}/" in path for path in self.site.under_way.copy())

    def wait_accepted(self, count: int) -> None:
        """Return when so many more addresses have been accepted, or all of them."""
        answers = self.reader.answers
        goal = answers["202"] + count
        self.wait(
            lambda: answers["202"] >= goal or not self.reader.is_saving,
            "saving goes on",
        )

    def wait_ready(self, saved: Sequence[Saved], count: int) -> None:
        """Return when so many articles are readable: the others are in flight."""
        self.wait(lambda: sum(_ready(row) for row in look(self.stack, saved)) >= count, "some read")


Fault = Callable[[Scene], list[Saved]]
"""Breaks something while articles are in flight; returns, after the last fault, what was saved."""


def _ready(row: Row) -> bool:
    return row.status == "ready_for_reading"
