"""Every command of the README on an instance that was started as `make up` does it."""

import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nexus.config import PROJECT_ROOT
from tests.cli.checkout import Checkout
from tests.faults.site import Site
from tests.faults.stack import temporary_folder

TABLE = re.compile(r"^\| `.*$", re.MULTILINE)
NAMED = re.compile(r"nexus (\w+)")


@pytest.fixture
def checkout() -> Iterator[Checkout]:
    with temporary_folder() as folder:
        yield Checkout(folder)


def commands_of_the_readme() -> set[str]:
    section = (PROJECT_ROOT / "README.md").read_text().partition("## From there")[2]
    rows = TABLE.findall(section.partition("## ")[0])
    return {name for row in rows for name in NAMED.findall(row)}


def done(checkout: Checkout, *arguments: str, stdin: str = "") -> str:
    """What a command says that must succeed, and complain of nothing."""
    completed = checkout.nexus(*arguments, stdin=stdin)
    assert (completed.returncode, completed.stderr) == (0, ""), (arguments, completed)
    return completed.stdout


def refused(checkout: Checkout, *arguments: str) -> str:
    """The one line a command says that must fail."""
    completed = checkout.nexus(*arguments)
    assert completed.returncode == 1, (arguments, completed)
    (line,) = completed.stderr.splitlines()
    return line


@pytest.mark.heavy
def test_every_command_from_a_shell_without_settings(checkout: Checkout, tmp_path: Path) -> None:
    with Site().serving() as site:
        settings = {"NEXUS_ALLOW_PRIVATE_HOSTS": site.origin.removeprefix("http://")}
        if chromium := os.environ.get("NEXUS_CHROMIUM"):
            settings["NEXUS_CHROMIUM"] = chromium
        with checkout.up(**settings):
            said = done(checkout, "user", "create", "ada@example.org", stdin="a long passphrase\n")
            assert said == "Created the account ada@example.org.\n"
            said = done(
                checkout, "user", "password", "ada@example.org", stdin="a longer one, ada\n"
            )
            assert said == "Changed the password of ada@example.org and ended 0 sessions.\n"
            assert (
                done(checkout, "user", "sessions", "ada@example.org") == "Not signed in anywhere.\n"
            )
            read_and_retry(checkout, site)
            said = done(checkout, "doctor")
            assert f"✓ Nexus: running at http://127.0.0.1:{checkout.port}" in said
            bring_bookmarks(checkout, site, tmp_path / "bookmarks.html")
            export(checkout, tmp_path / "notes.zip")
            assert "Wrote" in done(checkout, "backup", str(tmp_path / "nexus.tar"))
            assert "stop it first" in refused(checkout, "restore", str(tmp_path / "nexus.tar"))
    said = done(checkout, "restore", str(tmp_path / "nexus.tar"), "--force")
    assert "1 people" in said
    with checkout.up():
        assert "Report command/0" in done(checkout, "media", "list")
    assert commands_of_the_readme() == checkout.commands


def read_and_retry(checkout: Checkout, site: Site) -> None:
    """Save a page that only the running Nexus may fetch, and one that is not there."""
    (url,) = site.urls("command", 1)
    said = done(checkout, "add", url, "--wait").splitlines()
    assert re.fullmatch(r"Report command/0 \([\d,]+ words\)", said[-1])
    media_id = said[0].split()[0]
    assert media_id in done(checkout, "media", "list")
    assert media_id in done(checkout, "search", "report", "command")
    assert "Nothing found." in done(checkout, "search", "nowhere")
    assert re.search(
        r"processing_status +ready_for_reading", done(checkout, "media", "show", media_id)
    )
    assert "E_INGEST_FAILED" in refused(checkout, "add", f"{site.origin}/nothing", "--wait")
    failed = done(checkout, "media", "list", "--status", "failed")
    assert done(checkout, "media", "retry", "--force", failed.split()[0]) == "Enqueued.\n"


def bring_bookmarks(checkout: Checkout, site: Site, path: Path) -> None:
    (url,) = site.urls("imported", 1)
    path.write_text(f'<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="{url}">A page</A>\n')
    assert "Imported 1 item." in done(checkout, "import", str(path), "--yes")


def export(checkout: Checkout, path: Path) -> None:
    assert "Wrote" in done(checkout, "export", str(path))
    with zipfile.ZipFile(path) as archive:
        assert any("Report command" in archive.read(name).decode() for name in archive.namelist())


@pytest.mark.parametrize(
    "command",
    [
        ["add", "https://example.org/"],
        pytest.param(["search", "word"], marks=pytest.mark.heavy),
        pytest.param(["media", "list"], marks=pytest.mark.heavy),
        pytest.param(["export", "notes.zip"], marks=pytest.mark.heavy),
    ],
)
def test_a_stopped_nexus_is_said_to_be_stopped(checkout: Checkout, command: list[str]) -> None:
    line = refused(checkout, *command)
    data_dir = checkout.folder / ".nexus"
    assert line == f"Nexus is not running on {data_dir}. Start it with `make up`."
    assert not data_dir.exists()
