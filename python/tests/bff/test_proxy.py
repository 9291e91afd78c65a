"""`/api/*`: what passes in either direction, and what does not."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import jwt
import pytest
import uvicorn

from nexus.bff.lanes import KEEPALIVE_SECONDS
from tests.bff.echo import CHUNKS, front_of_echo
from tests.bff.test_api_tokens import create
from tests.live import LiveNexus


@pytest.fixture(scope="module")
def echo() -> Iterator[LiveNexus]:
    with front_of_echo() as live:
        yield live


@pytest.fixture(scope="module")
def browser(echo: LiveNexus) -> Iterator[httpx.Client]:
    with echo.signed_up() as client:
        yield client


def seen(browser: httpx.Client, target: str, **more: Any) -> dict[str, Any]:
    """What reached the API of a request for this very target, byte for byte."""
    request = browser.build_request(
        "GET", "/", extensions={"target": target.encode("latin-1")}, **more
    )
    answer = browser.send(request)
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


def test_what_reaches_the_api(echo: LiveNexus, browser: httpx.Client) -> None:
    hostile = {
        "X-Nexus-Internal": "forged",
        "X-Forwarded-For": "1.2.3.4",
        "X-User-Id": "admin",
        "X-Custom": "1",
        "Accept": "application/json",
        "If-None-Match": '"tag"',
        "Accept-Encoding": "gzip",
    }
    headers = seen(browser, "/api/x", headers=hostile)["headers"]
    assert set(headers) == {
        "host",
        "connection",
        "user-agent",
        "accept",
        "accept-encoding",
        "if-none-match",
        "authorization",
        "x-request-id",
        "x-nexus-internal",
    }
    assert echo.settings.internal_secret is not None
    assert headers["x-nexus-internal"] == echo.settings.internal_secret.get_secret_value()
    assert headers["accept-encoding"] == "identity"


def test_the_bearer_is_minted_for_the_person(echo: LiveNexus, browser: httpx.Client) -> None:
    person = browser.get("/auth/session").json()["data"]["user"]
    _, secret = create(browser)
    plain = httpx.Client(base_url=echo.origin, headers={"Authorization": f"Bearer {secret}"})
    with plain as script:
        for client in (browser, script):
            token = seen(client, "/api/x")["headers"]["authorization"].removeprefix("Bearer ")
            claims = jwt.decode(token, options={"verify_signature": False})
            assert (claims["sub"], claims["email"]) == (person["id"], person["email"])
            assert secret not in token


def test_an_issuers_own_token_passes_as_it_is(echo: LiveNexus) -> None:
    with httpx.Client(base_url=echo.origin, headers={"Authorization": "Bearer a.b.c"}) as client:
        assert seen(client, "/api/x")["headers"]["authorization"] == "Bearer a.b.c"


@pytest.mark.parametrize(
    ("target", "raw_path"),
    [
        ("/api/libraries", "/libraries"),
        ("/api/", "/"),
        ("/api/a/../b", "/a/../b"),
        ("/api/../auth/session", "/../auth/session"),
        ("/api/%2e%2e/x", "/%2e%2e/x"),
        ("/api/a%2fb", "/a%2fb"),
        ("/api/a%252fb", "/a%252fb"),
        ("/api//x", "//x"),
        ("/api//evil.example/x", "//evil.example/x"),
        ("/api///x", "///x"),
        ("/api/x//", "/x//"),
        ("/api/%00", "/%00"),
        ("/api/%ff%fe", "/%ff%fe"),
        ("/api/%C3%A9", "/%C3%A9"),
        ("/api/a;b=c", "/a;b=c"),
        ("/api/a%3Fb", "/a%3Fb"),
        ("/api/@evil.example:80/", "/@evil.example:80/"),
        ("/api/:80", "/:80"),
        ("/api/http://evil.example/", "/http://evil.example/"),
        ("/api/a\\b", "/a\\b"),
        ("/api/api/x", "/api/x"),
    ],
)
def test_the_path_is_forwarded_byte_for_byte(
    browser: httpx.Client, target: str, raw_path: str
) -> None:
    assert seen(browser, target)["raw_path"] == raw_path


@pytest.mark.parametrize(
    "query",
    [
        "a=1&b=2",
        "a=1&a=2",
        "url=https%3A%2F%2Fexample.org%2F%3Fq%3D1%26r%3D2",
        "q=a+b%20c",
        "q=%E2%9C%93",
        "q='\"<>\\^`{|}",
        "q=%",
        "q=%zz",
        "?",
        "&&==",
        "a=/../b",
        "x" * 4000,
    ],
)
def test_the_query_is_forwarded_byte_for_byte(browser: httpx.Client, query: str) -> None:
    assert seen(browser, f"/api/x?{query}")["query"] == query


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_bodies_pass(browser: httpx.Client, method: str) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = browser.request(method, "/api/x", content=b'{"a": "\xc3\xa9"}', headers=headers)
    reached = answer.json()
    assert (reached["method"], reached["body"]) == (method, '{"a": "\xc3\xa9"}')
    assert reached["headers"]["content-type"] == headers["Content-Type"]
    assert reached["headers"]["content-length"] == "11"


def test_what_reaches_the_browser(browser: httpx.Client) -> None:
    headers = browser.get("/api/x").headers
    assert (headers["etag"], headers["cache-control"]) == ('"tag"', "no-store")
    for name in (
        "set-cookie",
        "authorization",
        "x-nexus-internal",
        "access-control-allow-origin",
        "location",
        "x-powered-by",
    ):
        assert name not in headers
    assert "secret-server" not in str(headers)


@pytest.mark.parametrize(("path", "status"), [("teapot", 418), ("empty", 204), ("unchanged", 304)])
def test_statuses_pass(browser: httpx.Client, path: str, status: int) -> None:
    answer = browser.get(f"/api/{path}")
    assert answer.status_code == status
    assert bool(answer.content) == (status == 418)


def test_answers_stream(browser: httpx.Client) -> None:
    with browser.stream("GET", "/api/stream") as answer:
        assert b"".join(answer.iter_raw()) == b"".join(CHUNKS)


def test_head_has_no_body(browser: httpx.Client) -> None:
    answer = browser.head("/api/x")
    assert (answer.status_code, answer.content) == (200, b"")


def test_nobody_passes_unsigned(echo: LiveNexus) -> None:
    with echo.browser() as anonymous:
        answer = anonymous.get("/api/x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "E_UNAUTHENTICATED")


@pytest.mark.parametrize("target", ["/api", "/API/x", "/%61pi/x", "/./api/x", "//api/x"])
def test_other_spellings_of_the_prefix_reach_nothing(browser: httpx.Client, target: str) -> None:
    request = browser.build_request("GET", "/", extensions={"target": target.encode()})
    answer = browser.send(request)
    reached = answer.headers.get("content-type") == "application/json" and answer.is_success
    assert not reached or answer.json()["raw_path"] == target


@pytest.mark.parametrize("path", ["/api/libraries", "/auth/login", "/somewhere"])
@pytest.mark.parametrize("chunked", [False, True], ids=["announced", "chunked"])
def test_ten_megabytes(nexus: LiveNexus, path: str, chunked: bool) -> None:
    piece = b"x" * 100_000
    with nexus.signed_up() as browser:
        body: Any = (piece for _ in range(100)) if chunked else piece * 100
        answer = browser.post(path, content=body, headers={"Content-Type": "application/json"})
        if path == "/somewhere" and chunked:
            # Nothing reads a body there, so nothing has to count it.
            assert answer.status_code == 405
            return
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "E_REQUEST_TOO_LARGE")
        assert browser.get("/auth/session").status_code == 200


@pytest.mark.parametrize("api_url", ["unix:/nonexistent/api.sock", "http://127.0.0.1:9"])
def test_api_down(api_url: str) -> None:
    with front_of_echo(api_url=api_url) as nexus, nexus.signed_up() as browser:
        answer = browser.get("/api/me")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "E_UNAVAILABLE")
        assert "retry-after" in answer.headers
        assert browser.get("/auth/session").status_code == 200
        ready = browser.get("/readyz")
        assert (ready.status_code, ready.json()["error"]["code"]) == (503, "E_UNAVAILABLE")
        assert browser.get("/healthz").status_code == 200


def test_the_front_lets_go_of_idle_connections_before_the_api_does() -> None:
    """The API must not close one that a request is just taking."""
    patience = uvicorn.Config("apps.api.main:app").timeout_keep_alive
    assert patience - KEEPALIVE_SECONDS >= 3


def test_clients_that_leave_early_use_nothing_up(nexus: LiveNexus) -> None:
    """More of them than the pool to the API has connections."""
    with nexus.signed_up() as browser:
        request = (
            f"GET /api/libraries HTTP/1.1\r\nHost: {nexus.origin[7:]}\r\n"
            f"Cookie: nexus_session={browser.cookies['nexus_session']}\r\n\r\n"
        ).encode()

        def leave(_number: int) -> None:
            with socket.create_connection(("127.0.0.1", nexus.settings.port), 10) as connection:
                connection.sendall(request)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(leave, range(250)))
        assert browser.get("/api/me").status_code == 200
