"""A test that fails keeps nothing that another could be charged with."""

import subprocess
import sys
from pathlib import Path

from nexus.config import PROJECT_ROOT
from tests.patience import PATIENCE_SECONDS

TESTS = """
import gc
import socket

def connect():
    connection = socket.socket()
    raise OSError("refused")

def test_that_fails():
    held = socket.socket()
    try:
        connect()
    except OSError as error:
        raise AssertionError("failed") from error

def test_after_it():
    gc.collect()
"""


def test_a_failed_test_is_charged_with_what_it_left_open(tmp_path: Path) -> None:
    file = tmp_path / "test_two.py"
    file.write_text(TESTS)
    options = ["-p", "tests.held", "-p", "no:cacheprovider", "-W", "error", "-q", "-rA"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", "/dev/null", "--rootdir", tmp_path, file],
        cwd=PROJECT_ROOT / "python",
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert "ERROR at teardown of test_that_fails" in done.stdout, done.stdout
    assert "unclosed <socket" in done.stdout
    assert "1 failed, 1 passed, 1 error" in done.stdout
