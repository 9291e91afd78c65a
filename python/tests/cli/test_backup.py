"""`nexus backup` and `nexus restore` as an operator runs them, on the embedded database."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from nexus.backup.archive import Manifest, opened_archive
from nexus.backup.create import create_backup
from nexus.storage import get_storage_client
from nexus.storage.supabase import SupabaseStorage
from tests.backup.installations import fill, new_installation
from tests.cli.conftest import Run
from tests.storage.backends import BUCKET, SERVICE_KEY, running_backend

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
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("This archive was not made by this installation")
    assert "--from-elsewhere" in line
    done = nexus_command("restore", str(archive), "--from-elsewhere")
    assert done.returncode == 0, done.stderr
    assert "Restored the backup of" in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith("Warning: this archive is not signed with this installation's key.")
    done = nexus_command("restore", str(archive), "--from-elsewhere")
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
    done = nexus_command("restore", str(again), "--force")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (data_dir / "postgres" / "data" / "postmaster.pid").exists()


@pytest.mark.heavy
def test_without_privileges(nexus_command: Run, archive: Path, data_dir: Path) -> None:
    home = data_dir.parent
    given, again = home / "given.tar", home / "again.tar"
    shutil.copy(archive, given)
    for path in (home, given):
        os.chown(path, UNPRIVILEGED, -1)
    restored = nexus_command("restore", str(given), "--from-elsewhere", account=UNPRIVILEGED)
    assert restored.returncode == 0, restored.stderr
    done = nexus_command("backup", str(again), account=UNPRIVILEGED)
    assert done.returncode == 0, done.stderr
    assert manifest(again).rows == manifest(archive).rows
    assert {path.stat().st_uid for path in home.rglob("*")} == {UNPRIVILEGED}


def test_an_incomplete_archive_is_said_before_anything_else(
    nexus_command: Run, tmp_path: Path
) -> None:
    source = new_installation(tmp_path)
    fill(source)
    lost = next(get_storage_client(source).list_prefix(source.storage_prefix)).path
    get_storage_client(source).delete(lost)
    made = tmp_path / "lacking.tar"
    where = {
        "NEXUS_DATABASE_URL": str(source.database_url),
        "NEXUS_DATA_DIR": str(source.data_dir),
    }
    done = nexus_command("backup", str(made), **where)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[:2] == [
        "The archive is incomplete: 1 of 4 uploaded files could not be read:",
        f"  {lost}: it is not there",
    ]
    assert f"Wrote {made}: " in done.stderr
    restored = nexus_command("restore", str(made), "--from-elsewhere")
    assert (restored.returncode, restored.stdout) == (1, "")
    assert restored.stderr.splitlines()[1:3] == [
        "The archive is incomplete: it was made without 1 of the uploaded files:",
        f"  {lost}",
    ]
    assert "Restored the backup of" in restored.stderr


@pytest.mark.heavy
def test_many_missing_files_are_counted(nexus_command: Run, tmp_path: Path) -> None:
    source = new_installation(tmp_path)
    fill(source, files=15)
    get_storage_client(source).delete_prefix(source.storage_prefix)
    where = {
        "NEXUS_DATABASE_URL": str(source.database_url),
        "NEXUS_DATA_DIR": str(source.data_dir),
    }
    done = nexus_command("backup", str(tmp_path / "lacking.tar"), **where)
    lines = done.stderr.splitlines()
    assert "30 of 30 uploaded files" in lines[0]
    assert lines[21] == "  and 10 more"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"NEXUS_SUPABASE_SERVICE_KEY": "hush"}, "refuses the service key"),
        pytest.param(
            {"NEXUS_SUPABASE_BUCKET": "nowhere"}, "bucket does not exist", marks=pytest.mark.heavy
        ),
    ],
)
def test_a_store_that_cannot_be_read_is_not_missing_files(
    nexus_command: Run, tmp_path: Path, change: dict[str, str], said: str
) -> None:
    with running_backend("supabase", tmp_path) as backend:
        on_supabase: dict[str, Any] = {
            "storage": "supabase",
            "storage_prefix": backend.prefix,
            "supabase_url": backend.origin,
            "supabase_service_key": SecretStr(SERVICE_KEY),
            "supabase_bucket": BUCKET,
        }
        source = new_installation(tmp_path, **on_supabase)
        fill(source)
        client = get_storage_client(source)
        assert isinstance(client, SupabaseStorage)
        client.close()
        made = tmp_path / "none.tar"
        environment = {
            "NEXUS_DATABASE_URL": str(source.database_url),
            "NEXUS_STORAGE": "supabase",
            "NEXUS_STORAGE_PREFIX": backend.prefix,
            "NEXUS_SUPABASE_URL": backend.origin,
            "NEXUS_SUPABASE_SERVICE_KEY": SERVICE_KEY,
            **change,
        }
        done = nexus_command("backup", str(made), **environment)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("The file store cannot be used: ")
    assert said in line
    assert next(iter(change)) in line
    assert line.endswith("No archive was written.")
    assert "hush" not in line
    assert not made.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["backup", "new.tar"], "nothing to back up"),
        pytest.param(["backup", "/nowhere/at/all.tar"], "No such file", marks=pytest.mark.heavy),
        pytest.param(["restore", "no-such.tar"], "No such file", marks=pytest.mark.heavy),
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
