"""Preferences and places, kept for the next device."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from tests.factories import make_article, make_user
from tests.live import LiveNexus

CHOICE = {"theme": "dark", "font": "sans", "width": "wide", "size": 22}


def at(minute: int) -> str:
    return f"2026-02-03T04:{minute:02}:00Z"


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_preferences_are_the_ones_chosen_last(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    with nexus.api(viewer.user_id) as api:
        assert api.get("/me/preferences").json() == {"data": None}
        first = api.put("/me/preferences", json={**CHOICE, "changed_at": at(10)})
        assert (first.status_code, first.json()["data"]["size"]) == (200, 22)
        newer = {**CHOICE, "theme": "sepia", "changed_at": at(30)}
        assert api.put("/me/preferences", json=newer).json()["data"]["theme"] == "sepia"
        # A device that was offline sends what is older by now.
        older = {**CHOICE, "theme": "light", "changed_at": at(20)}
        kept = api.put("/me/preferences", json=older).json()["data"]
        assert kept == api.get("/me/preferences").json()["data"]
        assert (kept["theme"], moment(kept["changed_at"])) == ("sepia", moment(at(30)))


def test_highlights_in_code_are_allowed_per_person(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as others:

        def put(minute: int, **more: Any) -> bool:
            sent = {**CHOICE, "changed_at": at(minute), **more}
            kept = api.put("/me/preferences", json=sent).json()["data"]
            assert kept == api.get("/me/preferences").json()["data"]
            return bool(kept["highlight_code"])

        assert put(1) is False
        assert put(3, highlight_code=True) is True
        # An older choice changes nothing, nor does an app that does not know of it.
        assert put(2, highlight_code=False) is True
        assert put(4) is True
        assert put(5, highlight_code=False) is False
        kept = others.put("/me/preferences", json={**CHOICE, "changed_at": at(9)}).json()["data"]
        assert kept["highlight_code"] is False


def test_a_clock_that_is_ahead_does_not_win_for_ever(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    ahead = (datetime.now(UTC) + timedelta(days=400)).isoformat()
    with nexus.api(viewer.user_id) as api:
        kept = api.put("/me/preferences", json={**CHOICE, "changed_at": ahead}).json()["data"]
        assert moment(kept["changed_at"]) <= datetime.now(UTC) + timedelta(seconds=5)


def test_places_are_kept_for_each_person(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    article = make_article(
        session, viewer, library_ids=[viewer.default_library_id, other.default_library_id]
    )
    path = f"/media/{article.media_id}/position"
    place: dict[str, Any] = {"fragment_id": str(article.id), "offset": 5, "changed_at": at(10)}
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as others:
        assert api.get(path).json() == {"data": None}
        assert api.put(path, json=place).json()["data"]["offset"] == 5
        assert api.put(path, json={**place, "offset": 9, "changed_at": at(9)}).is_success
        kept = api.get(path).json()["data"]
        assert (kept["fragment_id"], kept["offset"]) == (str(article.id), 5)
        assert others.get(path).json() == {"data": None}


def test_a_place_is_in_a_text_of_the_item(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    article, another = make_article(session, viewer), make_article(session, viewer)
    path = f"/media/{article.media_id}/position"
    with nexus.api(viewer.user_id) as api:
        for fragment_id in (another.id, uuid4()):
            place = {"fragment_id": str(fragment_id), "offset": 1, "changed_at": at(1)}
            answer = api.put(path, json=place)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "E_NOT_FOUND")


@pytest.mark.parametrize(
    "wrong",
    [
        {"theme": "neon"},
        {"font": 7},
        {"width": None},
        {"size": 7},
        {"size": 73},
        {"size": "22"},
        {"highlight_code": "yes"},
        {"highlight_code": 1},
        {"highlight_code": None},
        {"changed_at": "2026-01-01T00:00:00"},
        {"changed_at": "yesterday"},
        {"changed_at": 1_700_000_000},
        {"changed_at": "0001-01-01T00:00:00+23:59"},
        {"more": 1},
    ],
    ids=str,
)
def test_wrong_preferences_are_refused(
    nexus: LiveNexus, session: Session, wrong: dict[str, Any]
) -> None:
    viewer = make_user(session)
    with nexus.api(viewer.user_id) as api:
        answer = api.put("/me/preferences", json={**CHOICE, "changed_at": at(1), **wrong})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_INVALID_REQUEST")
        assert api.get("/me/preferences").json() == {"data": None}
