"""A worker that hangs while it shuts down is ended."""

import subprocess
import sys

from nexus.celery import create_celery
from nexus.worker_shutdown import ExitDeadline
from tests.patience import PATIENCE_SECONDS

HANGING = """
import threading
from celery.worker import state
from nexus import worker_shutdown

state.should_stop = {should_stop}
worker_shutdown._BROKEN_SECONDS, worker_shutdown._ASKED_SECONDS = {broken}, {asked}
worker_shutdown.ExitDeadline(None).stop(None)
threading.Event().wait({hang})
"""


def ended(**values: object) -> int:
    """The exit code of a process that hangs after it began to end."""
    command = [sys.executable, "-c", HANGING.format(**values)]
    return subprocess.run(command, timeout=PATIENCE_SECONDS, check=False).returncode


def test_one_that_broke_is_ended_soon() -> None:
    assert ended(should_stop=None, broken=0.2, asked=60, hang=60) == 1


def test_one_that_was_asked_to_may_finish_and_no_more() -> None:
    assert ended(should_stop=0, broken=0.2, asked=60, hang=1) == 0
    assert ended(should_stop=0, broken=60, asked=0.2, hang=60) == 1


def test_every_worker_has_it() -> None:
    assert ExitDeadline in create_celery().steps["worker"]
