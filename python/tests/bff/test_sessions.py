"""Browser sessions: the cookie, its rotation, its end."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie

import httpx
import pytest
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from nexus.auth.opaque import hash_token
from nexus.db.models import UserSession
from nexus.services.sessions import LIFETIME
from nexus.tasks import purge_expired_sessions
from tests.bff.test_accounts import log_in, new_email, sign_up
from tests.live import LiveNexus, live_nexus

PUBLIC_URL = "https://nexus.example.org"


@pytest.fixture(scope="module")
def https_nexus() -> Iterator[LiveNexus]:
    with live_nexus(public_url=PUBLIC_URL) as live:
        yield live


def https_browser(live: LiveNexus) -> httpx.Client:
    """Behind a TLS proxy: the origin is the public one, the connection is plain."""
    port = live.settings.port
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"Origin": PUBLIC_URL})


def cookie_of(answer: httpx.Response) -> tuple[str, str, dict[str, str]]:
    """Name, value and flags of the session's cookie."""
    (header,) = [one for one in answer.headers.get_list("set-cookie") if "nexus_session" in one]
    ((name, morsel),) = SimpleCookie(header).items()
    return name, morsel.value, {key: str(value) for key, value in morsel.items() if value}


def test_cookie_on_localhost(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        name, value, flags = cookie_of(sign_up(browser, new_email()))
    assert name == "nexus_session"
    assert len(value) >= 43
    assert flags == {
        "httponly": "True",
        "samesite": "lax",
        "path": "/",
        "max-age": str(30 * 24 * 3600),
    }


def test_cookie_behind_https(https_nexus: LiveNexus) -> None:
    """`__Host-` makes browsers insist on Secure, Path=/ and no Domain."""
    email = new_email()
    with https_browser(https_nexus) as browser:
        for answer in (sign_up(browser, email), log_in(browser, email)):
            name, _, flags = cookie_of(answer)
            assert name == "__Host-nexus_session"
            assert (flags["secure"], flags["httponly"]) == ("True", "True")
            assert (flags["path"], flags["samesite"]) == ("/", "lax")
            assert "domain" not in flags
        name, value, flags = cookie_of(browser.post("/auth/logout"))
        assert (name, value, flags["max-age"]) == ("__Host-nexus_session", "", "0")
        assert (flags["secure"], flags["path"]) == ("True", "/")


def test_plain_cookie_name_means_nothing_behind_https(https_nexus: LiveNexus) -> None:
    """A neighbour on a sibling domain can set a cookie, but not one with the prefix."""
    with https_browser(https_nexus) as browser:
        _, token, _ = cookie_of(sign_up(browser, new_email()))
        plain = browser.get("/auth/session", headers={"Cookie": f"nexus_session={token}"})
        assert plain.status_code == 401


def test_hsts_only_behind_https(nexus: LiveNexus, https_nexus: LiveNexus) -> None:
    with nexus.browser() as plain, https_browser(https_nexus) as secure:
        assert "strict-transport-security" not in plain.get("/auth/config").headers
        assert "max-age=" in secure.get("/auth/config").headers["strict-transport-security"]


def test_only_the_hash_is_stored(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        token = browser.cookies["nexus_session"]
    rows = session.execute(text("SELECT sessions::text FROM sessions")).scalars().all()
    assert not any(token in row for row in rows)
    assert any(hash_token(token) in row for row in rows)


def test_sign_in_rotates(nexus: LiveNexus) -> None:
    """The token from before signing in is dead, so nobody can have planted it."""
    email = new_email()
    with nexus.signed_up(email) as browser:
        before = browser.cookies["nexus_session"]
        assert log_in(browser, email).status_code == 200
        assert browser.cookies["nexus_session"] != before
        old = {"Cookie": f"nexus_session={before}"}
        with nexus.browser() as other:
            assert other.get("/auth/session", headers=old).status_code == 401
            assert other.get("/api/me", headers=old).status_code == 401


def test_planted_token_is_not_taken_over(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        browser.cookies.set("nexus_session", "planted")
        _, token, _ = cookie_of(sign_up(browser, new_email()))
        assert token != "planted"


def test_sign_out_kills_the_session_itself(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        stolen = {"Cookie": f"nexus_session={browser.cookies['nexus_session']}"}
        browser.post("/auth/logout")
        with nexus.browser() as thief:
            assert thief.get("/auth/session", headers=stolen).status_code == 401
            assert thief.get("/api/me", headers=stolen).status_code == 401


def test_sign_out_leaves_other_browsers_signed_in(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.signed_up(email) as first, nexus.browser() as second:
        assert log_in(second, email).status_code == 200
        first.post("/auth/logout")
        assert second.get("/auth/session").status_code == 200


def expire(session: Session, token: str, moment: datetime) -> None:
    session.execute(
        update(UserSession)
        .where(UserSession.token_hash == hash_token(token))
        .values(expires_at=moment)
    )
    session.commit()


def last_seen(session: Session, token: str, moment: datetime) -> None:
    session.execute(
        update(UserSession)
        .where(UserSession.token_hash == hash_token(token))
        .values(last_seen_at=moment, expires_at=moment + LIFETIME)
    )
    session.commit()


def expiry_of(session: Session, token: str) -> datetime:
    query = select(UserSession.expires_at).where(UserSession.token_hash == hash_token(token))
    session.rollback()
    return session.scalars(query).one()


def test_expired_session(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        token = browser.cookies["nexus_session"]
        expire(session, token, datetime.now(UTC) - timedelta(seconds=1))
        assert browser.get("/auth/session").status_code == 401
        assert browser.get("/api/me").json()["error"]["code"] == "E_UNAUTHENTICATED"
        assert browser.get("/auth/tokens").status_code == 401


def test_a_session_in_use_is_prolonged(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        token = browser.cookies["nexus_session"]
        last_seen(session, token, datetime.now(UTC) - timedelta(days=2))
        answer = browser.get("/auth/session")
        assert expiry_of(session, token) > datetime.now(UTC) + LIFETIME - timedelta(minutes=5)
        # The browser must keep the cookie as long as the server keeps the session.
        _, value, flags = cookie_of(answer)
        assert (value, flags["max-age"]) == (token, str(int(LIFETIME.total_seconds())))


def test_a_fresh_session_is_not_written_again(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as browser:
        token = browser.cookies["nexus_session"]
        before = expiry_of(session, token)
        assert browser.get("/api/me").status_code == 200
        assert expiry_of(session, token) == before


def test_ended_sessions_are_purged(nexus: LiveNexus, session: Session) -> None:
    with nexus.signed_up() as ended, nexus.signed_up() as running:
        expire(session, ended.cookies["nexus_session"], datetime.now(UTC) - timedelta(days=1))
        assert purge_expired_sessions() >= 1
        hashes = set(session.scalars(select(UserSession.token_hash)))
        assert hash_token(ended.cookies["nexus_session"]) not in hashes
        assert hash_token(running.cookies["nexus_session"]) in hashes


@pytest.mark.parametrize("token", ["", "x", "a" * 10_000, "%00", "é", '"quoted"', "a,b"])
def test_made_up_cookies(nexus: LiveNexus, token: str) -> None:
    with nexus.browser() as browser:
        cookie = [(b"Cookie", f"nexus_session={token}".encode())]
        assert browser.get("/auth/session", headers=cookie).status_code == 401
        assert browser.get("/api/me", headers=cookie).status_code == 401
