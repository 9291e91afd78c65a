"""A change must come from a page of this very site."""

from dataclasses import dataclass, field

import httpx
import pytest
from sqlalchemy.orm import Session

from tests.bad_bodies import nothing_changes
from tests.live import LiveNexus

OURS = "{origin}"


@dataclass(frozen=True)
class Case:
    """Headers of a request with a valid cookie, and whether it may change something."""

    name: str
    allowed: bool
    headers: dict[str, str] = field(default_factory=dict)


CASES = [
    Case("our origin", True, {"Origin": OURS}),
    Case("our origin, says same-origin", True, {"Origin": OURS, "Sec-Fetch-Site": "same-origin"}),
    Case("no origin, says same-origin", True, {"Sec-Fetch-Site": "same-origin"}),
    Case("a bearer token, no origin", True, {"Authorization": "Bearer nxs_x"}),
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
    Case("localhost is another host", False, {"Origin": "http://localhost:{port}"}),
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
            if not (case.allowed and path.endswith("logout"))
            and is_refused(browser.request(method, path, headers=headers))
        }
    expected = set() if case.allowed else {f"{method} {path}" for method, path in TARGETS}
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


def test_host_the_browser_really_used(nexus: LiveNexus) -> None:
    """Without a public URL any name of the machine works, as long as page and target agree."""
    port = nexus.settings.port
    headers = {"Origin": f"http://localhost:{port}", "Host": f"localhost:{port}"}
    with nexus.browser() as browser:
        assert browser.post("/auth/logout", headers=headers).status_code == 204
