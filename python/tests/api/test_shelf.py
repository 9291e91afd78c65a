"""What each person makes of their items: state, progress, archive, favourites, in bulk too."""

from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, MembershipRole
from nexus.db.models import Fragment, Media
from nexus.services.media_merge import merge_media
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_library, make_media, make_user
from tests.live import LiveNexus

OWN = ("state", "progress", "archived", "favourite", "tags")
FRESH = {"state": "unread", "progress": 0.0, "archived": False, "favourite": False, "tags": []}


def own(api: httpx.Client, media_id: UUID) -> dict[str, Any]:
    data = api.get(f"/media/{media_id}").json()["data"]
    return {name: data[name] for name in OWN}


def mine(api: httpx.Client, media_id: UUID, **change: Any) -> dict[str, Any]:
    answer = api.patch(f"/media/{media_id}/mine", json=change)
    assert answer.status_code == 200, answer.text
    return {name: answer.json()["data"][name] for name in OWN}


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_each_change_and_nothing_else(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        assert own(api, media.id) == FRESH
        expected: dict[str, Any] = FRESH
        for change in (
            {"state": "reading"},
            {"archived": True},
            {"favourite": True},
            {"tags": ["b", "A"]},
            {"state": "finished", "archived": False, "tags": []},
        ):
            assert mine(api, media.id, **change) == own(api, media.id)
            expected = {**expected, **change}
            expected = {**expected, "tags": sorted(expected["tags"], key=str.casefold)}
            assert own(api, media.id) == expected
        [listed] = api.get("/media").json()["data"]["media"]
        assert {name: listed[name] for name in OWN} == expected


def test_everyone_has_their_own(nexus: LiveNexus, session: Session) -> None:
    owner, reader = make_user(session), make_user(session)
    shared = make_library(session, owner, members={reader.user_id: MembershipRole.MEMBER})
    media = make_media(session, owner, library_ids=[owner.default_library_id, shared.id])
    with nexus.api(owner.user_id) as api, nexus.api(reader.user_id) as other:
        changed = mine(api, media.id, state="finished", favourite=True, tags=["x"])
        assert own(other, media.id) == FRESH
        assert other.get("/tags").json()["data"]["tags"] == []
        mine(other, media.id, archived=True)
        assert own(api, media.id) == changed


BAD_CHANGES: list[dict[str, Any]] = [
    {},
    {"state": None},
    {"state": "done"},
    {"archived": "yes"},
    {"progress": 1},
    {"tags": "x"},
    {"tags": [""]},
    {"tags": ["a,b"]},
    {"tags": ['"']},
    {"tags": [".."]},
    {"tags": ["x" * 101]},
    {"tags": [str(number) for number in range(51)]},
]


@pytest.mark.parametrize("change", BAD_CHANGES, ids=lambda change: str(change)[:30])
def test_bad_changes(change: dict[str, Any], nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    ids = {"media_ids": [str(media.id)]}
    with nexus.api(viewer.user_id) as api:
        assert error(api.patch(f"/media/{media.id}/mine", json=change)) == (
            400,
            "E_INVALID_REQUEST",
        )
        many = {"add_tags" if name == "tags" else name: value for name, value in change.items()}
        assert api.patch("/media/bulk/mine", json={**ids, **many}).status_code == 400
        assert own(api, media.id) == FRESH


def test_what_is_not_yours(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    mine_too, theirs = make_media(session, viewer), make_media(session, other)
    ids = [str(mine_too.id), str(theirs.id)]
    missing = (404, "E_MEDIA_NOT_FOUND")
    library = make_library(session, viewer)
    with nexus.api(viewer.user_id) as api:
        for media_id in (theirs.id, uuid4()):
            change = {"favourite": True}
            assert error(api.patch(f"/media/{media_id}/mine", json=change)) == missing
            assert error(api.post(f"/media/{media_id}/opened")) == missing
        changes = {"media_ids": ids, "favourite": True, "add_tags": ["new"]}
        assert error(api.patch("/media/bulk/mine", json=changes)) == missing
        assert error(api.post("/media/bulk/remove", json={"media_ids": ids})) == missing
        assert error(api.post("/media/bulk/restore", json={"media_ids": ids})) == missing
        path = f"/libraries/{library.id}/media/bulk"
        assert error(api.post(path, json={"media_ids": ids})) == missing
        # All or nothing.
        assert own(api, mine_too.id) == FRESH
        assert api.get("/tags").json()["data"]["tags"] == []
        assert api.get(f"/libraries/{library.id}/media").json()["data"]["media"] == []


@pytest.mark.parametrize("count", [0, 101])
def test_bulk_has_limits(count: int, nexus: LiveNexus, session: Session) -> None:
    ids = [str(uuid4()) for _ in range(count)]
    library = make_library(session, viewer := make_user(session))
    with nexus.api(viewer.user_id) as api:
        for method, path, more in (
            ("PATCH", "/media/bulk/mine", {"archived": True}),
            ("POST", "/media/bulk/remove", {}),
            ("POST", "/media/bulk/restore", {}),
            ("POST", f"/libraries/{library.id}/media/bulk", {}),
        ):
            body: dict[str, Any] = {"media_ids": ids, **more}
            assert error(api.request(method, path, json=body)) == (400, "E_INVALID_REQUEST")


def test_many_at_once(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    items = [make_media(session, viewer) for _ in range(3)]
    ids = [str(media.id) for media in items]
    library = make_library(session, viewer)
    with nexus.api(viewer.user_id) as api:
        mine(api, items[0].id, tags=["Old", "Both"])
        change = {"media_ids": [*ids, ids[0]], "archived": True, "state": "finished"}
        tags = {"add_tags": ["new", "BOTH"], "remove_tags": ["old", "never used"]}
        changed = api.patch("/media/bulk/mine", json={**change, **tags}).json()["data"]["media"]
        assert [media["id"] for media in changed] == ids
        for media in changed:
            assert (media["archived"], media["state"]) == (True, "finished")
            assert media["tags"] == ["Both", "new"], "the first spelling stays"
        path = f"/libraries/{library.id}/media/bulk"
        assert api.post(path, json={"media_ids": ids[:2]}).json() == {"data": {"added": 2}}
        assert api.post(path, json={"media_ids": ids}).json() == {"data": {"added": 1}}
        assert api.post("/media/bulk/remove", json={"media_ids": ids}).status_code == 204
        assert api.get("/media").json()["data"]["media"] == []
        assert {tag["count"] for tag in api.get("/tags").json()["data"]["tags"]} == {0}
        back = api.post("/media/bulk/restore", json={"media_ids": ids[::-1]}).json()["data"]
        assert [media["id"] for media in back["media"]] == ids[::-1]
        assert [media["tags"] for media in back["media"]] == [["Both", "new"]] * 3
        assert len(api.get(f"/libraries/{library.id}/media").json()["data"]["media"]) == 3


def test_undo_of_a_removal_brings_the_state_back(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        before = mine(api, media.id, state="reading", archived=True, favourite=True, tags=["a"])
        assert api.post(f"/media/{media.id}/opened").status_code == 204
        whole = api.get(f"/media/{media.id}").json()
        mine(api, make_media(session, viewer).id, tags=["b"])
        api.delete(f"/media/{media.id}")
        # A tag that is gone in the meantime stays gone; the others come back.
        api.post(f"/media/{media.id}/restore")
        assert own(api, media.id) == before
        assert api.get(f"/media/{media.id}").json() == whole
        api.delete(f"/media/{media.id}")
        api.delete("/tags/a")
        api.post(f"/media/{media.id}/restore")
        assert own(api, media.id) == {**before, "tags": []}


def test_what_was_saved_again_meanwhile_stays(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    library = make_library(session, other, members={viewer.user_id: MembershipRole.MEMBER})
    both = [viewer.default_library_id, other.default_library_id]
    media = make_media(session, viewer, library_ids=both)
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as others:
        mine(api, media.id, archived=True)
        api.delete(f"/media/{media.id}")
        others.post(f"/libraries/{library.id}/media", json={"media_id": str(media.id)})
        assert own(api, media.id) == FRESH
        mine(api, media.id, favourite=True)
        api.post(f"/media/{media.id}/restore")
        assert own(api, media.id) == {**FRESH, "favourite": True}


def test_merged_items_keep_what_is_further(nexus: LiveNexus, session: Session) -> None:
    viewer, former = make_user(session), make_user(session)
    library = make_library(session, viewer, members={former.user_id: MembershipRole.MEMBER})
    loser = make_media(session, viewer, library_ids=[viewer.default_library_id, library.id])
    winner = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api, nexus.api(former.user_id) as other:
        mine(api, loser.id, state="reading", archived=True, tags=["a", "b"])
        mine(api, winner.id, state="finished", favourite=True, tags=["b", "c"])
        mine(other, loser.id, favourite=True, tags=["lost"])
        api.delete(f"/libraries/{library.id}/media/{loser.id}")
        loser, winner = (session.get_one(Media, one.id) for one in (loser, winner))
        merge_media(session, loser=loser, winner=winner, reader_id=None)
        session.commit()
        expected = {"state": "finished", "archived": True, "favourite": True, "tags": [*"abc"]}
        assert own(api, loser.id) == own(api, winner.id) == {"progress": 0.0, **expected}
        # Bulk changes find it by its former id, and once.
        ids = [str(loser.id), str(winner.id)]
        done = api.patch("/media/bulk/mine", json={"media_ids": ids, "archived": False})
        assert [media["id"] for media in done.json()["data"]["media"]] == [str(winner.id)]
        # A person who lost the item finds their own in the one it became.
        api.post(f"/libraries/{library.id}/media", json={"media_id": str(winner.id)})
        assert own(other, winner.id) == {**FRESH, "favourite": True, "tags": ["lost"]}


def put(api: httpx.Client, fragment: Fragment, offset: int, **more: Any) -> None:
    moment = more.pop("at", "2026-01-02T00:00:00Z")
    place = {"fragment_id": str(fragment.id), "offset": offset, "changed_at": moment, **more}
    assert api.put(f"/media/{fragment.media_id}/position", json=place).status_code == 200


def long_article(session: Session, viewer: Viewer) -> tuple[Fragment, Fragment]:
    """Two parts, of 100 and 300 characters."""
    first = make_article(session, viewer, text="x" * 100)
    second = Fragment(
        media_id=first.media_id, idx=1, html_sanitized="<p>y</p>", canonical_text="y" * 300
    )
    session.add(second)
    session.commit()
    return first, second


def test_progress_follows_the_position(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    first, second = long_article(session, viewer)
    day = "2026-01-{:02}T00:00:00Z".format
    steps: list[tuple[Fragment, int, dict[str, Any], str, float]] = [
        (first, 0, {}, "unread", 0.0),
        (first, 0, {"seen_to": 40}, "unread", 0.1),
        (first, 20, {"seen_to": 60}, "reading", 0.15),
        (first, 20, {"seen_to": 10}, "reading", 0.05),
        (second, 0, {}, "reading", 0.25),
        (second, 100, {"seen_to": 299}, "reading", 0.9975),
        (second, 120, {"seen_to": 300}, "finished", 1.0),
        (first, 0, {"seen_to": 40}, "finished", 0.1),
        (second, 9999, {}, "finished", 1.0),
    ]
    with nexus.api(viewer.user_id) as api:
        for number, (fragment, offset, more, state, progress) in enumerate(steps):
            put(api, fragment, offset, at=day(number + 1), **more)
            found = own(api, first.media_id)
            assert (found["state"], found["progress"]) == (state, pytest.approx(progress))
        put(api, first, 50, at=day(1))
        assert own(api, first.media_id)["progress"] == 1.0, "an older position changes nothing"
        opened = api.get(f"/media/{first.media_id}").json()["data"]["opened_at"]
        assert opened == day(9)


def test_a_chosen_state_stays_until_the_reader_goes_on(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    first, _ = long_article(session, viewer)
    with nexus.api(viewer.user_id) as api:
        put(api, first, 50, at="2026-01-01T00:00:00Z")
        assert mine(api, first.media_id, state="unread")["state"] == "unread"
        put(api, first, 60, at="2026-01-02T00:00:00Z")
        assert own(api, first.media_id)["state"] == "reading"
        mine(api, first.media_id, state="finished")
        put(api, first, 70, at="2026-01-03T00:00:00Z")
        assert own(api, first.media_id)["state"] == "finished"


def test_an_item_without_text_has_no_progress(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    scan = make_article(session, viewer, text="", kind=MediaKind.PDF)
    with nexus.api(viewer.user_id) as api:
        put(api, scan, 0, seen_to=0)
        assert own(api, scan.media_id) == FRESH


def test_opened_now(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        assert api.get(f"/media/{media.id}").json()["data"]["opened_at"] is None
        assert api.post(f"/media/{media.id}/opened").status_code == 204
        assert api.get(f"/media/{media.id}").json()["data"]["opened_at"] is not None
