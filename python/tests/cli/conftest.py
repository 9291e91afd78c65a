"""The command line as a person runs it: another process."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.ports import free_port

from tests.patience import PATIENCE_SECONDS
from tests.supervisor.conftest import without_nexus

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="nexus-test-"))
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def nexus_command(data_dir: Path) -> Run:
    """Run `nexus …` on a data directory of its own."""

    def run(
        *arguments: str, account: int | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        settings = {"NEXUS_DATA_DIR": str(data_dir), "NEXUS_PORT": str(free_port())}
        return subprocess.run(
            [*_as(account), sys.executable, "-m", "nexus.cli.main", *arguments],
            env=without_nexus(os.environ) | settings | environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    return run


def _as(account: int | None) -> list[str]:
    """What makes a command run as another account, which may read but not write what it likes.

    Reading, because the interpreter may lie in root's home.
    """
    if account in {None, os.geteuid()}:
        return []
    reads = "+dac_read_search"
    return [
        *("setpriv", "--reuid", str(account), "--regid", str(account), "--clear-groups"),
        *("--inh-caps", reads, "--ambient-caps", reads, "--"),
    ]
