"""A change must come from a page of this very site."""

import socket
from dataclasses import dataclass, field
from types import SimpleNamespace

import httpx
import psutil
import pytest
from sqlalchemy.orm import Session

from nexus.bff.addresses import OwnAddresses
from nexus.config import Settings
from tests.bad_bodies import nothing_changes
from tests.live import LiveNexus

OURS = "{origin}"


@dataclass(frozen=True)
class Case:
    """Headers of a request with a valid cookie, and whether it may change something."""

    name: str
    allowed: bool
    headers: dict[str, str] = field(default_factory=dict)
    only: str = "/"
    """The paths it is allowed on."""


CASES = [
    Case("our origin", True, {"Origin": OURS}),
    Case("our origin, says same-origin", True, {"Origin": OURS, "Sec-Fetch-Site": "same-origin"}),
    Case("no origin, says same-origin", True, {"Sec-Fetch-Site": "same-origin"}),
    Case("localhost, which is this machine", True, {"Origin": "http://localhost:{port}"}),
    Case("a bearer token, no origin", True, {"Authorization": "Bearer nxs_x"}, only="/api/"),
    Case(
        "a bearer token from another site",
        True,
        {"Authorization": "Bearer nxs_x", "Origin": "https://evil.example"},
        only="/api/",
    ),
    Case("nothing", False),
    Case("null", False, {"Origin": "null"}),
    Case("empty origin", False, {"Origin": ""}),
    Case("another site", False, {"Origin": "https://evil.example"}),
    Case("another port", False, {"Origin": "http://127.0.0.1:1"}),
    Case("no port", False, {"Origin": "http://127.0.0.1"}),
    Case("another scheme", False, {"Origin": "https://127.0.0.1:{port}"}),
    Case("prefix of ours", False, {"Origin": OURS + ".evil.example"}),
    Case("ours as user", False, {"Origin": "http://127.0.0.1:{port}@evil.example"}),
    Case("a path after ours", False, {"Origin": OURS + "/"}),
    Case("localhost, another port", False, {"Origin": "http://localhost:1"}),
    Case("same-site", False, {"Sec-Fetch-Site": "same-site"}),
    Case("cross-site", False, {"Sec-Fetch-Site": "cross-site"}),
    Case("typed by hand", False, {"Sec-Fetch-Site": "none"}),
    Case(
        "another site that claims same-origin",
        False,
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    ),
    Case("only a referrer", False, {"Referer": OURS + "/"}),
    Case("basic authorization", False, {"Authorization": "Basic eDp5"}),
    Case("bearer without a token", False, {"Authorization": "Bearer"}),
    Case("forwarded host", False, {"Origin": "http://evil", "X-Forwarded-Host": "evil"}),
]
TARGETS = [
    ("POST", "/api/libraries"),
    ("PATCH", "/api/libraries/x"),
    ("PUT", "/api/x"),
    ("DELETE", "/api/libraries/x"),
    ("POST", "/auth/login"),
    ("POST", "/auth/signup"),
    ("POST", "/auth/logout"),
    ("POST", "/auth/tokens"),
    ("DELETE", "/auth/tokens/x"),
    ("POST", "/somewhere/new"),
    ("POST", "/%61uth/logout"),
]


