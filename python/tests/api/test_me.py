"""GET /me, and the race of a person's first requests."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.models import Library, Membership
from tests.live import LiveNexus


def test_first_sight_creates_user_library_and_membership(nexus: LiveNexus) -> None:
    user_id = uuid4()
    with nexus.api(user_id, email="new@example.org") as api:
        me = api.get("/me").json()["data"]
        libraries = api.get("/libraries").json()["data"]["libraries"]
    assert me["id"] == str(user_id)
    assert me["email"] == "new@example.org"
    assert [(row["name"], row["is_default"], row["role"]) for row in libraries] == [
        ("My Library", True, "admin")
    ]
    assert libraries[0]["id"] == me["default_library_id"]


def test_two_hundred_first_requests_at_once_make_one_library(
    nexus: LiveNexus, session: Session
) -> None:
    user_id = uuid4()
    with nexus.api(user_id) as api, ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: api.get("/me"), range(200)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["data"]["default_library_id"] for answer in answers}) == 1
    query = select(func.count()).select_from(Library).where(Library.owner_user_id == user_id)
    assert session.scalar(query) == 1
    memberships = select(func.count()).where(Membership.user_id == user_id)
    assert session.scalar(memberships) == 1
