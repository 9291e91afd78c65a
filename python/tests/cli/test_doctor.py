"""`nexus doctor`: each check, good and broken."""

import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.ports import free_port

from nexus.cli import check_machine, check_services, check_storage
from nexus.cli.finding import Finding
from nexus.config import Settings
from nexus.embedded.redis import EmbeddedRedis
from nexus.embedded.running import running
from nexus.supervisor.layout import Layout
from nexus.supervisor.lock import exclusive
from tests.cli.conftest import Run


@pytest.fixture
def settings(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in [name for name in os.environ if name.startswith("NEXUS_")]:
        monkeypatch.delenv(name)
    return Settings(data_dir=data_dir, port=free_port())


def states(findings: list[Finding]) -> list[str]:
    return [finding.state for finding in findings]


def test_a_stopped_installation_is_not_broken(nexus_command: Run) -> None:
    lines = nexus_command("doctor").stdout.splitlines()
    for part in ("Data directory", "Secrets", "Database", "Redis", "Nexus"):
        assert [line[0] for line in lines if f" {part}: " in line] == ["–"]
    assert "– Database: stopped; start it with: make up" in lines


def test_something_broken_is_marked_explained_and_counted(nexus_command: Run) -> None:
    done = nexus_command("doctor", NEXUS_REDIS_URL="redis://127.0.0.1:1/0")
    assert done.returncode == 1
    assert "✗ Redis: " in done.stdout
    assert "    → start that server, or correct NEXUS_REDIS_URL" in done.stdout
    assert done.stderr == ""


def test_python_and_node_of_this_machine_are_good(settings: Settings) -> None:
    assert states(check_machine.python(settings)) == ["good"]
    assert states(check_machine.node(settings)) == ["good"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("echo v20.18.9", "broken"),
        ("echo v20.19.0", "good"),
        ("echo v22.1.0", "good"),
        ("echo hello", "broken"),
        ("exit 1", "broken"),
        (None, "broken"),
    ],
)
def test_node_versions(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str | None,
    expected: str,
) -> None:
    if answer:
        program = tmp_path / "node"
        program.write_text(f"#!/bin/sh\n{answer}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert states(check_machine.node(settings)) == [expected]


@pytest.mark.parametrize(
    ("lock", "missing"),
    [
        ("typer>=0.1 \\\n    --hash=sha256:00\n    # via nexus\n", None),
        ("typer==0.0.1 \\\n    --hash=sha256:00\n", "typer"),
        ("no-such-package==1 \\\n    --hash=sha256:00\n", "no-such-package"),
        ("no-such-package==1 ; sys_platform == 'never' \\\n    --hash=sha256:00\n", None),
    ],
)
def test_packages(settings: Settings, tmp_path: Path, lock: str, missing: str | None) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text(lock)
    (finding,) = check_machine.packages(settings, lock=path)
    assert finding.state == ("broken" if missing else "good")
    assert missing is None or missing in finding.text


def test_web_app(settings: Settings, tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    assert states(check_machine.web_app(settings, page=page)) == ["broken"]
    page.touch()
    assert states(check_machine.web_app(settings, page=page)) == ["good"]


def test_a_browser_that_is_none(settings: Settings, tmp_path: Path) -> None:
    broken = settings.model_copy(update={"chromium": tmp_path / "nothing"})
    (finding,) = check_machine.browser(broken)
    assert (finding.state, "NEXUS_CHROMIUM" in finding.fix) == ("broken", True)


def test_a_browser_elsewhere(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"127.0.0.1:{listening.getsockname()[1]}"
        elsewhere = settings.model_copy(update={"extractor": place})
        assert states(check_machine.browser(elsewhere)) == ["good"]
    (finding,) = check_machine.browser(elsewhere)
    assert (finding.state, finding.text) == ("broken", f"nothing responds at {place}")


def test_data_directory(settings: Settings) -> None:
    assert states(check_storage.data_directory(settings)) == ["stopped", "good"]
    settings.data_dir.mkdir()
    assert states(check_storage.data_directory(settings)) == ["good", "good"]
    settings.data_dir.rmdir()
    settings.data_dir.touch()
    assert states(check_storage.data_directory(settings)) == ["broken"]


@pytest.mark.parametrize(("mode", "expected"), [(0o600, "good"), (0o644, "broken")])
def test_secrets_file(settings: Settings, mode: int, expected: str) -> None:
    settings.data_dir.mkdir()
    path = settings.data_dir / "secrets.json"
    path.write_text(json.dumps({}))
    path.chmod(mode)
    (finding,) = check_storage.secrets_file(settings)
    assert finding.state == expected
    assert finding.fix == ("" if expected == "good" else f"run: chmod 600 {path}")


@pytest.fixture
def as_if_running(settings: Settings) -> Iterator[Settings]:
    """The data directory is held, as by a running Nexus."""
    layout = Layout(settings.data_dir)
    layout.create()
    with exclusive(layout.lock):
        yield settings


@pytest.mark.parametrize(
    "check", [check_services.database, check_services.redis_server, check_services.port]
)
def test_a_part_that_should_run_and_does_not(
    as_if_running: Settings, check: Callable[[Settings], list[Finding]]
) -> None:
    (finding,) = check(as_if_running)
    assert finding.state == "broken"
    assert str(as_if_running.data_dir / "logs") in finding.fix


def test_redis_that_answers(settings: Settings) -> None:
    with running(EmbeddedRedis(settings.data_dir / "redis", durable=False)):
        assert states(check_services.redis_server(settings)) == ["good"]


@pytest.mark.parametrize("url", ["nonsense", "postgresql+psycopg://u:hush@127.0.0.1:1/x"])
def test_a_database_that_cannot_be_reached(settings: Settings, url: str) -> None:
    broken = settings.model_copy(update={"database_url": url})
    (finding,) = check_services.database(broken)
    assert (finding.state, "NEXUS_DATABASE_URL" in finding.fix) == ("broken", True)
    assert "hush" not in finding.text


def test_a_port_that_somebody_else_has(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", settings.port)):
        (finding,) = check_services.port(settings)
    assert finding.state == "broken"
    assert f"port {settings.port} is in use" in finding.text
