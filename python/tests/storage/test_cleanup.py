import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nexus.storage.cleanup import remove_abandoned_uploads, remove_old_test_runs
from nexus.storage.local import LocalStorage
from nexus.storage.protocol import StorageClient
from nexus.storage.supabase import SupabaseStorage
from nexus.storage.supabase_api import SupabaseApi

from .serving import served
from .supabase_server import Stored, SupabaseServer

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
AGES = {
    "test_runs/old/media/a/original.pdf": timedelta(hours=25),
    "test_runs/old/media/b/original.pdf": timedelta(hours=30),
    "test_runs/active/media/a/original.pdf": timedelta(hours=30),
    "test_runs/active/media/b/original.pdf": timedelta(hours=1),
    "test_runs/just-young-enough/media/a/original.pdf": timedelta(hours=24),
    "media/of-a-user/original.pdf": timedelta(days=900),
}
KEPT = sorted(path for path in AGES if not path.startswith("test_runs/old/"))


def run(client: StorageClient) -> None:
    assert remove_old_test_runs(client, now=NOW) == ["test_runs/old/"]
    assert sorted(found.path for found in client.list_prefix("")) == KEPT
    assert remove_old_test_runs(client, now=NOW) == []


def test_old_test_runs_go_from_the_disk(tmp_path: Path) -> None:
    client = LocalStorage(tmp_path, "secret")
    for path, age in AGES.items():
        with client.pending_upload(path, 1) as pending:
            pending.write(b"x")
            pending.commit()
        written = (NOW - age).timestamp()
        os.utime(tmp_path / path, (written, written))
    run(client)


def test_old_test_runs_go_from_supabase() -> None:
    server = SupabaseServer(service_key="key", bucket="nexus")
    for path, age in AGES.items():
        server.objects[path] = Stored(b"x", "application/pdf", "no-cache", NOW - age)
    with served(server.app) as origin:
        client = SupabaseStorage(SupabaseApi(origin, "key"), "nexus")
        run(client)
        assert remove_abandoned_uploads(client) == 0
        client.close()


@pytest.mark.parametrize(("hours", "removed"), [(1, 0), (3, 1)])
def test_half_written_uploads_go(tmp_path: Path, hours: int, removed: int) -> None:
    client = LocalStorage(tmp_path, "secret")
    client.check()
    leftover = tmp_path / ".tmp" / "x.part"
    leftover.write_bytes(b"half")
    written = (datetime.now(UTC) - timedelta(hours=hours)).timestamp()
    os.utime(leftover, (written, written))
    assert remove_abandoned_uploads(client) == removed
    assert leftover.exists() is (removed == 0)
