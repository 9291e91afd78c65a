"""The gate: a failed test gets one more run, alone, and what cannot be chance gets none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nexus.config import PROJECT_ROOT
from tests.gate.failures import Again, Failure, Run, judge, known_flaky
from tests.gate.suites import CANARY, Node, Python, Web, _of_node

EGRESS = PROJECT_ROOT / "node/ingest/test/egress.test.mjs"
KNOWN = frozenset({"known"})
Ran = list[str]


def run_of(*failures: Failure, passes_again: bool = True, ran: Ran | None = None) -> Run:
    def again(failure: Failure) -> Again:
        if ran is not None:
            ran.append(failure.test)
        return Again(passes_again, "second output")

    return Run(failures, again=again)


def test_a_failure_that_passes_alone_is_flaky_and_shown_with_both_outputs() -> None:
    said: list[str] = []
    runs = [run_of(), run_of(Failure("new", "first output"), Failure("known", ""))]
    verdict = judge(runs, known=KNOWN, say=said.append)
    assert (verdict.red, verdict.flaky) == ([], ["FLAKY new", "FLAKY AGAIN known"])
    shown = "\n".join(said)
    assert "first output" in shown
    assert "second output" in shown


def test_a_failure_that_fails_alone_is_red() -> None:
    said: list[str] = []
    verdict = judge([run_of(Failure("x", ""), passes_again=False)], known=KNOWN, say=said.append)
    assert (verdict.red, verdict.flaky) == (["x"], [])
    assert "second output" in "\n".join(said)


def test_five_are_run_again_and_six_are_red() -> None:
    ran: Ran = []
    failures = [Failure(f"t{number}", "") for number in range(6)]
    five = [run_of(*failures[:3], ran=ran), run_of(*failures[3:5], ran=ran)]
    assert not judge(five, known=KNOWN, say=lambda _: None).red
    assert ran == [f"t{number}" for number in range(5)]
    ran.clear()
    six = [run_of(*failures[:3], ran=ran), run_of(*failures[3:], ran=ran)]
    assert judge(six, known=KNOWN, say=lambda _: None).red == [f"t{number}" for number in range(6)]
    assert ran == []


def test_a_test_that_must_hold_is_never_run_again() -> None:
    ran: Ran = []
    runs = [run_of(Failure("a", ""), Failure("b", "", must=True), ran=ran)]
    assert judge(runs, known=KNOWN, say=lambda _: None).red == [
        "a",
        "b (must: never run again)",
    ]
    assert ran == []


def test_a_suite_that_failed_outside_its_tests_is_red() -> None:
    verdict = judge([Run(broken="lint")], known=KNOWN, say=lambda _: None)
    assert verdict.red == ["lint"]


def test_the_list_of_flaky_tests_names_them(tmp_path: Path) -> None:
    page = tmp_path / "flaky.md"
    page.write_text("| 2026-01-01 | `python/tests/x.py::test_it[a b]` | none |\n")
    assert known_flaky(page) == {"python/tests/x.py::test_it[a b]"}


# Each file has a test that passes, one that always fails, and one that fails once.
PYTHON = """
import pathlib
import pytest

def test_passes(): pass

@pytest.mark.must
def test_fails(): raise AssertionError("always wrong")

def test_fails_once():
    mark = pathlib.Path(__file__).with_name("ran")
    if not mark.exists():
        mark.touch()
        raise AssertionError("wrong at first")
"""
WEB = """
import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

test("passes", () => {});
test("fails", () => { throw new Error("always wrong"); });
describe("inside (of)", () => {
  test("fails once", () => {
    const ran = existsSync(new URL("ran", import.meta.url));
    writeFileSync(new URL("ran", import.meta.url), "");
    expect(ran, "wrong at first").toBe(true);
  });
});
"""
NODE = """
import assert from "node:assert";
import { existsSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";

test("passes", () => {});
test("fails", () => { throw new Error("always wrong"); });
describe("inside (of)", () => {
  test("fails once", () => {
    const ran = existsSync(new URL("ran", import.meta.url));
    writeFileSync(new URL("ran", import.meta.url), "");
    assert.ok(ran, "wrong at first");
  });
});
"""


def of_pytest(folder: Path, text: str) -> Run:
    (folder / "test_some.py").write_text(text)
    paths = f"pythonpath = {PROJECT_ROOT}/python {PROJECT_ROOT}"
    options = f"[pytest]\n{paths}\naddopts = -p tests.gate.recording\nmarkers = must"
    (folder / "pytest.ini").write_text(options)
    return Python(folder, folder=folder).run()


def of_vitest(folder: Path, text: str) -> Run:
    (folder / "some.test.mjs").write_text(text)
    (folder / "node_modules").symlink_to(PROJECT_ROOT / "apps/web/node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    return Web(folder, folder=folder).run()


def of_node(folder: Path, text: str) -> Run:
    (folder / "test").mkdir()
    (folder / "test" / "some.test.mjs").write_text(text)
    return Node(folder, folder=folder).run()


@pytest.mark.parametrize(
    ("suite", "text"),
    [(of_pytest, PYTHON), (of_vitest, WEB), (of_node, NODE)],
    ids=["pytest", "vitest", "node"],
)
def test_each_suite_tells_what_failed_and_runs_it_alone(
    tmp_path: Path, suite: Callable[[Path, str], Run], text: str
) -> None:
    run = suite(tmp_path, text)
    assert run.broken is None
    found = {failure.test.rpartition("fails")[2]: failure for failure in run.failures}
    assert set(found) == {"", "_once" if suite is of_pytest else " once"}
    always, once = found.pop(""), found.popitem()[1]
    assert "always wrong" in always.output
    assert "wrong at first" in once.output
    assert always.must is (suite is of_pytest)
    assert run.again(once).passed
    second = run.again(always)
    assert not second.passed
    assert "always wrong" in second.output
    # A name that is found no more is no success.
    assert not run.again(Failure(f"{always.test} not there", "")).passed


@pytest.mark.parametrize("suite", [of_pytest, of_vitest, of_node], ids=["pytest", "vitest", "node"])
def test_a_file_that_cannot_be_read_is_not_green(
    tmp_path: Path, suite: Callable[[Path, str], Run]
) -> None:
    run = suite(tmp_path, "this is ( no program")
    assert run.broken or [run.again(failure).passed for failure in run.failures] == [False]


def test_the_canary_is_never_run_again() -> None:
    """Alone it would pass whatever the pages of its file did."""
    name = {"file": str(EGRESS), "name": f"{CANARY} by pages with the guard here"}
    assert CANARY in EGRESS.read_text()
    assert _of_node({**name, "output": ""}).must
    assert not _of_node({"file": str(EGRESS), "name": "a page", "output": ""}).must
