"""How often somebody may try: per e-mail, per address, with and without Redis."""

from typing import Any

import httpx
import pytest

from tests.bff.test_accounts import log_in, new_email, sign_up
from tests.live import live_nexus

AWAY = "unix:///nonexistent/redis.sock"


def assert_limited(answer: httpx.Response) -> None:
    assert answer.status_code == 429
    error = answer.json()["error"]
    assert error["code"] == "E_RATE_LIMITED"
    seconds = int(answer.headers["retry-after"])
    assert 1 <= seconds <= 60
    assert f"Try again in {seconds} second" in error["message"]


@pytest.mark.parametrize("changes", [{}, {"redis_url": AWAY}, {"redis_url": None}], ids=str)
def test_login_tries_per_email(changes: dict[str, Any]) -> None:
    email = new_email()
    with live_nexus(login_rate="3/minute", **changes) as nexus, nexus.browser() as browser:
        for _ in range(3):
            assert log_in(browser, email, "wrong-password").status_code == 401
        assert_limited(log_in(browser, email, "wrong-password"))
        assert_limited(log_in(browser, email.upper()))
        assert log_in(browser, new_email(), "wrong-password").status_code == 401


def test_login_tries_per_address() -> None:
    """Many e-mails from one place: six times the limit of one."""
    with live_nexus(login_rate="1/minute") as nexus, nexus.browser() as browser:
        statuses = [log_in(browser, new_email(), "wrong").status_code for _ in range(7)]
    assert statuses == [401] * 6 + [429]


def test_the_right_password_does_not_help_when_limited() -> None:
    email = new_email()
    with live_nexus(login_rate="2/minute") as nexus, nexus.signed_up(email) as browser:
        for _ in range(2):
            log_in(browser, email, "wrong-password")
        assert_limited(log_in(browser, email))
        assert browser.get("/auth/session").status_code == 200


@pytest.mark.parametrize("changes", [{}, {"redis_url": AWAY}], ids=str)
def test_sign_ups_per_address(changes: dict[str, Any]) -> None:
    rate = "3/minute" if changes else "2/minute"
    with live_nexus(signup_rate=rate, **changes) as nexus, nexus.browser() as browser:
        answers = [sign_up(browser, new_email()) for _ in range(4)]
    allowed = int(rate[0])
    assert [answer.status_code for answer in answers[:allowed]] == [201] * allowed
    assert_limited(answers[allowed])


def test_a_client_cannot_choose_its_address() -> None:
    """X-Forwarded-For is believed from nobody by default."""
    with live_nexus(signup_rate="1/minute") as nexus, nexus.browser() as browser:
        assert sign_up(browser, new_email()).status_code == 201
        for header in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP"):
            browser.headers[header] = "203.0.113.9"
            assert sign_up(browser, new_email()).status_code == 429


def test_limits_are_shared_by_all_fronts() -> None:
    email = new_email()
    with (
        live_nexus(login_rate="2/minute") as one,
        live_nexus(login_rate="2/minute") as two,
        one.browser() as first,
        two.browser() as second,
    ):
        for browser in (first, second):
            assert log_in(browser, email, "wrong-password").status_code == 401
        assert_limited(log_in(first, email, "wrong-password"))
