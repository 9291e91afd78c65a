"""Processes of our own that handle what comes from the web."""

import os
import select
import subprocess
import sys

from nexus.config import PROJECT_ROOT

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")


def bare_environment() -> dict[str, str]:
    """What such a process needs to run; no secrets."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return passed | {"PYTHONPATH": str(PROJECT_ROOT / "python")}


def wait_for_exit(process: subprocess.Popen[bytes], seconds: float) -> int:
    """The exit code, at once when there is one: `Popen.wait` looks for it every 50 ms.

    TimeoutExpired when it takes longer.
    """
    if sys.platform != "linux" or process.poll() is not None:
        return process.wait(seconds)
    descriptor = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if not poll.poll(seconds * 1000):
            raise subprocess.TimeoutExpired(process.args, seconds)
    finally:
        os.close(descriptor)
    return process.wait()
