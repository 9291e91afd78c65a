"""A copy of the project in which Nexus runs as `make up` runs it, its data in `.nexus`."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.ports import free_port

from nexus.config import PROJECT_ROOT
from nexus.embedded.bound import bound_command
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS
from tests.supervisor.conftest import without_nexus

_COPIED = "python"
_NEXUS = [sys.executable, "-m", "nexus.cli.main"]


class Checkout:
    """What a person has after `git clone` and `make up`, and a shell that knows no settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.commands: set[str] = set()
        # Nexus finds its project, and so its data, from where its code really lies.
        shutil.copytree(PROJECT_ROOT / _COPIED / "nexus", folder / _COPIED / "nexus")
        for path in PROJECT_ROOT.iterdir():
            if path.name != _COPIED and not path.name.startswith("."):
                (folder / path.name).symlink_to(path)
        self._environment = without_nexus(os.environ) | {"PYTHONPATH": str(folder / _COPIED)}

    def nexus(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run `nexus …`."""
        self.commands.add(arguments[0])
        return subprocess.run(
            [*_NEXUS, *arguments],
            cwd=self.folder,
            env=self._environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    @contextmanager
    def up(self, **settings: str) -> Iterator[None]:
        """`nexus up`, with settings that only its own shell has."""
        log = self.folder / "output.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                bound_command([*_NEXUS, "up"], parent=os.getpid()),
                cwd=self.folder,
                env=self._environment | {"NEXUS_PORT": str(self.port)} | settings,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            wait_for(
                lambda: "Nexus is ready" in log.read_text() or process.poll() is not None,
                what="Nexus is ready",
            )
            assert process.poll() is None, log.read_text()
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE_SECONDS)
        assert code == 0, log.read_text()
