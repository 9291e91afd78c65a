"""Processes of our own that handle what comes from the web."""

import os

from nexus.config import PROJECT_ROOT

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")


def bare_environment() -> dict[str, str]:
    """What such a process needs to run; no secrets."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return passed | {"PYTHONPATH": str(PROJECT_ROOT / "python")}
