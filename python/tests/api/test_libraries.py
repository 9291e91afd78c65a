"""Libraries: create, rename, delete, list, and the protections of the default one."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole
from nexus.db.models import Library, LibraryMedia, Media, Membership
from nexus.services.pagination import encode_cursor
from tests.factories import make_library, make_media, make_user
from tests.live import LiveNexus


def names(api: httpx.Client) -> list[str]:
    return [row["name"] for row in api.get("/libraries").json()["data"]["libraries"]]


def test_create(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    with nexus.api(user.user_id) as api:
        answer = api.post("/libraries", json={"name": "Essays"})
        assert answer.status_code == 201
        created = answer.json()["data"]
        assert api.get(f"/libraries/{created['id']}").json()["data"] == created
    assert created["created_at"].endswith("Z")
    assert {key: created[key] for key in created if not key.endswith(("_at", "id"))} == {
        "name": "Essays",
        "is_default": False,
        "role": "admin",
        "media_count": 0,
    }
    assert created["owner_user_id"] == str(user.user_id)
    membership = session.get_one(Membership, (created["id"], user.user_id))
    assert membership.role is MembershipRole.ADMIN


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Essays  ", "Essays"),
        ("two   words", "two words"),
        ("line\nbreak\tand\u2028more", "line break and more"),
        ("e\u0301te\u0301", "été"),
        ("x" * 100, "x" * 100),
        ("🦊" * 100, "🦊" * 100),
        (" " + "x" * 100 + " ", "x" * 100),
        ("مكتبة", "مكتبة"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("'; DROP TABLE libraries; --", "'; DROP TABLE libraries; --"),
        ("%s %(name)s {0}", "%s %(name)s {0}"),
    ],
)
def test_names_are_kept_as_people_mean_them(nexus: LiveNexus, given: str, kept: str) -> None:
    with nexus.api(uuid4()) as api:
        created = api.post("/libraries", json={"name": given}).json()["data"]
        assert created["name"] == kept
        assert kept in names(api)


def test_same_name_twice(nexus: LiveNexus) -> None:
    with nexus.api(uuid4()) as api:
        ids = {api.post("/libraries", json={"name": "Same"}).json()["data"]["id"] for _ in "ab"}
        assert len(ids) == 2


def test_rename(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    library = make_library(session, user, name="Before")
    with nexus.api(user.user_id) as api:
        answer = api.patch(f"/libraries/{library.id}", json={"name": "After"})
        assert answer.status_code == 200
        renamed = answer.json()["data"]
        assert renamed["name"] == "After"
        assert renamed["updated_at"] > renamed["created_at"]
        assert api.get(f"/libraries/{library.id}").json()["data"] == renamed


def test_delete(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    library = make_library(session, user)
    with nexus.api(user.user_id) as api:
        answer = api.delete(f"/libraries/{library.id}")
        assert (answer.status_code, answer.content) == (204, b"")
        assert api.get(f"/libraries/{library.id}").status_code == 404
        assert api.delete(f"/libraries/{library.id}").status_code == 404
        assert names(api) == ["My Library"]


def test_delete_takes_only_items_that_no_library_holds(nexus: LiveNexus, session: Session) -> None:
    owner, guest = make_user(session), make_user(session)
    library = make_library(session, owner)
    only_here = make_media(session, owner, library_ids=[library.id])
    in_default = make_media(session, owner, library_ids=[library.id, owner.default_library_id])
    elsewhere = make_media(session, owner, library_ids=[library.id, guest.default_library_id])
    with nexus.api(owner.user_id) as api:
        assert api.delete(f"/libraries/{library.id}").status_code == 204
    ids = [only_here.id, in_default.id, elsewhere.id]
    left = set(session.scalars(select(Media.id).where(Media.id.in_(ids))))
    assert left == {in_default.id, elsewhere.id}


def test_default_library_is_protected(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    url = f"/libraries/{user.default_library_id}"
    with nexus.api(user.user_id) as api:
        for answer in (api.patch(url, json={"name": "Mine"}), api.delete(url)):
            assert answer.status_code == 403
            assert answer.json()["error"]["code"] == "E_FORBIDDEN"
            assert "default library" in answer.json()["error"]["message"]
        assert names(api) == ["My Library"]


def test_second_admin_may_change_what_is_shared(nexus: LiveNexus, session: Session) -> None:
    owner, admin = make_user(session), make_user(session)
    library = make_library(session, owner, members={admin.user_id: MembershipRole.ADMIN})
    with nexus.api(admin.user_id) as api:
        renamed = api.patch(f"/libraries/{library.id}", json={"name": "Ours"}).json()["data"]
        assert (renamed["name"], renamed["owner_user_id"]) == ("Ours", str(owner.user_id))
        assert api.delete(f"/libraries/{library.id}").status_code == 204


def test_member_sees_role_and_count(nexus: LiveNexus, session: Session) -> None:
    owner, member = make_user(session), make_user(session)
    library = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    make_media(session, owner, library_ids=[library.id])
    with nexus.api(member.user_id) as api:
        seen = api.get(f"/libraries/{library.id}").json()["data"]
    assert (seen["role"], seen["media_count"]) == ("member", 1)


UNICODE_NAMES = ["apple", "Banana", "banana", "äpfel", "Ωmega", "中文", "🦊", "zebra", "İ", "'\"\\"]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_hold_everything_once_in_order(
    nexus: LiveNexus, session: Session, limit: int
) -> None:
    user = make_user(session)
    for name in [*UNICODE_NAMES, "banana", "🦊" * 100]:
        make_library(session, user, name=name)
    with nexus.api(user.user_id) as api:
        whole = api.get("/libraries", params={"limit": 100}).json()["data"]
        assert whole["next_cursor"] is None
        paged, cursor = [], None
        while True:
            params = {"limit": limit, **({"cursor": cursor} if cursor else {})}
            data = api.get("/libraries", params=params).json()["data"]
            assert len(data["libraries"]) <= limit
            paged += data["libraries"]
            assert len(paged) <= len(whole["libraries"]), "it never ends"
            cursor = data["next_cursor"]
            if cursor is None:
                break
    assert paged == whole["libraries"]
    assert len({row["id"] for row in paged}) == len(UNICODE_NAMES) + 3
    assert paged[0]["is_default"]
    lowered = [row["name"].lower() for row in paged[1:]]
    assert lowered.index("apple") < lowered.index("banana") < lowered.index("zebra")


def test_pages_are_stable_while_rows_come_and_go(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    libraries = [make_library(session, user, name=f"shelf {number}") for number in range(4)]
    with nexus.api(user.user_id) as api:
        first = api.get("/libraries", params={"limit": 3}).json()["data"]
        api.delete(f"/libraries/{libraries[1].id}")
        make_library(session, user, name="a new one before the cursor")
        rest = api.get("/libraries", params={"cursor": first["next_cursor"]}).json()["data"]
    assert [row["name"] for row in rest["libraries"]] == ["shelf 2", "shelf 3"]


def packed(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


BAD_CURSORS = {
    "empty": "",
    "word": "next",
    "not base64": "!!!!",
    "not ASCII": "é",
    "NUL": "\x00",
    "not JSON": base64.urlsafe_b64encode(b"{").decode(),
    "not UTF-8": base64.urlsafe_b64encode(b'["\xff","b","c"]').decode(),
    "an object": packed({"a": 1}),
    "too few": packed(["1", "a"]),
    "too many": packed(["1", "a", str(uuid4()), "x"]),
    "not text": packed([1, 2, 3]),
    "not an id": packed(["1", "a", "not-a-uuid"]),
    "NUL inside": packed(["1", "a\x00", str(uuid4())]),
    "lone surrogate inside": packed(["1", "\ud800", str(uuid4())]),
    "deep": base64.urlsafe_b64encode(b"[" * 1400).decode(),
    "huge number": base64.urlsafe_b64encode(b"[" + b"9" * 1400 + b"]").decode(),
    "of another list": encode_cursor(("2026-01-01T00:00:00+00:00", uuid4())),
    "too long": "A" * 3000,
}


@pytest.mark.parametrize("name", BAD_CURSORS)
def test_bad_cursor(nexus: LiveNexus, name: str) -> None:
    with nexus.api(uuid4()) as api:
        answer = api.get("/libraries", params={"cursor": BAD_CURSORS[name]})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "E_INVALID_REQUEST"
    assert answer.json()["error"]["message"].startswith("cursor: ")


@pytest.mark.parametrize(
    "limit", ["0", "-1", "101", "x", "", "1.5", "9" * 30, "1e2", "\x00", "٣٤٥"]
)
def test_bad_limit(nexus: LiveNexus, limit: str) -> None:
    with nexus.api(uuid4()) as api:
        answer = api.get("/libraries", params={"limit": limit})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "E_INVALID_REQUEST"


def test_rename_and_delete_at_once(nexus: LiveNexus, session: Session) -> None:
    """The second one finds nothing there; nobody meets an error of ours."""
    user = make_user(session)
    libraries = [make_library(session, user) for _ in range(10)]
    with nexus.api(user.user_id) as api, ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(
                lambda job: job(),
                [
                    call
                    for library in libraries
                    for call in (
                        lambda id=library.id: api.patch(f"/libraries/{id}", json={"name": "New"}),
                        lambda id=library.id: api.delete(f"/libraries/{id}"),
                        lambda id=library.id: api.delete(f"/libraries/{id}"),
                    )
                ],
            )
        )
    assert {answer.status_code for answer in answers} <= {200, 204, 404}
    assert sum(answer.status_code == 204 for answer in answers) == 10
    ids = [library.id for library in libraries]
    assert not session.scalar(select(1).where(Library.id.in_(ids)))
    assert not session.scalar(select(1).where(LibraryMedia.library_id.in_(ids)))
