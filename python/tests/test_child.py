"""Processes of our own: their end is noticed."""

import subprocess
import sys

import pytest

from nexus.child import wait_for_exit
from tests.patience import PATIENCE_SECONDS


def test_the_exit_code_of_a_process_is_returned() -> None:
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    assert wait_for_exit(process, PATIENCE_SECONDS) == 3
    # And again, when it is long gone.
    assert wait_for_exit(process, PATIENCE_SECONDS) == 3


def test_a_process_that_goes_on_is_waited_for_no_longer() -> None:
    with subprocess.Popen(["sleep", "3600"]) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            wait_for_exit(process, 0.01)
        process.kill()
        assert wait_for_exit(process, PATIENCE_SECONDS) == -9
