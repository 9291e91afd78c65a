"""Personal API tokens: shown once, stored hashed, revocable, good for /api alone."""

from uuid import uuid4

import httpx
import pytest
from sqlalchemy import text, update
from sqlalchemy.orm import Session

from nexus.db.models import ApiToken
from nexus.services.api_tokens import MAX_TOKENS
from tests.live import NO_CERTIFICATES, LiveNexus
from tests.patience import PATIENCE_SECONDS


def create(browser: httpx.Client, name: str = "script") -> tuple[str, str]:
    """Id and secret of a new token."""
    answer = browser.post("/auth/tokens", json={"name": name})
    assert answer.status_code == 201, answer.text
    data = answer.json()["data"]
    return data["token"]["id"], data["secret"]


def with_token(nexus: LiveNexus, secret: str) -> httpx.Client:
    """A script: no cookie, no origin."""
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.Client(
        base_url=nexus.origin, headers=headers, timeout=PATIENCE_SECONDS, verify=NO_CERTIFICATES
    )


def test_token_speaks_for_its_owner(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        _, secret = create(browser)
        me = browser.get("/api/me").json()
        with with_token(nexus, secret) as script:
            assert script.get("/api/me").json() == me
            # A change without an Origin: a bearer token is nothing a browser adds by itself.
            assert script.post("/api/libraries", json={"name": "By script"}).status_code == 201


def test_secret_is_shown_once_and_stored_hashed(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        token_id, secret = create(browser, "laptop")
        assert secret.startswith("nxs_")
        assert len(secret) >= 47
        listed = browser.get("/auth/tokens")
    (token,) = listed.json()["data"]["tokens"]
    assert (token["id"], token["name"]) == (token_id, "laptop")
    assert token["prefix"] == secret[:8]
    assert token["last_used_at"] is None
    assert secret not in listed.text
    rows = session.scalars(text("SELECT api_tokens::text FROM api_tokens")).all()
    assert not any(secret in row for row in rows)


def test_use_is_noted_once_a_minute(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        token_id, secret = create(browser)
        with with_token(nexus, secret) as script:

            def used_at() -> str:
                script.get("/api/me")
                moment: str = browser.get("/auth/tokens").json()["data"]["tokens"][0][
                    "last_used_at"
                ]
                return moment

            first = used_at()
            assert first is not None
            assert used_at() == first
            old = text("now() - interval '2 minutes'")
            change = update(ApiToken).where(ApiToken.id == token_id).values(last_used_at=old)
            session.execute(change)
            session.commit()
            assert used_at() > first


def test_revoking_works_at_once(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        token_id, secret = create(browser)
        _, kept = create(browser)
        with with_token(nexus, secret) as script, with_token(nexus, kept) as other:
            assert script.get("/api/me").status_code == 200
            assert browser.delete(f"/auth/tokens/{token_id}").status_code == 204
            assert script.get("/api/me").status_code == 401
            assert other.get("/api/me").status_code == 200
        assert browser.delete(f"/auth/tokens/{token_id}").status_code == 404


def test_token_outlives_the_session_that_made_it(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        _, secret = create(browser)
        browser.post("/auth/logout")
        with with_token(nexus, secret) as script:
            assert script.get("/api/me").status_code == 200


@pytest.mark.parametrize(
    "change", [str.upper, str.lower, lambda secret: secret[:-1], lambda s: s + "x"]
)
def test_almost_the_secret(nexus: LiveNexus, change: object) -> None:
    assert callable(change)
    with nexus.signed_up() as browser:
        _, secret = create(browser)
    with with_token(nexus, change(secret)) as script:
        assert script.get("/api/me").status_code == 401


@pytest.mark.parametrize("secret", ["nxs_", "nxs_x", "nxs_" + "a" * 5000, "nxs_' OR 1=1 --", "x"])
def test_made_up_secret(nexus: LiveNexus, secret: str) -> None:
    with with_token(nexus, secret) as script:
        answer = script.get("/api/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "E_UNAUTHENTICATED")


def test_a_wrong_token_is_not_saved_by_a_cookie(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        headers = {"Authorization": "Bearer nxs_wrong"}
        assert browser.get("/api/me", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/auth/session"),
        ("GET", "/auth/tokens"),
        ("POST", "/auth/tokens"),
        ("DELETE", "/auth/tokens/{id}"),
    ],
)
def test_tokens_do_not_manage_tokens(
    nexus: LiveNexus, session: Session, method: str, path: str
) -> None:
    with nexus.signed_up() as browser:
        token_id, secret = create(browser)
        with with_token(nexus, secret) as script:
            body = {"name": "more"} if method == "POST" else None
            answer = script.request(method, path.format(id=token_id), json=body)
        # A change is refused before it is looked who asks: a token lifts no check here.
        assert answer.status_code == (401 if method == "GET" else 403)
        assert len(browser.get("/auth/tokens").json()["data"]["tokens"]) == 1


def test_somebody_elses_token_does_not_exist(nexus: LiveNexus) -> None:
    with nexus.signed_up() as owner, nexus.signed_up() as other:
        token_id, secret = create(owner)
        theirs = other.delete(f"/auth/tokens/{token_id}")
        nobodys = other.delete(f"/auth/tokens/{uuid4()}")
        assert (theirs.status_code, nobodys.status_code) == (404, 404)
        assert theirs.json()["error"]["message"] == nobodys.json()["error"]["message"]
        assert theirs.json()["error"]["code"] == nobodys.json()["error"]["code"]
        assert other.get("/auth/tokens").json()["data"]["tokens"] == []
        with with_token(nexus, secret) as script:
            assert script.get("/api/me").status_code == 200


def test_anonymous_has_no_tokens(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        assert browser.get("/auth/tokens").status_code == 401
        assert browser.post("/auth/tokens", json={"name": "x"}).status_code == 401
        assert browser.delete(f"/auth/tokens/{uuid4()}").status_code == 401


def test_there_is_a_limit(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        user_id = browser.get("/api/me").json()["data"]["id"]
        session.add_all(
            ApiToken(user_id=user_id, name="x", prefix="nxs_", token_hash=uuid4().hex)
            for _ in range(MAX_TOKENS)
        )
        session.commit()
        answer = browser.post("/auth/tokens", json={"name": "one more"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "E_TOO_MANY_TOKENS")
