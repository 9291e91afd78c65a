"""The suites of the gate: pytest, vitest and node:test, run whole or one test alone."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nexus.config import PROJECT_ROOT
from tests.gate.failures import Again, Failure, Run
from tests.gate.recording import FAILURES_VARIABLE
from tests.patience import FACTOR

WEB = PROJECT_ROOT / "apps" / "web"
NODE = PROJECT_ROOT / "node" / "ingest"
PYTEST = (str(PROJECT_ROOT / ".venv/bin/pytest"), "-q")
VITEST = ("npx", "--no-install", "vitest", "run", "--reporter=default", "--reporter=json")
NODE_TEST = ("node", "--test", f"--test-timeout={900_000 * FACTOR:.0f}")
# Rules against private networks, without a clock.
MUST_OF_NODE = ("address.test.mjs", "browser-tree.test.mjs", "egress-gateway.test.mjs")
# Run alone it would see nothing.
CANARY = "the canary has not been touched"


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    output: str


def command(
    *words: str, cwd: Path = PROJECT_ROOT, shown: bool = False, env: dict[str, str] | None = None
) -> Done:
    """Run a command. One that is shown prints as it goes; the output of others is kept."""
    pipe = None if shown else subprocess.PIPE
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=None if shown else subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Done(done.returncode, done.stdout or "")


class Python:
    """pytest: spread over processes when it is run whole."""

    def __init__(self, scratch: Path, *, folder: Path = PROJECT_ROOT) -> None:
        self._log = scratch / "python.jsonl"
        self._folder = folder

    def run(self, *arguments: str, env: dict[str, str] | None = None) -> Run:
        self._log.write_text("")
        limit = f"{600 * FACTOR:.0f}"
        recorded = {**(env or {}), FAILURES_VARIABLE: str(self._log), "PYTEST_TIMEOUT": limit}
        done = command(*PYTEST, *arguments, cwd=self._folder, shown=True, env=recorded)
        failures = _merged(json.loads(line) for line in self._log.read_text().splitlines())
        expected = {0: not failures, 1: bool(failures)}.get(done.code, False)
        broken = None if expected else f"pytest ended with exit status {done.code}"
        return Run(failures, broken, lambda failure: self._again(failure, env))

    def _again(self, failure: Failure, env: dict[str, str] | None) -> Again:
        done = command(*PYTEST, failure.test, cwd=self._folder, env=env)
        return Again(done.code == 0, done.output)


class Web:
    """vitest in the folder of the web app."""

    def __init__(self, scratch: Path, *, folder: Path = WEB) -> None:
        self._report = scratch / "web.json"
        self._folder = folder

    def run(self) -> Run:
        done, results = self._vitest()
        failures = [one for file in results for one in _of_vitest(file)]
        expected = (done.code == 0) == (not failures) and bool(results)
        return Run(failures, None if expected else f"vitest: {done.output}", self._again)

    def _again(self, failure: Failure) -> Again:
        file, _, name = failure.test.partition(" > ")
        pattern = ("-t", f"^{re.escape(name)}$") if name else ()
        done, results = self._vitest(str(PROJECT_ROOT / file), *pattern)
        ran = [one for of in results for one in of["assertionResults"] if one["status"] == "passed"]
        return Again(done.code == 0 and bool(ran), done.output)

    def _vitest(self, *arguments: str) -> tuple[Done, list[Any]]:
        self._report.unlink(missing_ok=True)
        done = command(*VITEST, f"--outputFile.json={self._report}", *arguments, cwd=self._folder)
        found = json.loads(self._report.read_text()) if self._report.exists() else {}
        return done, found.get("testResults", [])


class Node:
    """node:test in the folder of the extractor."""

    def __init__(self, scratch: Path, *, folder: Path = NODE, long: bool = False) -> None:
        self._report = scratch / "node.jsonl"
        self._folder = folder
        self._long = long

    def run(self) -> Run:
        run = self._files("test", at_once=2)
        # Tests that fill the memory have the machine to themselves.
        long = self._files("test/long", at_once=1) if self._long else Run()
        failures = [*run.failures, *long.failures]
        return Run(failures, run.broken or long.broken, self._again)

    def _files(self, folder: str, *, at_once: int) -> Run:
        files = [str(file) for file in sorted((self._folder / folder).glob("*.test.mjs"))]
        done, results = self._node(f"--test-concurrency={at_once}", *files)
        failures = [_of_node(one) for one in results if not one["passed"]]
        expected = (done.code == 0) == (not failures) and bool(results)
        return Run(failures, None if expected else f"node --test: {done.output}")

    def _again(self, failure: Failure) -> Again:
        file, _, name = failure.test.partition(" > ")
        pattern = (f"--test-name-pattern=^{re.escape(name)}$",) if name else ()
        done, results = self._node(*pattern, str(PROJECT_ROOT / file))
        return Again(done.code == 0 and any(one["ran"] for one in results), done.output)

    def _node(self, *arguments: str) -> tuple[Done, list[Any]]:
        self._report.unlink(missing_ok=True)
        reporters = (
            *("--test-reporter=spec", "--test-reporter-destination=stdout"),
            f"--test-reporter={NODE / 'test/support/results.mjs'}",
            f"--test-reporter-destination={self._report}",
        )
        done = command(*NODE_TEST, *reporters, *arguments, cwd=self._folder)
        lines = self._report.read_text().splitlines() if self._report.exists() else []
        return done, [json.loads(line) for line in lines]


def _merged(reports: Any) -> list[Failure]:
    """One failure for each test, whichever of its phases failed."""
    found: dict[str, Failure] = {}
    for report in reports:
        before = found.get(report["test"])
        output = f"{before.output}\n{report['output']}" if before else report["output"]
        found[report["test"]] = Failure(report["test"], output, report["must"])
    return list(found.values())


def _of_vitest(file: Any) -> list[Failure]:
    path = os.path.relpath(file["name"], PROJECT_ROOT)
    failed = [one for one in file["assertionResults"] if one["status"] == "failed"]
    if not failed and file["status"] == "failed":
        return [Failure(path, file.get("message", ""))]
    return [
        Failure(f"{path} > {one['fullName']}", "\n".join(one["failureMessages"])) for one in failed
    ]


def _of_node(one: Any) -> Failure:
    file = os.path.relpath(one["file"], PROJECT_ROOT)
    # A file that crashed is reported under its own path.
    test = file if one["name"] == one["file"] else f"{file} > {one['name']}"
    return Failure(
        test, one["output"], must=Path(file).name in MUST_OF_NODE or CANARY in one["name"]
    )
