"""One request id from the browser's request through the API to its logs and answers."""

from typing import Any
from uuid import uuid4

import pytest

from tests.live import LiveNexus, wait_for

WELL_FORMED = ["abcdefgh", "A-b_0" * 12, "0" * 32, "00000000-0000-4000-8000-000000000000"]
MALFORMED = [
    "",
    "short",
    "x" * 65,
    "has space here",
    "new\tline-abc",
    'quote"quote',
    "é" * 10,
    "a;b;c;d;",
]


@pytest.mark.parametrize("given", WELL_FORMED)
def test_a_well_formed_id_is_taken_over(nexus: LiveNexus, given: str) -> None:
    with nexus.browser() as browser:
        answer = browser.get("/auth/session", headers={"X-Request-ID": given})
    assert answer.headers["x-request-id"] == given
    assert answer.json()["error"]["request_id"] == given


@pytest.mark.parametrize("given", MALFORMED)
def test_a_malformed_id_is_replaced(nexus: LiveNexus, given: str) -> None:
    with nexus.browser() as browser:
        answer = browser.get("/auth/session", headers=[(b"X-Request-ID", given.encode())])
    made = answer.headers["x-request-id"]
    assert made != given
    assert len(made) == 32
    assert answer.json()["error"]["request_id"] == made


def test_every_request_has_its_own(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        ids = {browser.get("/healthz").headers["x-request-id"] for _ in range(5)}
    assert len(ids) == 5


def test_one_id_in_both_logs_and_the_answer(nexus: LiveNexus, logged: list[dict[str, Any]]) -> None:
    given = uuid4().hex
    with nexus.signed_up() as browser:
        path = f"/api/libraries/{uuid4()}"
        answer = browser.get(path, headers={"X-Request-ID": given})
    assert answer.status_code == 404
    assert answer.json()["error"]["request_id"] == given
    assert answer.headers.get_list("x-request-id") == [given]

    def requests() -> dict[str, int]:
        """Paths and statuses logged for this id; a line is written after its answer is sent."""
        lines = [line for line in logged if line.get("request_id") == given]
        return {line["path"]: line["status"] for line in lines if line["event"] == "request"}

    wait_for(lambda: len(requests()) == 2)
    assert requests() == {path: 404, path.removeprefix("/api"): 404}


def test_health_checks_are_not_logged(nexus: LiveNexus, logged: list[dict[str, Any]]) -> None:
    with nexus.browser() as browser:
        browser.get("/healthz")
        browser.get("/readyz")
        browser.get("/auth/config")

    def paths() -> set[str]:
        return {line["path"] for line in logged if line["event"] == "request"}

    wait_for(lambda: "/auth/config" in paths())
    assert not {"/healthz", "/readyz"} & paths()


def test_secrets_are_not_logged(nexus: LiveNexus, logged: list[dict[str, Any]]) -> None:
    password = f"secret-{uuid4().hex}"
    email = f"{uuid4().hex}@example.org"
    with nexus.browser() as browser:
        browser.post("/auth/signup", json={"email": email, "password": password})
        browser.post("/auth/login", json={"email": email, "password": password + "x"})
        token = browser.post("/auth/tokens", json={"name": "x"}).json()["data"]["secret"]
        browser.get("/api/me?token=" + token)
        for bearer in (token, token[:-1] + "!", "not.a.token"):
            browser.get("/api/me", headers={"Authorization": f"Bearer {bearer}"})
        cookie = browser.cookies["nexus_session"]
        browser.post("/auth/logout")
    events = {line["event"] for line in logged}
    assert {"signed_up", "sign_in_failed", "api_token_created", "signed_out"} <= events
    assert {"api_token_used", "api_token_refused", "bearer_refused"} <= events
    everything = repr(logged)
    for secret in (password, token, token[:-1], cookie):
        assert secret not in everything
