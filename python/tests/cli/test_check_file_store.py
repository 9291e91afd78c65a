"""`nexus doctor` on the file store: settings, privacy, types, file size, and a round trip."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.responses import JSONResponse

from nexus.cli.check_file_store import file_store
from nexus.cli.finding import Finding
from nexus.config import Settings
from tests.cli.conftest import Run
from tests.storage.backends import BUCKET, SERVICE_KEY
from tests.storage.serving import served
from tests.storage.supabase_server import SupabaseServer

MIB = 1024 * 1024


@pytest.fixture
def server() -> SupabaseServer:
    return SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET, file_size_limit=100 * MIB)


@pytest.fixture
def settings(
    server: SupabaseServer, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    """An installation on that server, set up right."""
    for name in [name for name in os.environ if name.startswith("NEXUS_")]:
        monkeypatch.delenv(name)
    with served(server.app) as origin:
        yield Settings(
            data_dir=data_dir,
            storage="supabase",
            supabase_url=origin,
            supabase_service_key=SecretStr(SERVICE_KEY),
        )


def changed(settings: Settings, **changes: object) -> Settings:
    return settings.model_copy(update=changes)


def faults(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.state == "broken"]


def test_a_store_set_up_right(settings: Settings, server: SupabaseServer) -> None:
    findings = file_store(settings)
    assert {finding.state for finding in findings} == {"good"}
    assert [finding.part for finding in findings] == [
        "File store",
        "File store, privacy",
        "File store, types",
        "File store, file size",
        "File store, trial",
    ]
    done = [method for method, path in server.requests if "/doctor/" in path or method == "DELETE"]
    # Signed and written, read, deleted, and looked for.
    assert done == ["POST", "PUT", "GET", "DELETE", "GET"]
    assert server.objects == {}


@pytest.mark.parametrize(
    ("change", "text", "fix"),
    [
        ({"supabase_service_key": SecretStr("wrong")}, "key", "NEXUS_SUPABASE_SERVICE_KEY"),
        ({"supabase_bucket": "nowhere"}, "bucket does not exist", "NEXUS_SUPABASE_BUCKET"),
        ({"supabase_url": "/elsewhere"}, "not as a storage service", "NEXUS_SUPABASE_URL"),
    ],
)
def test_a_wrong_setting_is_named(
    settings: Settings, change: dict[str, object], text: str, fix: str
) -> None:
    if "supabase_url" in change:
        change = {"supabase_url": f"{settings.supabase_url}{change['supabase_url']}"}
    (finding,) = file_store(changed(settings, **change))
    assert finding.state == "broken"
    assert text in finding.text
    assert fix in finding.fix
    assert "wrong" not in finding.text


def test_a_store_that_is_away(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    (finding,) = file_store(changed(settings, supabase_url=f"http://127.0.0.1:{port}"))
    assert (finding.state, "could not be reached" in finding.text) == ("broken", True)
    assert "network" in finding.fix


def test_a_public_bucket(settings: Settings, server: SupabaseServer) -> None:
    server.public = True
    (finding,) = faults(file_store(settings))
    assert (finding.part, "Public bucket" in finding.fix) == ("File store, privacy", True)


def test_a_limit_below_ours(settings: Settings, server: SupabaseServer) -> None:
    server.file_size_limit = 50 * MIB
    (finding,) = faults(file_store(settings))
    assert finding.text == "it accepts 50 MB per file, Nexus offers 100 MB per PDF"
    assert "raise the bucket's file size limit to 100 MB" in finding.fix
    server.file_size_limit = 20 * MIB
    (finding,) = faults(file_store(settings))
    assert finding.text.endswith("Nexus offers 100 MB per PDF and 50 MB per EPUB")


def test_a_limit_that_cannot_be_read(settings: Settings, server: SupabaseServer) -> None:
    server.file_size_limit = None
    findings = file_store(settings)
    assert faults(findings) == []
    (unknown,) = [finding for finding in findings if finding.state == "stopped"]
    assert unknown.part == "File store, file size"
    assert "set the bucket's limit to 100 MB" in unknown.fix


@pytest.mark.parametrize(
    ("types", "named"),
    [(["application/pdf"], "EPUB"), (["image/*"], "PDF and EPUB"), (["application/*"], None)],
)
def test_types_the_bucket_does_not_take(
    settings: Settings, server: SupabaseServer, types: list[str], named: str | None
) -> None:
    server.allowed_mime_types = types
    found = [fault for fault in faults(file_store(settings)) if fault.part.endswith("types")]
    assert [fault.text for fault in found] == (
        [f"the bucket does not accept {named} files"] if named else []
    )


def test_pictures_the_bucket_does_not_take(settings: Settings, server: SupabaseServer) -> None:
    server.allowed_mime_types = ["application/*"]
    found = faults(file_store(settings))
    (fault,) = [fault for fault in found if fault.part == "File store, pictures"]
    assert fault.fix == "add to its allowed MIME types: image/*"
    server.allowed_mime_types = ["application/*", "image/*"]
    found = faults(file_store(settings))
    assert not any(fault.part == "File store, pictures" for fault in found)


def test_a_store_that_does_not_keep_what_it_is_given(
    settings: Settings, server: SupabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_limit", lambda: 0)
    (finding,) = faults(file_store(settings))
    assert finding.part == "File store, trial"
    assert "could not be written: the file is too large" in finding.text


def test_a_key_that_may_read_and_not_write(settings: Settings, server: SupabaseServer) -> None:
    body = {"statusCode": "403", "error": "Unauthorized", "code": "AccessDenied", "message": "row"}
    bucket = {"id": BUCKET, "public": False, "file_size_limit": str(100 * MIB)}
    server.failures = [JSONResponse(bucket), JSONResponse(body, 400)]
    (finding,) = faults(file_store(settings))
    assert finding.part == "File store, trial"
    assert "NEXUS_SUPABASE_SERVICE_KEY" in finding.fix


def test_a_local_store(settings: Settings) -> None:
    local = changed(settings, storage="local")
    (finding,) = file_store(local)
    assert finding.state == "stopped"
    assert not local.data_dir.exists()
    folder = local.data_dir / "storage"
    folder.mkdir(parents=True)
    (finding,) = file_store(local)
    assert finding.state == "good"
    (folder / ".tmp").rmdir()
    (folder / ".tmp").touch()
    (finding,) = file_store(local)
    assert finding.state == "broken"
    assert finding.fix


def test_the_command_counts_it(nexus_command: Run, settings: Settings) -> None:
    environment = {
        "NEXUS_STORAGE": "supabase",
        "NEXUS_SUPABASE_URL": str(settings.supabase_url),
        "NEXUS_SUPABASE_SERVICE_KEY": "not-the-key",
    }
    done = nexus_command("doctor", **environment)
    assert done.returncode == 1
    assert "✗ File store: the storage service refuses the service key" in done.stdout
    assert "not-the-key" not in done.stdout + done.stderr
