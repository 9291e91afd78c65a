"""Plugin of pytest that notes down failed tests, so that the gate can run them again."""

import json
import os
from pathlib import Path

import pytest

FAILURES_VARIABLE = "NEXUS_TEST_FAILURES"


def pytest_configure(config: pytest.Config) -> None:
    """Record in this process alone: workers report to it, and runs inside a test are not ours."""
    path = os.environ.pop(FAILURES_VARIABLE, None)
    if path is not None:
        config.pluginmanager.register(_Recorder(Path(path)))


class _Recorder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.failed:
            return
        sections = "".join(f"\n--- {name}\n{text}" for name, text in report.sections)
        output = f"({report.when})\n{report.longreprtext}{sections}"
        failure = {"test": report.nodeid, "must": "must" in report.keywords, "output": output}
        with self._path.open("a") as file:
            file.write(json.dumps(failure) + "\n")
