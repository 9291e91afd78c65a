"""A second worker beside the one of the stack, as an installation that grew would have."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil

from nexus.config import PROJECT_ROOT, Settings
from nexus.supervisor.programs import application_programs
from tests.faults.stack import Stack
from tests.patience import PATIENCE_SECONDS


@contextlib.contextmanager
def second_worker(stack: Stack) -> Iterator[Path]:
    """The same command in the same environment, under another name; stopped with the block."""
    first = psutil.Process(stack.pid("worker"))
    settings = Settings(data_dir=stack.layout.data_dir)
    programs = application_programs(settings, stack.layout)
    command = next(program.command for program in programs if program.name == "worker")
    log = stack.layout.log_of("second-worker")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--hostname", "second@%h"],
            cwd=PROJECT_ROOT,
            env=first.environ(),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield log
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
