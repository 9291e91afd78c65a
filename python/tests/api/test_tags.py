"""Tags: one for all spellings, renamed, merged and deleted in one place."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import httpx
import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from nexus.db.models import Tag
from nexus.services.tags import MAX_TAGS_PER_PERSON
from tests.api.test_shelf import error, mine, own
from tests.factories import make_media, make_user
from tests.live import LiveNexus


def counts(api: httpx.Client) -> dict[str, int]:
    return {tag["name"]: tag["count"] for tag in api.get("/tags").json()["data"]["tags"]}


NAMES = {
    "AI": "ai",
    "  two\t words ": "TWO WORDS",
    "e\u0301tude": "\u00c9tude",
    "Straße": "STRASSE",
}


@pytest.mark.parametrize("name", NAMES)
def test_spellings_of_one_tag(name: str, nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    one, other = make_media(session, viewer), make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        [shown] = mine(api, one.id, tags=[name, NAMES[name]])["tags"]
        assert mine(api, other.id, tags=[NAMES[name]])["tags"] == [shown]
        assert counts(api) == {shown: 2}
        found = api.get("/media", params={"tag": NAMES[name]}).json()["data"]["media"]
        assert len(found) == 2


@pytest.mark.parametrize("name", ["plain", "a/b", "50%?#&", "日本語", "../x", "%2F", "c++"])
def test_renamed_and_deleted_by_name(name: str, nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        mine(api, media.id, tags=[name])
        path = f"/tags/{quote(name, safe='')}"
        answer = api.patch(path, json={"name": "other"})
        assert answer.json() == {"data": {"name": "other", "count": 1}}, answer.text
        assert own(api, media.id)["tags"] == ["other"]
        api.patch("/tags/OTHER", json={"name": name})
        assert own(api, media.id)["tags"] == [name]
        assert api.delete(path).status_code == 204
        assert own(api, media.id)["tags"] == []
        assert error(api.delete(path)) == (404, "E_TAG_NOT_FOUND")
        assert error(api.patch(path, json={"name": "x"})) == (404, "E_TAG_NOT_FOUND")


def test_another_spelling_of_its_own_name(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        mine(api, media.id, tags=["ai"])
        assert api.patch("/tags/ai", json={"name": "AI"}).json()["data"]["name"] == "AI"
        assert counts(api) == {"AI": 1}


def test_merged_into_an_existing_one(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    one, two = make_media(session, viewer), make_media(session, viewer)
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as others:
        mine(others, make_media(session, other).id, tags=["a"])
        mine(api, one.id, tags=["a", "B"])
        mine(api, two.id, tags=["a"])
        answer = api.patch("/tags/a", json={"name": "b"})
        assert answer.json()["data"] == {"name": "b", "count": 2}
        assert own(api, one.id)["tags"] == own(api, two.id)["tags"] == ["b"]
        assert counts(others) == {"a": 1}


def test_only_what_can_be_read_counts(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        mine(api, media.id, tags=["b", "A"])
        assert list(counts(api).items()) == [("A", 1), ("b", 1)]
        api.delete(f"/media/{media.id}")
        assert counts(api) == {"A": 0, "b": 0}


def test_there_are_limits(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    with nexus.api(viewer.user_id) as api:
        mine(api, media.id, tags=[f"tag {number}" for number in range(50)])
        more = {"media_ids": [str(media.id)], "add_tags": ["one more"]}
        full = api.patch("/media/bulk/mine", json=more)
        assert error(full) == (409, "E_TOO_MANY_TAGS")
        assert len(own(api, media.id)["tags"]) == 50
        names = [f"spare {number}" for number in range(MAX_TAGS_PER_PERSON - 50)]
        rows = [{"user_id": viewer.user_id, "name": name, "key": name} for name in names]
        session.execute(insert(Tag), rows)
        session.commit()
        assert mine(api, media.id, tags=["spare 7"])["tags"] == ["spare 7"]
        full = api.patch(f"/media/{media.id}/mine", json={"tags": ["one more"]})
        assert error(full) == (409, "E_TOO_MANY_TAGS")
        assert own(api, media.id)["tags"] == ["spare 7"]


def test_tags_from_several_places_at_once(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    items = [make_media(session, viewer).id for _ in range(4)]
    with nexus.api(viewer.user_id) as api, ThreadPoolExecutor(8) as pool:

        def tag(number: int) -> int:
            """Changes, merges and removals of the same few tags and items, in turns."""
            ids = [str(item) for item in (items if number % 2 else items[::-1])]
            change = {"media_ids": ids, "add_tags": ["a", "b", "c"][:: 1 if number % 3 else -1]}
            if number % 5 == 4:
                return api.patch("/tags/a", json={"name": "b"}).status_code
            if number % 7 == 6:
                return api.post("/media/bulk/remove", json={"media_ids": ids}).status_code
            if number % 7 == 0:
                return api.post("/media/bulk/restore", json={"media_ids": ids}).status_code
            return api.patch("/media/bulk/mine", json=change).status_code

        assert set(pool.map(tag, range(150))) <= {200, 204, 404}
