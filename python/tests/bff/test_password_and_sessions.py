"""Changing the password, seeing and ending sessions, and tries that nobody else can use up."""

from uuid import uuid4

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.bff.devices import known_device, new_device_cookie
from nexus.config import get_settings
from nexus.db.models import Account, User
from nexus.services.device_names import device_name
from tests.bff.test_accounts import error_code, log_in, new_email, sign_up
from tests.live import PASSWORD, LiveNexus, live_nexus

NEW = "an-even-finer-passphrase"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


def change(browser: httpx.Client, old: str, new: str) -> httpx.Response:
    return browser.post("/auth/password", json={"old_password": old, "new_password": new})


def sessions(browser: httpx.Client) -> list[dict[str, object]]:
    found: list[dict[str, object]] = browser.get("/auth/sessions").json()["data"]["sessions"]
    return found


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Windows"),
        (SAFARI, "Safari on iPhone"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0",
            "Edge on Linux",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 "
            "(KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36",
            "Chrome on macOS",
        ),
        ("curl/8", "Unknown device"),
        ("<script>Firefox", "Firefox"),
        (None, "Unknown device"),
    ],
)
def test_devices_have_names(user_agent: str | None, name: str) -> None:
    assert device_name(user_agent) == name


def test_a_new_password_ends_all_other_sessions(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.signed_up(email) as browser, nexus.browser() as elsewhere:
        assert log_in(elsewhere, email).status_code == 200
        assert change(browser, PASSWORD, NEW).status_code == 204
        assert browser.get("/auth/session").status_code == 200, "the one that asked goes on"
        assert elsewhere.get("/auth/session").status_code == 401
        assert elsewhere.get("/api/me").status_code == 401
        assert log_in(elsewhere, email).status_code == 401
        assert log_in(elsewhere, email, NEW).status_code == 200


def test_the_old_password_is_asked_and_the_new_one_judged(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.signed_up(email) as browser, nexus.browser() as stranger:
        wrong = change(browser, "not-my-password", NEW)
        assert (wrong.status_code, error_code(wrong)) == (401, "E_INVALID_CREDENTIALS")
        weak = change(browser, PASSWORD, "password")
        assert (weak.status_code, error_code(weak)) == (400, "E_WEAK_PASSWORD")
        assert change(stranger, PASSWORD, NEW).status_code == 401
        assert browser.get("/auth/session").status_code == 200
        assert log_in(stranger, email).status_code == 200, "nothing was changed"


def test_guessing_the_old_password_is_limited() -> None:
    with live_nexus(login_rate="3/minute") as nexus, nexus.signed_up() as browser:
        tries = [change(browser, "wrong-password", NEW).status_code for _ in range(4)]
        assert tries == [401, 401, 401, 429]
        assert change(browser, PASSWORD, NEW).status_code == 429


def test_sessions_are_listed_with_device_and_time(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.signed_up(email) as browser, nexus.browser() as phone:
        phone.headers["User-Agent"] = SAFARI
        log_in(phone, email)
        listed = sessions(phone)
        assert [(one["device"], one["current"]) for one in listed] == [
            ("Safari on iPhone", True),
            ("Unknown device", False),
        ]
        assert listed[0].keys() == {"id", "device", "created_at", "last_seen_at", "current"}
        assert browser.cookies["nexus_session"] not in str(listed)
        assert [one["current"] for one in sessions(browser)] == [False, True]


def test_sessions_are_ended_one_by_one_and_all_at_once(nexus: LiveNexus) -> None:
    email = new_email()
    with (
        nexus.signed_up(email) as browser,
        nexus.browser() as second,
        nexus.browser() as third,
        nexus.signed_up() as stranger,
    ):
        log_in(second, email)
        log_in(third, email)
        (target,) = [one["id"] for one in sessions(second) if one["current"]]
        assert stranger.delete(f"/auth/sessions/{target}").status_code == 404
        assert browser.delete(f"/auth/sessions/{uuid4()}").status_code == 404
        assert browser.delete(f"/auth/sessions/{target}").status_code == 204
        assert second.get("/auth/session").status_code == 401
        assert third.get("/auth/session").status_code == 200
        assert browser.delete("/auth/sessions").status_code == 204
        assert third.get("/auth/session").status_code == 401
        assert len(sessions(browser)) == 1
        assert stranger.get("/auth/session").status_code == 200


def test_strangers_tries_do_not_lock_the_owner_out() -> None:
    email = new_email()
    with (
        live_nexus(login_rate="3/minute") as nexus,
        nexus.signed_up(email) as owner,
        nexus.browser() as attacker,
    ):
        owner.post("/auth/logout")
        tries = [log_in(attacker, email, "wrong-password").status_code for _ in range(4)]
        assert tries == [401, 401, 401, 429]
        assert log_in(attacker, email).status_code == 429, "not even with the right one"
        assert log_in(owner, email).status_code == 200, "a device that was here before"
        # It has tries of its own, and not more than anybody else.
        mistakes = [log_in(owner, email, "wrong-password").status_code for _ in range(3)]
        assert mistakes == [401, 401, 429]


def test_a_device_is_known_only_to_its_own_account() -> None:
    settings = get_settings()
    cookie = new_device_cookie(settings, email="a@example.org")
    device, _, proof = cookie.partition(".")
    assert known_device(settings, cookie=cookie, email="a@example.org") == device
    for other in (None, "", "x", f"{device}.{'0' * 64}", f"{'a' * 22}.{proof}", f"{cookie}0"):
        assert known_device(settings, cookie=other, email="a@example.org") is None
    assert known_device(settings, cookie=cookie, email="b@example.org") is None


def test_signing_up_does_not_say_that_an_address_is_taken(
    nexus: LiveNexus, session: Session
) -> None:
    email = new_email()
    with nexus.signed_up(email), nexus.browser() as stranger:
        answer = sign_up(stranger, email, NEW)
        assert (answer.status_code, error_code(answer)) == (409, "E_SIGNUP_REFUSED")
        said = answer.json()["error"]["message"].lower()
        assert "already" not in said
        assert "taken" not in said
        assert "nexus_device" not in answer.cookies
    # All the work of a new account was done, and nothing of it is left.
    for column in (Account.email, User.email):
        assert session.scalar(select(func.count()).where(column == email)) == 1
