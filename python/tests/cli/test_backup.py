"""`nexus backup` and `nexus restore` as an operator runs them, on the embedded database."""

import os
import shutil
from pathlib import Path

import pytest

from nexus.backup.archive import Manifest, opened_archive
from nexus.backup.create import create_backup
from tests.backup.installations import fill, new_installation
from tests.cli.conftest import Run

# An account without rights: this one, or the one every system has for that.
UNPRIVILEGED = os.geteuid() or 65534


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    source = new_installation(tmp_path)
    fill(source)
    create_backup(source, tmp_path / "source.tar", say=lambda line: None)
    return tmp_path / "source.tar"


def manifest(path: Path) -> Manifest:
    with opened_archive(path) as opened:
        return opened.manifest


def test_to_an_empty_machine_and_back(
    nexus_command: Run, archive: Path, data_dir: Path, tmp_path: Path
) -> None:
    done = nexus_command("restore", str(archive))
    assert done.returncode == 0, done.stderr
    assert "Restored the backup of" in done.stdout
    done = nexus_command("restore", str(archive))
    assert done.returncode == 1
    assert "--force" in done.stderr
    again = tmp_path / "again.tar"
    done = nexus_command("backup", str(again))
    assert done.returncode == 0, done.stderr
    assert f"Wrote {again}: " in done.stdout
    first, second = manifest(archive), manifest(again)
    assert second.rows == first.rows
    assert second.stored_files() == first.stored_files()
    assert (data_dir / "secrets.json").exists()
    assert nexus_command("restore", str(again), "--force").returncode == 0
    assert not (data_dir / "postgres" / "data" / "postmaster.pid").exists()


def test_without_privileges(nexus_command: Run, archive: Path, data_dir: Path) -> None:
    home = data_dir.parent
    given, again = home / "given.tar", home / "again.tar"
    shutil.copy(archive, given)
    for path in (home, given):
        os.chown(path, UNPRIVILEGED, -1)
    restored = nexus_command("restore", str(given), account=UNPRIVILEGED)
    assert restored.returncode == 0, restored.stderr
    done = nexus_command("backup", str(again), account=UNPRIVILEGED)
    assert done.returncode == 0, done.stderr
    assert manifest(again).rows == manifest(archive).rows
    assert {path.stat().st_uid for path in home.rglob("*")} == {UNPRIVILEGED}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["backup", "new.tar"], "nothing to back up"),
        (["backup", "/nowhere/at/all.tar"], "No such file"),
        (["restore", "no-such.tar"], "No such file"),
        (["restore", "/dev/null"], "damaged or no backup"),
    ],
)
def test_what_cannot_be_is_one_line(
    nexus_command: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    command, file = arguments
    path = file if file.startswith("/") else str(tmp_path / file)
    done = nexus_command(command, path)
    assert done.returncode == 1
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
