"""Whose settings a command has: those of the Nexus that runs on the data directory."""

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nexus.supervisor.environment import use_settings_of_running_nexus
from nexus.supervisor.layout import Layout
from nexus.supervisor.lock import exclusive, holder
from tests.patience import PATIENCE_SECONDS
from tests.supervisor.conftest import without_nexus

HOLD = """
import sys
from pathlib import Path
from nexus.supervisor.lock import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
STARTED_WITH = {
    "NEXUS_PORT": "4321",
    "NEXUS_DATABASE_URL": "postgresql://started-with/x",
    "NEXUS_LOG_LEVEL": "debug",
    "CELERY_ALWAYS_EAGER": "true",
}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = Layout(tmp_path / "data")
    layout.create()
    return layout


@pytest.fixture
def running(layout: Layout) -> Iterator[None]:
    """A process that holds the data directory, as `nexus up` does."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(layout.lock)],
        env=without_nexus(os.environ) | STARTED_WITH,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield
        process.communicate()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's shell: an environment that the test may change, and a few settings in it."""
    monkeypatch.setattr(os, "environ", os.environ.copy())
    for name in [name for name in os.environ if name.startswith("NEXUS_")]:
        del os.environ[name]
    os.environ |= {"NEXUS_SIGNUP": "closed", "NEXUS_PORT": "1", "NEXUS_LOG_LEVEL": "error"}


def settings() -> dict[str, str]:
    return {
        name: value for name, value in os.environ.items() if name.startswith(("NEXUS_", "CELERY"))
    }


@pytest.mark.usefixtures("running", "shell")
def test_those_of_the_running_one_replace_the_callers(layout: Layout) -> None:
    assert use_settings_of_running_nexus(layout)
    assert settings() == STARTED_WITH | {
        "NEXUS_LOG_LEVEL": "error",
        "NEXUS_API_URL": f"unix:{layout.api_socket}",
    }


@pytest.mark.usefixtures("running", "shell")
@pytest.mark.parametrize(("named", "used"), [("another", False), ("started-with", True)])
def test_a_database_that_is_named_says_which_installation_is_meant(
    layout: Layout, named: str, used: bool
) -> None:
    os.environ["NEXUS_DATABASE_URL"] = f"postgresql://{named}/x"
    assert use_settings_of_running_nexus(layout) is used
    assert os.environ["NEXUS_PORT"] == ("4321" if used else "1")


@pytest.mark.usefixtures("shell")
def test_without_a_running_one_nothing_changes(layout: Layout, tmp_path: Path) -> None:
    before = settings()
    assert not use_settings_of_running_nexus(layout)
    assert not use_settings_of_running_nexus(Layout(tmp_path / "never made"))
    assert settings() == before


def test_asking_who_holds_the_lock_is_in_nobodys_way(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nexus.supervisor.lock._PATIENCE_SECONDS", PATIENCE_SECONDS)
    with layout.lock.open("a+") as asks:
        fcntl.flock(asks, fcntl.LOCK_EX)
        threading.Timer(0.1, asks.close).start()
        with exclusive(layout.lock):
            assert holder(layout.lock) == os.getpid()
