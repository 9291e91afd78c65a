"""`nexus import`: a preview, a question, then the import, beside a worker whose part we play."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import select

from nexus.db.models import Import
from nexus.db.session import get_session_factory
from tests.api.test_imports import bookmarks, pages
from tests.imported import run_to_the_end
from tests.live import LiveNexus
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def account(nexus: LiveNexus) -> str:
    email = f"{uuid4().hex}@example.org"
    nexus.signed_up(email).close()
    return email


def nexus_import(
    nexus: LiveNexus, *arguments: str, stdin: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "nexus.cli.main", "import", *arguments],
        env=os.environ | {"NEXUS_API_URL": nexus.settings.api_url or ""},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


class Worker(threading.Thread):
    """Works on whatever is started, until told to end."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.1):
            with get_session_factory()() as session:
                started = session.scalars(select(Import.id).where(Import.unfinished)).all()
            for import_id in started:
                run_to_the_end(import_id)

    def __enter__(self) -> "Worker":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.join()


def test_a_file_is_imported(nexus: LiveNexus, account: str, tmp_path: Path) -> None:
    file = tmp_path / "bookmarks.html"
    file.write_bytes(bookmarks(*pages(3), "javascript:void(0)"))
    with Worker():
        done = nexus_import(
            nexus, str(file), "--yes", "--user", account, "--library", "Old", "--tag", "browser"
        )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Bookmarks: 3 items."
    assert any(line.startswith("Skipped, 1: ") for line in lines)
    assert "Imported 3 items." in lines
    assert "3 pages will be fetched in the background." in lines


@pytest.mark.heavy
def test_a_preview_imports_nothing(nexus: LiveNexus, account: str, tmp_path: Path) -> None:
    file = tmp_path / "bookmarks.html"
    file.write_bytes(bookmarks(*pages(1)))
    for arguments, stdin in ((["--preview"], ""), ([], "n\n")):
        done = nexus_import(nexus, str(file), "--user", account, *arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr
        assert "Imported" not in done.stdout


def test_what_cannot_be_imported_is_one_line(
    nexus: LiveNexus, account: str, tmp_path: Path
) -> None:
    file = tmp_path / "poem.txt"
    file.write_text("Not an export of anything.")
    done = nexus_import(nexus, str(file), "--user", account)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "no format that Nexus can import" in line
    missing = nexus_import(nexus, str(tmp_path / "none"), "--user", account)
    assert (missing.returncode, len(missing.stderr.splitlines())) == (1, 1)
