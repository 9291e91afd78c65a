"""Only the BFF, which knows the internal secret, may call the API."""

from uuid import uuid4

import httpx
import pytest

from nexus.config import get_settings
from tests.api.openapi_routes import Route, all_routes
from tests.live import LiveNexus, live_nexus

WRONG = ["", "wrong", "test-internal-secre", "test-internal-secret2", "TEST-INTERNAL-SECRET", "é"]
GUARDED = [route for route in all_routes() if route.path not in {"/healthz", "/readyz"}]


def without_secret(nexus: LiveNexus) -> httpx.Client:
    """Signed in, but not the BFF."""
    client = nexus.api(uuid4())
    del client.headers["X-Nexus-Internal"]
    return client


def assert_refused(answer: httpx.Response) -> None:
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "E_INTERNAL_ONLY"
    assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize("given", WRONG)
def test_wrong_secret(nexus: LiveNexus, given: str) -> None:
    with without_secret(nexus) as api:
        assert_refused(api.get("/me", headers=[(b"X-Nexus-Internal", given.encode())]))


@pytest.mark.parametrize("route", GUARDED, ids=str)
def test_missing_secret_on_every_route(nexus: LiveNexus, route: Route) -> None:
    """Before authentication, validation and routing: nothing else is ever said."""
    url = route.path.replace("{", "").replace("}", "")
    with without_secret(nexus) as api:
        assert_refused(api.request(route.method, url, content=b"not json"))


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("GET", "/no-such-route"),
        ("GET", "/openapi.json"),
        ("GET", "/docs"),
        ("PUT", "/me"),
        ("GET", "/healthz/"),
        ("GET", "//healthz"),
        ("GET", "/healthz/../me"),
    ],
)
def test_missing_secret_elsewhere(nexus: LiveNexus, method: str, url: str) -> None:
    with without_secret(nexus) as api:
        request = api.build_request(method, "/", extensions={"target": url.encode()})
        assert_refused(api.send(request))


def test_missing_secret_comes_before_the_size_of_the_body(nexus: LiveNexus) -> None:
    with without_secret(nexus) as api:
        assert_refused(api.post("/libraries", content=b"x" * 2_000_000))


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_needs_no_secret(nexus: LiveNexus, path: str) -> None:
    with without_secret(nexus) as api:
        data = api.get(path, headers={"Authorization": ""}).json()["data"]
        assert data["status"] == "ok"


def test_no_secret_set_means_no_gate() -> None:
    assert get_settings().internal_secret is not None
    with (
        live_nexus(internal_secret=None) as nexus,
        httpx.Client(
            transport=httpx.HTTPTransport(uds=str(nexus.api_socket)), base_url="http://api"
        ) as api,
    ):
        assert api.get("/me").status_code == 401
