"""`make test` and `make test-all`: every suite once, then what failed once more."""

import argparse
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.faults.disk import why_no_small_disk
from tests.gate.failures import Run, Verdict, judge, known_flaky
from tests.gate.suites import Node, Python, Web, command

# Two processes keep two cores busy beside the other suites, and a third while they wait.
SPREAD = ("-n", "3", "--dist", "worksteal", "--durations=30", "--durations-min=1")
GATE_ONLY = ("-m", "not heavy")
SYSTEM_CHROMIUM = Path("/usr/bin/chromium")
NEEDED = {"chromium": "chromium", "unzip": "unzip", "mount": "mount"}


def say(text: str) -> None:
    """Print at once: other suites print beside it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test")
    parser.add_argument("--all", action="store_true", help="what takes long, too")
    options = parser.parse_args()
    if options.all and (missing := what_is_missing()):
        say(f"make test-all cannot run here: {missing}")
        return 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nexus-gate-") as scratch:
        runs = chosen(
            Path(scratch), shlex.split(os.environ.get("ONLY", "")), everything=options.all
        )
        verdict = judge(runs, known=known_flaky(), say=say)
    return report(verdict, seconds=time.monotonic() - began)


def chosen(scratch: Path, only: Sequence[str], *, everything: bool) -> list[Run]:
    """Run the suites that ONLY names, or all of them."""
    marks = () if everything else GATE_ONLY
    alone: dict[str, Callable[[], Run]] = {
        "lint": lint,
        "web": Web(scratch).run,
        "node": Node(scratch, long=everything).run,
    }
    if only and only[0] in alone:
        return [alone[only[0]]()]
    if only:
        return [Python(scratch).run(*marks, *only)]
    with ThreadPoolExecutor(1) as beside:
        others = [beside.submit(timed, name, suite) for name, suite in alone.items()]
        runs = [Python(scratch).run(*SPREAD, *marks)]
        runs += [other.result() for other in others]
    if everything:
        journeys = ("python/tests/e2e", *GATE_ONLY, "-n", "2", "--dist", "worksteal")
        say(f"The journeys in {SYSTEM_CHROMIUM}")
        runs.append(Python(scratch).run(*journeys, env={"NEXUS_CHROMIUM": str(SYSTEM_CHROMIUM)}))
        runs.append(images())
    return runs


def lint() -> Run:
    done = command("make", "--no-print-directory", "lint")
    return Run(broken=None if done.code == 0 else f"make lint\n{done.output}")


def images() -> Run:
    done = command("scripts/build-images", shown=True)
    return Run(broken=None if done.code == 0 else "scripts/build-images")


def timed(name: str, suite: Callable[[], Run]) -> Run:
    """Run a suite beside pytest, and say when it ended."""
    began = time.monotonic()
    run = suite()
    wrong = len(run.failures) + bool(run.broken)
    say(f"\n{name}: {f'{wrong} failed' if wrong else 'passed'} ({time.monotonic() - began:.0f} s)")
    return run


def what_is_missing() -> str | None:
    """Reason why `make test-all` would have to skip something, and the remedy."""
    packages = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if packages:
        return f"apt install {' '.join(packages)}"
    no_disk = why_no_small_disk()
    return no_disk and f"run it as root ({no_disk})"


def report(verdict: Verdict, *, seconds: float) -> int:
    for failed in verdict.red:
        say(f"FAILED {failed}")
    for flaky in verdict.flaky:
        say(flaky)
    if verdict.flaky:
        say(f"Name them in {Path('docs/flaky.md')}, with the date.")
    say(f"{'Red' if verdict.red else 'Green'} after {seconds:.0f} s.")
    return 1 if verdict.red else 0


if __name__ == "__main__":
    sys.exit(main())
