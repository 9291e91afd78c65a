"""Hook of pytest that notes down failed tests, so that the gate can run them again."""

import json
import os
from pathlib import Path

import pytest

FAILURES_VARIABLE = "NEXUS_TEST_FAILURES"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Append a failure, in the process that leads the run: the workers report to it."""
    path = os.environ.get(FAILURES_VARIABLE)
    if path is None or not report.failed or "PYTEST_XDIST_WORKER" in os.environ:
        return
    sections = "".join(f"\n--- {name}\n{text}" for name, text in report.sections)
    output = f"({report.when})\n{report.longreprtext}{sections}"
    failure = {"test": report.nodeid, "must": "must" in report.keywords, "output": output}
    with Path(path).open("a") as file:
        file.write(json.dumps(failure) + "\n")
