"""One version number, in `pyproject.toml`, shown wherever somebody asks for it."""

import json
import tomllib

import httpx
from typer.testing import CliRunner

from nexus.cli.main import app
from nexus.config import PROJECT_ROOT
from nexus.version import VERSION
from tests.live import live_nexus


def test_it_is_the_projects() -> None:
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
    for folder in ("apps/web", "node/ingest"):
        assert "version" not in json.loads((PROJECT_ROOT / folder / "package.json").read_text())


def test_the_command_line_and_both_servers_say_it() -> None:
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.output) == (0, f"Nexus {VERSION}\n")
    with live_nexus() as nexus, nexus.api() as api:
        answers = [api.get("/healthz"), httpx.get(f"{nexus.origin}/healthz")]
    assert [answer.json()["data"]["version"] for answer in answers] == [VERSION, VERSION]
