"""A real `nexus up`, with stand-ins for the applications."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import pytest
from bench.ports import free_port

from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.processes import is_alive, wait_gone
from nexus.supervisor.layout import Layout
from nexus.supervisor.leftovers import MARK
from nexus.waiting import wait_until
from tests.patience import PATIENCE_SECONDS

RUNNER = Path(__file__).with_name("run_standins.py")


class Nexus:
    """One `nexus up`: what it prints, what it runs."""

    def __init__(self, data_dir: Path, parts: list[str], environment: dict[str, str]) -> None:
        self.layout = Layout(data_dir)
        self.parts = Path(tempfile.mkdtemp(prefix="parts-", dir=data_dir.parent))
        self.lines: list[str] = []
        self._news = threading.Condition()
        self.process = subprocess.Popen(
            [sys.executable, str(RUNNER), str(self.parts), *parts],
            env=without_nexus(os.environ) | {"NEXUS_DATA_DIR": str(data_dir)} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def wait_for(self, pattern: str, timeout: float = PATIENCE_SECONDS) -> re.Match[str]:
        """Wait until a line matches."""
        found: list[re.Match[str]] = []

        def look() -> bool:
            found.extend(match for line in self.lines if (match := re.search(pattern, line)))
            return bool(found) or not self._reader.is_alive()

        with self._news:
            self._news.wait_for(look, timeout)
        assert found, f"no {pattern!r} in:\n{self.output}"
        return found[0]

    def wait_ready(self) -> None:
        self.wait_for("^Nexus is ready: ")

    def wait(self, timeout: float = PATIENCE_SECONDS) -> int:
        """The exit code, when everything has been printed."""
        code = self.process.wait(timeout)
        self._reader.join(timeout)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.wait()

    def pids(self, part: str) -> list[int]:
        with contextlib.suppress(FileNotFoundError):
            return [int(pid) for pid in (self.parts / f"{part}.pids").read_text().split()]
        return []

    def wait_for_start(self, part: str, count: int, timeout: float = PATIENCE_SECONDS) -> int:
        """Wait for the part's start number `count`; its pid."""
        assert wait_until(lambda: len(self.pids(part)) >= count, within=timeout), self.output
        return self.pids(part)[count - 1]

    def supervisord(self) -> psutil.Process:
        return psutil.Process(int(self.layout.supervisor_pid.read_text()))

    def postmaster(self) -> psutil.Process:
        pid_file = self.layout.postgres.data / "postmaster.pid"
        return psutil.Process(int(pid_file.read_text().split()[0]))

    def family(self) -> list[psutil.Process]:
        """Every process of this run but itself, grandchildren of strange sessions included."""
        family: list[psutil.Process] = psutil.Process(self.process.pid).children(recursive=True)
        return family

    def log(self, name: str) -> str:
        return self.layout.log_of(name).read_text()


class Installation:
    """A data directory on which Nexus is started again and again."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.runs: list[Nexus] = []

    def start(self, *parts: str, **environment: str) -> Nexus:
        environment = {"NEXUS_PORT": str(self.port)} | environment
        self.runs.append(Nexus(self.data_dir, list(parts), environment))
        return self.runs[-1]

    def clean_up(self) -> None:
        for run in self.runs:
            if run.process.poll() is None:
                run.process.kill()
            run.wait()
        self.runs.clear()
        for process in self.strays():
            process.kill()

    def strays(self) -> list[psutil.Process]:
        """Processes that still carry the mark of this data directory."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(MARK) == str(self.data_dir) and is_alive(process):
                    found.append(process)
        return found


def without_nexus(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without the settings of the test run itself."""
    return {name: value for name, value in environment.items() if not name.startswith("NEXUS_")}


def assert_gone(processes: list[psutil.Process]) -> None:
    assert processes
    assert wait_gone(processes, PATIENCE_SECONDS) == []


@pytest.fixture(scope="package")
def folder() -> Iterator[Path]:
    """Its name needs quoting. Not in tmp_path, which pytest closes to Postgres' account."""
    folder = Path(tempfile.mkdtemp(prefix="nexus test %s"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def installation(folder: Path) -> Iterator[Installation]:
    """A data directory that one test after the other starts Nexus on."""
    installation = Installation(folder / "restarted")
    yield installation
    installation.clean_up()


@pytest.fixture(scope="package")
def nexus(folder: Path) -> Iterator[Nexus]:
    """A Nexus that stays up, for tests that leave it so."""
    installation = Installation(folder / "kept up")
    EmbeddedPostgres(installation.data_dir / "postgres", durable=False).prepare()
    nexus = installation.start("api=ok", "bff=ok", "worker=ok", "extra=lives-once")
    nexus.wait_ready()
    yield nexus
    assert nexus.stop() == 0
    installation.clean_up()
