"""Security headers on everything the BFF sends."""

import httpx
import pytest

from tests.live import LiveNexus

ANSWERS = [
    ("GET", "/", {}),
    ("GET", "/some/client/route", {}),
    ("GET", "/assets/missing.js", {}),
    ("GET", "/healthz", {}),
    ("GET", "/readyz", {}),
    ("GET", "/auth/config", {}),
    ("GET", "/auth/session", {}),
    ("GET", "/api/me", {}),
    ("POST", "/auth/login", {}),
    ("POST", "/auth/login", {"Origin": "https://evil.example"}),
    ("PUT", "/healthz", {}),
    ("GET", "/openapi.json", {}),
    ("GET", "/api/openapi.json", {"Authorization": "Bearer x.y.z"}),
]


@pytest.mark.parametrize(("method", "path", "headers"), ANSWERS)
def test_every_answer(nexus: LiveNexus, method: str, path: str, headers: dict[str, str]) -> None:
    with nexus.browser() as browser:
        assert_secure(browser.request(method, path, headers=headers))


def assert_secure(answer: httpx.Response) -> None:
    headers = answer.headers
    policy = dict(
        part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["content-security-policy"]
    assert "*" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "x-request-id" in headers


def test_signed_in_answers_too(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        for path in ("/api/me", "/api/libraries", "/api/nothing", "/auth/session", "/auth/tokens"):
            assert_secure(browser.get(path))
        assert_secure(browser.post("/auth/logout"))


def test_too_large_too(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        answer = browser.post("/auth/login", content=b"x" * 2_000_000)
    assert answer.status_code == 413
    assert_secure(answer)


@pytest.mark.parametrize("header", ["content-security-policy", "x-content-type-options"])
def test_each_header_comes_once(nexus: LiveNexus, header: str) -> None:
    with nexus.signed_up() as browser:
        assert len(browser.get("/api/me").headers.get_list(header)) == 1
