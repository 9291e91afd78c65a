"""Sign-up, sign-in, sign-out, and what the sign-in page is told."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.auth.passwords import needs_rehash
from nexus.db.models import Account, Library, User
from tests.bad_bodies import BAD_TEXT, JSON, UNREADABLE, encode, nothing_changes, refusal_problem
from tests.live import PASSWORD, LiveNexus, live_nexus


def new_email() -> str:
    return f"{uuid4().hex}@example.org"


def sign_up(browser: httpx.Client, email: str, password: str = PASSWORD) -> httpx.Response:
    return browser.post("/auth/signup", json={"email": email, "password": password})


def log_in(browser: httpx.Client, email: str, password: str = PASSWORD) -> httpx.Response:
    return browser.post("/auth/login", json={"email": email, "password": password})


def error_code(answer: httpx.Response) -> str:
    code: str = answer.json()["error"]["code"]
    return code


def test_the_whole_way(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.browser() as browser:
        assert browser.get("/auth/session").status_code == 401
        created = sign_up(browser, email)
        assert created.status_code == 201
        assert created.json()["data"]["user"]["email"] == email
        assert browser.get("/auth/session").json() == created.json()
        assert browser.get("/api/me").json()["data"]["id"] == created.json()["data"]["user"]["id"]
        left = browser.post("/auth/logout")
        assert (left.status_code, left.content) == (204, b"")
        assert set(browser.cookies) == {"nexus_device"}, "only that it was here before"
        assert browser.get("/auth/session").status_code == 401
        assert browser.get("/api/me").status_code == 401
        assert log_in(browser, email).json() == created.json()
        assert browser.get("/auth/session").json() == created.json()


def test_sign_up_makes_user_and_default_library(nexus: LiveNexus, session: Session) -> None:
    email = new_email()
    with nexus.browser() as browser:
        user_id = UUID(sign_up(browser, email).json()["data"]["user"]["id"])
    assert session.get_one(User, user_id).email == email
    library = session.scalars(select(Library).where(Library.owner_user_id == user_id)).one()
    assert (library.name, library.is_default) == ("My Library", True)
    account = session.get_one(Account, user_id)
    assert account.password_hash.startswith("$argon2id$")


def test_answers_never_hold_the_password_or_its_hash(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.browser() as browser:
        for answer in (
            sign_up(browser, email),
            log_in(browser, email),
            log_in(browser, email, "x"),
        ):
            assert PASSWORD not in answer.text
            assert "argon2" not in answer.text


@pytest.mark.parametrize(
    "variant",
    [
        lambda email: email,
        lambda email: email.upper(),
        lambda email: email.title(),
        lambda email: f"  {email}\n",
    ],
    ids=["same", "upper", "title", "spaces"],
)
def test_duplicate_email(nexus: LiveNexus, variant: object) -> None:
    assert callable(variant)
    email = new_email()
    with nexus.browser() as browser:
        assert sign_up(browser, email).status_code == 201
        again = sign_up(browser, variant(email), "another-fine-passphrase")
        assert (again.status_code, error_code(again)) == (409, "E_SIGNUP_REFUSED")
        assert log_in(browser, variant(email)).status_code == 200


def test_composed_and_decomposed_email_are_one(nexus: LiveNexus) -> None:
    tail = new_email()
    with nexus.browser() as browser:
        assert sign_up(browser, "ren\u00e9" + tail).status_code == 201
        assert sign_up(browser, "rene\u0301" + tail).status_code == 409


def test_twenty_sign_ups_of_one_email_at_once(nexus: LiveNexus, session: Session) -> None:
    email = new_email()
    with nexus.browser() as browser, ThreadPoolExecutor(20) as pool:
        variants = [email, email.upper()] * 10
        statuses = sorted(pool.map(lambda one: sign_up(browser, one).status_code, variants))
    assert statuses == [201] + [409] * 19
    assert session.scalar(select(func.count()).where(Account.email == email)) == 1
    assert session.scalar(select(func.count()).where(User.email == email)) == 1


@pytest.mark.parametrize(
    "email",
    [
        "",
        "plain",
        "@example.org",
        "a@",
        "a@@example.org",
        "a b@example.org",
        "a@example..org",
        "a@.org",
        "a@example.org.",
        "a\u0000@example.org",
        "a\u200b@example.org",
        "a\u202e@example.org",
        "x" * 65 + "@example.org",
        "a@" + "x" * 260 + ".org",
        "a@example.org\r\nBcc: b@example.org",
    ],
)
def test_not_an_email(nexus: LiveNexus, session: Session, email: str) -> None:
    with nexus.browser() as browser, nothing_changes(session):
        answer = sign_up(browser, email)
    assert refusal_problem(answer) is None


@pytest.mark.parametrize("password", ["short", "123456789", "1234567890", "password123", "a" * 50])
def test_weak_password(nexus: LiveNexus, session: Session, password: str) -> None:
    with nexus.browser() as browser, nothing_changes(session):
        answer = sign_up(browser, new_email(), password)
    assert (answer.status_code, error_code(answer)) == (400, "E_WEAK_PASSWORD")
    assert not browser.cookies


def test_unknown_user_and_wrong_password_look_alike(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.signed_up(email), nexus.browser() as browser:
        wrong = log_in(browser, email, "wrong-password")
        unknown = log_in(browser, new_email(), "wrong-password")
        for answer in (wrong, unknown):
            assert (answer.status_code, error_code(answer)) == (401, "E_INVALID_CREDENTIALS")
            assert "set-cookie" not in answer.headers
        assert wrong.json()["error"]["message"] == unknown.json()["error"]["message"]
        assert wrong.headers["content-length"] == unknown.headers["content-length"]


def test_wrong_password_keeps_the_present_session(nexus: LiveNexus) -> None:
    email = new_email()
    with nexus.signed_up(email) as browser:
        assert log_in(browser, email, "wrong-password").status_code == 401
        assert browser.get("/auth/session").status_code == 200


def test_old_hashes_are_renewed_at_sign_in(nexus: LiveNexus, session: Session) -> None:
    email = new_email()
    with nexus.signed_up(email) as browser:
        account = session.scalars(select(Account).where(Account.email == email)).one()
        account.password_hash = PasswordHasher(time_cost=1, memory_cost=64).hash(PASSWORD)
        session.commit()
        assert log_in(browser, email).status_code == 200
        session.refresh(account)
        assert not needs_rehash(account.password_hash)
        assert log_in(browser, email).status_code == 200


def test_sign_out_without_a_session(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        assert browser.post("/auth/logout").status_code == 204
        browser.cookies.set("nexus_session", "made-up")
        assert browser.post("/auth/logout").status_code == 204


def test_config(nexus: LiveNexus) -> None:
    with nexus.signed_up(), nexus.browser() as anonymous:
        config = anonymous.get("/auth/config").json()["data"]
    assert config == {"signup": "open", "first_account": False}


def test_sign_up_closed(nexus: LiveNexus, session: Session) -> None:
    email = new_email()
    with nexus.signed_up(email), live_nexus(signup="closed") as closed, closed.browser() as browser:
        assert browser.get("/auth/config").json()["data"]["signup"] == "closed"
        with nothing_changes(session):
            answer = sign_up(browser, new_email())
            taken = sign_up(browser, email)
        assert (answer.status_code, error_code(answer)) == (403, "E_SIGNUP_CLOSED")
        assert error_code(taken) == "E_SIGNUP_CLOSED"
        assert log_in(browser, email).status_code == 200


GOOD = {"email": "reader@example.org", "password": PASSWORD}


@pytest.mark.parametrize(
    ("path", "good"),
    [("/auth/signup", GOOD), ("/auth/login", GOOD), ("/auth/tokens", {"name": "x"})],
)
def test_bad_bodies(nexus: LiveNexus, session: Session, path: str, good: dict[str, str]) -> None:
    bad = dict(UNREADABLE)
    for field in good:
        bad |= {
            f"{field} {name}": (encode({**good, field: value}), JSON)
            for name, value in BAD_TEXT.items()
            # Any text may be tried as a password: it is weak, or it is wrong.
            if field != "password" or name not in {"empty", "blank", "invisible"}
        }
        missing = {key: good[key] for key in good if key != field}
        bad[f"no {field}"] = (encode(missing), JSON)
    bad["extra"] = (encode({**good, "admin": True}), JSON)
    problems = {}
    with nexus.signed_up() as browser, nothing_changes(session):
        for name, (body, headers) in bad.items():
            answer = browser.post(path, content=body, headers=headers)
            if problem := refusal_problem(answer):
                problems[name] = problem
    assert problems == {}


def test_password_too_long_to_try(nexus: LiveNexus) -> None:
    with nexus.browser() as browser:
        assert log_in(browser, new_email(), "x" * 1025).status_code == 400
        assert log_in(browser, new_email(), "x" * 1024).status_code == 401
