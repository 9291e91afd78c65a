"""`nexus export`: another format, a template, single items."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.models import User
from nexus.services import users
from nexus.services.viewer import Viewer
from tests.factories import make_article
from tests.live import LiveNexus
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def account(nexus: LiveNexus, session: Session) -> tuple[str, Viewer]:
    """Somebody who can sign in, with two articles."""
    email = f"{uuid4().hex}@example.org"
    nexus.signed_up(email).close()
    user_id = session.scalars(select(User.id).where(User.email == email)).one()
    viewer = Viewer(user_id, email, users.provision_user(session, user_id=user_id, email=email)[0])
    for title in ("One page", "Another page"):
        make_article(session, viewer, title=title, requested_url=f"https://example.org/{uuid4()}")
    return email, viewer


def nexus_export(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "nexus.cli.main", "export", *arguments],
        env=os.environ.copy(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def pages_of(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".md")]
        return {name: archive.read(name).decode() for name in names}


def test_another_format(account: tuple[str, Viewer], tmp_path: Path) -> None:
    file = tmp_path / "bookmarks.html"
    done = nexus_export(str(file), "--format", "bookmarks", "--user", account[0])
    assert done.returncode == 0, done.stderr
    assert "Another page" in file.read_text()


@pytest.mark.heavy
def test_an_unknown_format_is_refused(account: tuple[str, Viewer], tmp_path: Path) -> None:
    done = nexus_export(str(tmp_path / "x"), "--format", "papyrus", "--user", account[0])
    assert done.returncode == 2
    assert not (tmp_path / "x").exists()


def test_a_template_of_ones_own(account: tuple[str, Viewer], tmp_path: Path) -> None:
    template, file = tmp_path / "page.j2", tmp_path / "notes.zip"
    template.write_text("My own page: {{ title }}")
    done = nexus_export(str(file), "--template", str(template), "--user", account[0])
    assert done.returncode == 0, done.stderr
    assert any("My own page:" in page for page in pages_of(file).values())


@pytest.mark.heavy
def test_single_items(account: tuple[str, Viewer], session: Session, tmp_path: Path) -> None:
    email, viewer = account
    chosen = make_article(session, viewer, title="The chosen one").media_id
    file = tmp_path / "one.zip"
    done = nexus_export(str(file), "--media", str(chosen), "--user", email)
    assert done.returncode == 0, done.stderr
    assert "1 items" in done.stdout
    assert not any("Another page" in page for page in pages_of(file).values())