@pytest.fixture(scope="module")
def cookie(nexus: LiveNexus) -> str:
    with nexus.signed_up() as browser:
        return browser.cookies["nexus_session"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mutation(nexus: LiveNexus, session: Session, cookie: str, case: Case) -> None:
    port = str(nexus.settings.port)
    headers = {
        name: value.replace("{origin}", nexus.origin).replace("{port}", port)
        for name, value in case.headers.items()
    }
    headers["Cookie"] = f"nexus_session={cookie}"
    with httpx.Client(base_url=nexus.origin) as browser, nothing_changes(session):
        refused = {
            f"{method} {path}"
            for method, path in TARGETS
            # A bare logout is the only one that would do something here.
            if not (case.allowed and path.endswith("logout") and case.only == "/")
            and is_refused(browser.request(method, path, headers=headers))
        }
    expected = {
        f"{method} {path}"
        for method, path in TARGETS
        if not (case.allowed and path.startswith(case.only))
    }
    assert refused == expected


def is_refused(answer: httpx.Response) -> bool:
    if answer.status_code != 403:
        return False
    assert answer.json()["error"]["code"] == "E_CSRF"
    return True


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_needs_no_origin(nexus: LiveNexus, method: str) -> None:
    with nexus.signed_up() as browser:
        browser.headers["Origin"] = "https://evil.example"
        for path in ("/api/me", "/auth/session", "/auth/config"):
            assert browser.request(method, path).status_code != 403


def test_no_cross_origin_reading_is_offered(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        browser.headers["Origin"] = "https://evil.example"
        for answer in (
            browser.get("/api/me"),
            browser.options("/api/me", headers={"Access-Control-Request-Method": "POST"}),
        ):
            assert not [name for name in answer.headers if name.startswith("access-control")]


# Names under which a request arrives, and whether it reaches anything.
HOSTS = {
    "127.0.0.1:{port}": True,
    "localhost:{port}": True,
    "LocalHost:{port}": True,
    "[::1]:{port}": True,
    "localhost": True,
    "rebound.example": False,
    "rebound.example:{port}": False,
    "127.0.0.1.rebound.example:{port}": False,
    "localhost.rebound.example": False,
    "127.0.0.1:{port}@rebound.example": False,
    "10.0.0.1:{port}": False,
    "0.0.0.0:{port}": False,
    "": False,
}
EVERYWHERE = [
    "/",
    "/api/me",
    "/auth/session",
    "/auth/config",
    "/storage/x",
    "/assets/x",
    "/metrics",
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_name_that_is_not_ours_reaches_nothing(nexus: LiveNexus, host: str) -> None:
    """Its own pages would be of the same origin, so even reading is refused."""
    named = host.format(port=nexus.settings.port)
    with nexus.signed_up() as browser:
        answers = [
            browser.get(path, headers={"Host": named, "Origin": f"http://{named.lower()}"})
            for path in EVERYWHERE
        ]
        codes = [_code(answer) for answer in answers]
        post = browser.post(
            "/auth/logout", headers={"Host": named, "Origin": f"http://{named.lower()}"}
        )
        health = browser.get("/healthz", headers={"Host": named})
    assert (codes == ["E_UNKNOWN_HOST"] * len(EVERYWHERE)) is not HOSTS[host]
    assert "E_UNKNOWN_HOST" not in codes or not HOSTS[host]
    assert (post.status_code == 204) is (HOSTS[host] and named.endswith(f":{nexus.settings.port}"))
    assert health.status_code == 200


def _code(answer: httpx.Response) -> str | None:
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    error = answer.json().get("error") if is_json and answer.is_error else None
    return error["code"] if error else None


@pytest.mark.parametrize(
    ("settings", "host", "origin", "known"),
    [
        ({"public_url": "https://nexus.example.org"}, "nexus.example.org", None, True),
        ({"public_url": "https://nexus.example.org"}, "NEXUS.example.org", None, True),
        ({"public_url": "https://nexus.example.org"}, "other.example.org", None, False),
        ({"public_url": "https://nexus.example.org:8443"}, "nexus.example.org", None, True),
        ({"public_url": "https://nexus.example.org"}, "127.0.0.1:8420", None, True),
        ({"public_url": "https://nexus.example.org"}, None, "https://nexus.example.org", True),
        ({"public_url": "https://nexus.example.org"}, None, "http://nexus.example.org", False),
        ({"public_url": "https://nexus.example.org"}, None, "http://127.0.0.1:8420", False),
        ({"host": "0.0.0.0"}, "{own}:8420", None, True),
        ({"host": "::"}, "{own}", None, True),
        ({"host": "0.0.0.0"}, "198.51.100.7:8420", None, False),
        ({"host": "0.0.0.0"}, "nas.example.org:8420", None, False),
        ({"host": "0.0.0.0"}, None, "http://{own}:8420", True),
        ({"host": "0.0.0.0"}, None, "http://{own}:8421", False),
        ({"host": "0.0.0.0"}, None, "https://{own}:8420", False),
        ({"host": "0.0.0.0"}, None, "http://198.51.100.7:8420", False),
        ({"host": "0.0.0.0"}, None, "http://198.51.100.7:8420@{own}:8420", False),
        ({}, "{own}:8420", None, False),
    ],
)
def test_own_addresses(
    settings: dict[str, str],
    host: str | None,
    origin: str | None,
    known: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = "192.0.2.9"
    card = SimpleNamespace(family=socket.AF_INET, address=address)
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {"eth0": [card]})
    own = OwnAddresses(Settings(_env_file=None, port=8420, **{"host": "127.0.0.1", **settings}))  # type: ignore[arg-type]
    if host is not None:
        assert own.knows_host(host.format(own=address)) is known
    if origin is not None:
        assert own.knows_origin(origin.format(own=address)) is known
