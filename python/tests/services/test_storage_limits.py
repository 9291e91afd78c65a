"""What a start finds out about a storage that is not ours."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from nexus.config import Settings, get_settings
from nexus.services.storage_limits import warn_of_storage_problems
from tests.live import live_nexus, wait_for
from tests.patience import PATIENCE_SECONDS
from tests.storage.backends import BUCKET, SERVICE_KEY
from tests.storage.serving import served
from tests.storage.supabase_server import SupabaseServer


@pytest.fixture
def server() -> SupabaseServer:
    return SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET)


@pytest.fixture
def settings(server: SupabaseServer) -> Iterator[Settings]:
    with served(server.app) as origin:
        yield get_settings().model_copy(
            update={
                "storage": "supabase",
                "supabase_url": origin,
                "supabase_service_key": SecretStr(SERVICE_KEY),
            }
        )


def logged(settings: Settings) -> list[str]:
    with capture_logs() as lines:
        warn_of_storage_problems(settings).join(PATIENCE_SECONDS)
    return [line["event"] for line in lines]


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(50 << 20, ["storage_limit_below_ours"]), (100 << 20, []), (None, [])],
)
def test_a_limit_below_ours_is_logged(
    settings: Settings, server: SupabaseServer, limit: int | None, expected: list[str]
) -> None:
    server.file_size_limit = limit
    assert logged(settings) == expected


def test_a_store_set_up_wrong_is_logged(settings: Settings, server: SupabaseServer) -> None:
    server.public = True
    assert logged(settings) == ["storage_not_ready"]


def test_the_api_looks_when_it_starts(settings: Settings, server: SupabaseServer) -> None:
    changes = {
        name: getattr(settings, name)
        for name in ("storage", "supabase_url", "supabase_service_key")
    }
    with live_nexus(**changes):
        asked = ("GET", f"/storage/v1/bucket/{BUCKET}")
        wait_for(lambda: asked in server.requests, what="the API asks about the bucket")
