"""Removing an item takes what is the person's own with it; undo brings it back."""

from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole
from nexus.db.models import Fragment, Media
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_library, make_user
from tests.highlights import highlight_body
from tests.live import LiveNexus
from tests.media_states import let_undo_expire

TEXT = "Tides follow the moon, and the moon follows nobody."


def mark(api: httpx.Client, fragment: Fragment, start: int, end: int, note: str = "") -> str:
    body = highlight_body(TEXT, start, end)
    made: str = api.post(f"/fragments/{fragment.id}/highlights", json=body).json()["data"]["id"]
    if note:
        api.put(f"/highlights/{made}/annotation", json={"body": note})
    return made


def own(api: httpx.Client, fragment: Fragment) -> dict[str, Any]:
    """All that is the person's about the item."""
    media = f"/media/{fragment.media_id}"
    paths = (media, f"{media}/highlights", f"{media}/position", f"{media}/libraries")
    shown = {path: api.get(path).json()["data"] for path in paths}
    shown["all"] = api.get("/highlights").json()["data"]["highlights"]
    return shown


def read_and_marked(nexus: LiveNexus, session: Session, *people: Viewer) -> Fragment:
    """An article all of them hold, each with two highlights, a note and a place."""
    libraries = [person.default_library_id for person in people]
    fragment = make_article(session, people[0], text=TEXT, library_ids=libraries)
    for person in people:
        with nexus.api(person.user_id) as api:
            mark(api, fragment, 0, 5, note="A note")
            mark(api, fragment, 3, 21)
            place = {
                "fragment_id": str(fragment.id),
                "offset": 7,
                "changed_at": "2026-01-01T00:00:00Z",
            }
            assert api.put(f"/media/{fragment.media_id}/position", json=place).status_code == 200
    return fragment


@pytest.mark.parametrize("way", ["item", "library"])
def test_what_was_removed_is_gone_though_others_hold_it(
    way: str, nexus: LiveNexus, session: Session
) -> None:
    viewer, other = make_user(session), make_user(session)
    fragment = read_and_marked(nexus, session, viewer, other)
    paths = {
        "item": f"/media/{fragment.media_id}",
        "library": f"/libraries/{viewer.default_library_id}/media/{fragment.media_id}",
    }
    with nexus.api(other.user_id) as theirs:
        before = own(theirs, fragment)
        with nexus.api(viewer.user_id) as api:
            assert api.delete(paths[way]).status_code == 204
            _put_back_by_hand(session, viewer, fragment.media_id)
            shown = own(api, fragment)
        assert shown[f"/media/{fragment.media_id}/highlights"]["highlights"] == []
        assert shown[f"/media/{fragment.media_id}/position"] is None
        assert shown["all"] == []
        assert own(theirs, fragment) == before, "nobody else loses anything"


def _put_back_by_hand(session: Session, viewer: Viewer, media_id: UUID) -> None:
    """As by saving the address again: the item, and nothing that was removed with it."""
    from nexus.services.library_media import ensure_in_default_library

    ensure_in_default_library(session, user_id=viewer.user_id, media_id=media_id)
    session.commit()


@pytest.mark.parametrize("alone", [True, False])
def test_undo_brings_back_everything(alone: bool, nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    people = [viewer] if alone else [viewer, make_user(session)]
    fragment = read_and_marked(nexus, session, *people)
    shelf = make_library(session, viewer)
    with nexus.api(viewer.user_id) as api:
        api.post(f"/libraries/{shelf.id}/media", json={"media_id": str(fragment.media_id)})
        before = own(api, fragment)
        assert api.delete(f"/media/{fragment.media_id}").status_code == 204
        assert api.get(f"/media/{fragment.media_id}").status_code == 404
        restored = api.post(f"/media/{fragment.media_id}/restore")
        assert restored.status_code == 200
        assert restored.json()["data"] == before[f"/media/{fragment.media_id}"]
        assert own(api, fragment) == before
        again = api.post(f"/media/{fragment.media_id}/restore")
        assert (again.status_code, again.json()["error"]["code"]) == (404, "E_MEDIA_NOT_FOUND")


def test_undo_ends_and_is_nobody_elses(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    fragment = read_and_marked(nexus, session, viewer)
    media_id = fragment.media_id
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as theirs:
        api.delete(f"/media/{media_id}")
        assert theirs.post(f"/media/{media_id}/restore").status_code == 404
        let_undo_expire(session)
        assert api.post(f"/media/{media_id}/restore").status_code == 404
    assert session.scalar(select(Media.id).where(Media.id == media_id)) is None


def test_highlights_stay_while_a_shared_library_holds_the_item(
    nexus: LiveNexus, session: Session
) -> None:
    """It is still one of the person's libraries: nothing that can be seen disappears."""
    viewer, friend = make_user(session), make_user(session)
    fragment = read_and_marked(nexus, session, viewer)
    shared = make_library(session, friend, members={viewer.user_id: MembershipRole.ADMIN})
    with nexus.api(viewer.user_id) as api:
        api.post(f"/libraries/{shared.id}/media", json={"media_id": str(fragment.media_id)})
        api.delete(f"/media/{fragment.media_id}")
        let_undo_expire(session)
        shown = own(api, fragment)
    assert len(shown["all"]) == 2


def test_undo_after_the_address_was_saved_again(nexus: LiveNexus, session: Session) -> None:
    """Both are wanted: what was made since stays, what was removed comes back."""
    viewer = make_user(session)
    fragment = read_and_marked(nexus, session, viewer)
    with nexus.api(viewer.user_id) as api:
        old = own(api, fragment)["all"]
        api.delete(f"/media/{fragment.media_id}")
        _put_back_by_hand(session, viewer, fragment.media_id)
        same_span = mark(api, fragment, 0, 5)
        new_span = mark(api, fragment, 30, 34)
        assert api.post(f"/media/{fragment.media_id}/restore").status_code == 200
        shown = {one["id"] for one in own(api, fragment)["all"]}
    unchanged = {one["id"] for one in old if one["end_offset"] != 5}
    assert shown == {same_span, new_span} | unchanged


def test_removed_while_it_is_read_it_does_not_come_back(nexus: LiveNexus, session: Session) -> None:
    from tests.api.test_personal_saves import fresh_page, ingest, saved_id

    viewer, page = make_user(session), fresh_page()
    with nexus.api(make_user(session).user_id) as api:
        winner = saved_id(api, page)
        ingest(session, winner, final_url=page)
    with nexus.api(viewer.user_id) as api:
        loser = api.post("/media/from_url", json={"url": fresh_page()}).json()["data"]["media_id"]
        assert api.delete(f"/media/{loser}").status_code == 204
        assert ingest(session, UUID(loser), final_url=page, actor=viewer) == "merged"
        assert api.get("/media").json()["data"]["media"] == []
        assert api.post(f"/media/{loser}/restore").json()["data"]["id"] == str(winner)
        assert [item["id"] for item in api.get("/media").json()["data"]["media"]] == [str(winner)]
