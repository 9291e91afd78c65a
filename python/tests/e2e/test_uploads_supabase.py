"""Files that go from the browser straight to Supabase Storage, which has limits of its own."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import expect
from pydantic import SecretStr

from tests.e2e.acting import drop_files, row, visit
from tests.e2e.conftest import Person, Watched
from tests.live import LiveNexus, live_nexus
from tests.storage.backends import BUCKET, SERVICE_KEY
from tests.storage.serving import served
from tests.storage.supabase_server import SupabaseServer

pytestmark = pytest.mark.heavy

MIB = 1024 * 1024


@pytest.fixture
def server() -> SupabaseServer:
    return SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET)


@pytest.fixture
def nexus(server: SupabaseServer) -> Iterator[LiveNexus]:
    """A Nexus that keeps files in that storage."""
    with (
        served(server.app) as origin,
        live_nexus(
            storage="supabase",
            supabase_url=f"{origin}/",
            supabase_service_key=SecretStr(SERVICE_KEY),
            supabase_bucket=BUCKET,
        ) as nexus,
    ):
        yield nexus


def pdf(size: int) -> str:
    start = f"%PDF-1.7\n{uuid4().hex}"
    return start + "x" * (size - len(start))


def test_more_than_the_storage_takes_is_told_in_megabytes(
    server: SupabaseServer, page: Watched, person: Person
) -> None:
    server.file_size_limit = MIB
    page.expected_statuses.add(413)
    tab = page.page
    visit(tab)
    drop_files(tab, ("Tides.pdf", pdf(1000)), ("Atlas.pdf", pdf(MIB + 1)))
    panel = tab.get_by_role("region", name="Uploads")
    expect(panel).to_contain_text("Uploaded.")
    expect(panel).to_contain_text("This file is too large; the storage accepts 1 MB.")
    expect(row(tab, "Atlas")).to_have_count(0)
    assert [len(stored.data) for stored in server.objects.values()] == [1000]


def test_a_limit_that_the_storage_does_not_tell_shows_when_it_refuses(
    server: SupabaseServer, page: Watched, person: Person
) -> None:
    server.project_size_limit = MIB
    page.expected_statuses.add(400)
    tab = page.page
    visit(tab)
    drop_files(tab, ("Atlas.pdf", pdf(MIB + 1)))
    panel = tab.get_by_role("region", name="Uploads")
    expect(panel).to_contain_text("This file is too large; the storage accepts less than 2 MB.")
    assert server.objects == {}
