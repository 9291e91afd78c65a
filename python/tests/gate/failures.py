"""Failed tests: run once more, alone, and sorted into flaky and broken."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nexus.config import PROJECT_ROOT

MOST_RUN_AGAIN = 5
KNOWN = PROJECT_ROOT / "docs" / "flaky.md"


@dataclass(frozen=True)
class Failure:
    """A failed test, under the name by which its suite runs it alone."""

    test: str
    output: str
    must: bool = False


@dataclass(frozen=True)
class Again:
    """The second run of a failed test."""

    passed: bool
    output: str


@dataclass(frozen=True)
class Run:
    """One run of one suite. `broken` says what failed outside any test."""

    failures: Sequence[Failure] = ()
    broken: str | None = None
    again: Callable[[Failure], Again] = field(default=lambda _: Again(False, "cannot run again"))


@dataclass
class Verdict:
    """Outcome of all suites: the run is green while nothing is in `red`."""

    red: list[str] = field(default_factory=list)
    flaky: list[str] = field(default_factory=list)


def judge(runs: Sequence[Run], *, known: frozenset[str], say: Callable[[str], None]) -> Verdict:
    """Run failed tests once more, unless one is marked `must` or chance cannot explain so many."""
    verdict = Verdict(red=[run.broken for run in runs if run.broken])
    failed = [(failure, run.again) for run in runs for failure in run.failures]
    if any(failure.must for failure, _ in failed) or len(failed) > MOST_RUN_AGAIN:
        verdict.red += [_red(failure) for failure, _ in failed]
        return verdict
    seconds = []
    for failure, again in failed:
        say(f"Running again, alone: {failure.test}")
        seconds.append((failure, again(failure)))
    for failure, second in seconds:
        if not second.passed:
            verdict.red.append(_red(failure))
            say(f"Failed again: {failure.test}\n{second.output}")
            continue
        name = "FLAKY AGAIN" if failure.test in known else "FLAKY"
        verdict.flaky.append(f"{name} {failure.test}")
        say(f"\n{verdict.flaky[-1]}\n--- it failed:\n{failure.output.rstrip()}")
        say(f"--- run again, alone, it passed:\n{second.output.rstrip()}")
    return verdict


def known_flaky(page: Path = KNOWN) -> frozenset[str]:
    """Names of the tests that were flaky before."""
    return frozenset(re.findall(r"`([^`\n]+)`", page.read_text()))


def _red(failure: Failure) -> str:
    return f"{failure.test} (must: never run again)" if failure.must else failure.test
