"""What goes wrong on our side: told in the envelope, logged without secrets."""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from bench.ports import free_port
from psycopg.errors import DiskFull
from sqlalchemy import create_engine
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import sessionmaker

from nexus.api.app import create_app as create_api
from nexus.bff.app import create_app as create_bff
from nexus.config import get_settings
from nexus.storage.errors import StorageFull, WrongKey
from tests.bff.test_headers import assert_secure
from tests.live import serving

MAKERS = {"api": create_api, "bff": create_bff}


@pytest.fixture(params=MAKERS)
def broken(request: pytest.FixtureRequest) -> Iterator[tuple[str, httpx.Client]]:
    """A real server with two routes that fail in ways nobody foresaw."""
    app = MAKERS[request.param](get_settings())

    def fail(secret: str) -> None:
        password = "local-variable-" + secret
        if password == "x":
            return
        raise RuntimeError("something broke")

    def conflict(secret: str) -> None:
        raise IntegrityError("INSERT", {"secret": secret}, Exception("duplicate key"))

    # Before the page that the front serves for every other address.
    for path, endpoint in (("/auth/fail/{secret}", fail), ("/auth/conflict/{secret}", conflict)):
        app.add_api_route(path, endpoint)
        app.router.routes.insert(0, app.router.routes.pop())
    port = free_port()
    with serving(app, host="127.0.0.1", port=port):
        headers = {"X-Nexus-Internal": "test-internal-secret"}
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers) as client:
            yield request.param, client


@pytest.mark.parametrize("kind", ["fail", "conflict"])
def test_unexpected_error(
    broken: tuple[str, httpx.Client], logged: list[dict[str, Any]], kind: str
) -> None:
    name, client = broken
    secret = uuid4().hex
    answer = client.get(f"/auth/{kind}/{secret}")
    assert answer.status_code == 500
    error = answer.json()["error"]
    assert error["code"] == "E_INTERNAL"
    assert error["request_id"] == answer.headers["x-request-id"]
    for told in (secret, "something broke", "duplicate", "Traceback", ".py"):
        assert told not in answer.text
    (line,) = [line for line in logged if line["event"] == "unexpected_error"]
    assert line["request_id"] == error["request_id"]
    if name == "bff":
        assert_secure(answer)


FULL_DISKS: dict[str, Exception] = {
    "database": OperationalError("INSERT", {}, DiskFull("could not extend file")),
    "storage": StorageFull("the disk of the storage folder is full"),
    "cache": OSError(errno.ENOSPC, "No space left on device"),
    "quota": OSError(errno.EDQUOT, "Disk quota exceeded"),
}


@pytest.mark.parametrize("where", FULL_DISKS)
@pytest.mark.parametrize("name", MAKERS)
def test_a_full_disk_is_told_in_words(name: str, where: str) -> None:
    app = MAKERS[name](get_settings())

    def fail() -> None:
        raise FULL_DISKS[where]

    app.add_api_route("/auth/fail", fail)
    app.router.routes.insert(0, app.router.routes.pop())
    port = free_port()
    with serving(app, host="127.0.0.1", port=port):
        headers = {"X-Nexus-Internal": "test-internal-secret"}
        answer = httpx.get(f"http://127.0.0.1:{port}/auth/fail", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "E_STORAGE_FULL")
    assert "free some space" in answer.json()["error"]["message"]


def test_a_storage_set_up_wrong_is_nothing_to_try_again() -> None:
    app = create_api(get_settings())

    def fail() -> None:
        raise WrongKey("the storage service refuses the service key")

    app.add_api_route("/fail", fail)
    port = free_port()
    with serving(app, host="127.0.0.1", port=port):
        headers = {"X-Nexus-Internal": "test-internal-secret"}
        answer = httpx.get(f"http://127.0.0.1:{port}/fail", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "E_UNAVAILABLE")
    assert "nexus doctor" in answer.json()["error"]["message"]


def test_database_away(tmp_path: Path) -> None:
    app = create_api(get_settings())
    nowhere = create_engine(f"postgresql+psycopg://x@/x?host={tmp_path}")
    app.state.session_factory = sessionmaker(nowhere)
    port = free_port()
    headers = {"X-Nexus-Internal": "test-internal-secret"}
    with (
        serving(app, host="127.0.0.1", port=port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers) as client,
    ):
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["error"]["code"]) == (503, "E_UNAVAILABLE")
        assert ready.headers["retry-after"] == "5"
        assert client.get("/healthz").status_code == 200
        # Who asks is checked without the database; what they ask for is not there.
        assert client.get("/me").status_code == 401
        assert ready.json()["error"]["message"] == "The database cannot be reached."
