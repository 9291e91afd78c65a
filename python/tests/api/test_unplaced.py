"""Highlights from elsewhere over the API: listed, placed by hand, deleted and brought back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor
from nexus.importers.records import ImportedHighlight
from nexus.services import unplaced
from nexus.services.unplaced_place import place
from tests.factories import make_article, make_user
from tests.highlights import Reader, highlight_body
from tests.live import LiveNexus

MADE = datetime(2019, 5, 1, tzinfo=UTC)
QUOTE = ImportedHighlight(
    "This sentence stands in no text of ours.",
    prefix="Before. ",
    note="kept",
    color=HighlightColor.GREEN,
    page="12",
    created_at=MADE,
)


@pytest.fixture
def reader(nexus: LiveNexus, session: Session) -> Iterator[Reader]:
    reader = Reader(nexus, session)
    with reader.api:
        yield reader


def keep(session: Session, reader: Reader, *highlights: ImportedHighlight) -> list[dict[str, Any]]:
    """What is listed after these were looked for in the text."""
    media_id, user_id = reader.fragment.media_id, reader.viewer.user_id
    unplaced.keep(
        session, user_id=user_id, media_id=media_id, import_id=None, highlights=highlights
    )
    place(session, user_id=user_id, media_id=media_id)
    session.commit()
    return listed(reader.api, media_id)


def listed(api: httpx.Client, media_id: UUID) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = api.get(f"/media/{media_id}/unplaced").json()["data"]["unplaced"]
    return data


def chosen(reader: Reader, start: int, end: int, **changes: Any) -> dict[str, Any]:
    body = highlight_body(reader.text, start, end, **changes)
    return {"fragment_id": str(reader.fragment.id), **body}


def test_what_is_listed(reader: Reader, session: Session) -> None:
    (shown,) = keep(session, reader, QUOTE)
    assert shown == {
        "id": shown["id"],
        "media_id": str(reader.fragment.media_id),
        "quote": QUOTE.quote,
        "prefix": "Before. ",
        "suffix": "",
        "note": "kept",
        "color": "green",
        "page": "12",
        "state": "not_found",
        "created_at": "2019-05-01T00:00:00Z",
    }


def test_placed_by_hand(reader: Reader, session: Session) -> None:
    (shown,) = keep(session, reader, QUOTE)
    body = chosen(reader, 4, 15, id=str(uuid4()), color="green")
    url = f"/unplaced/{shown['id']}/place"
    made = reader.api.post(url, json=body)
    assert made.status_code == 201, made.text
    data = made.json()["data"]
    assert (data["id"], data["exact"], data["color"]) == (body["id"], reader.text[4:15], "green")
    assert data["created_at"] == "2019-05-01T00:00:00Z"
    assert data["annotation"]["body"] == "kept"
    assert listed(reader.api, reader.fragment.media_id) == []
    assert reader.listed() == [data]
    again = reader.api.post(url, json=body)
    assert (again.status_code, again.json()["data"]) == (200, data)


def test_placed_where_a_highlight_is(reader: Reader, session: Session) -> None:
    there = reader.created(4, 15)
    reader.api.put(f"/highlights/{there['id']}/annotation", json={"body": "mine"})
    (shown,) = keep(session, reader, QUOTE)
    joined = reader.api.post(f"/unplaced/{shown['id']}/place", json=chosen(reader, 4, 15))
    assert joined.status_code == 200, joined.text
    assert joined.json()["data"]["id"] == there["id"]
    assert joined.json()["data"]["annotation"]["body"] == "mine\n\nkept"
    assert len(reader.listed()) == 1


def test_a_span_that_does_not_fit_changes_nothing(reader: Reader, session: Session) -> None:
    shown = keep(session, reader, QUOTE)
    url = f"/unplaced/{shown[0]['id']}/place"
    wrong = reader.api.post(url, json=chosen(reader, 4, 15, exact="another one"))
    assert wrong.status_code == 400
    assert wrong.json()["error"]["code"] == "E_HIGHLIGHT_INVALID_RANGE"
    other = make_article(session, reader.viewer, text=reader.text)
    elsewhere = {**chosen(reader, 4, 15), "fragment_id": str(other.id)}
    assert reader.api.post(url, json=elsewhere).status_code == 404
    long = keep(session, reader, ImportedHighlight("", note="x" * 10_001))[-1]
    refused = reader.api.post(f"/unplaced/{long['id']}/place", json=chosen(reader, 4, 15))
    assert refused.status_code == 400
    assert reader.listed() == []
    assert len(listed(reader.api, reader.fragment.media_id)) == 2


def test_deleted_and_brought_back(reader: Reader, session: Session) -> None:
    (shown,) = keep(session, reader, QUOTE)
    url = f"/unplaced/{shown['id']}"
    assert reader.api.post(f"{url}/restore").status_code == 404
    assert reader.api.delete(url).status_code == 204
    assert listed(reader.api, reader.fragment.media_id) == []
    assert reader.api.delete(url).status_code == 404
    back = reader.api.post(f"{url}/restore")
    assert (back.status_code, back.json()["data"]) == (200, shown)
    assert listed(reader.api, reader.fragment.media_id) == [shown]


def test_nobody_else_sees_or_touches_them(
    reader: Reader, session: Session, nexus: LiveNexus
) -> None:
    (shown,) = keep(session, reader, QUOTE)
    url, media = f"/unplaced/{shown['id']}", f"/media/{reader.fragment.media_id}/unplaced"
    with nexus.api(make_user(session).user_id) as stranger:
        place_there = stranger.post(f"{url}/place", json=chosen(reader, 4, 15))
        answers = [stranger.get(media), place_there, stranger.delete(url)]
        answers.append(stranger.post(f"{url}/restore"))
        assert [answer.status_code for answer in answers] == [404] * 4
    assert listed(reader.api, reader.fragment.media_id) == [shown]


def test_removing_the_item_takes_them_along(reader: Reader, session: Session) -> None:
    (shown,) = keep(session, reader, QUOTE)
    media = f"/media/{reader.fragment.media_id}"
    assert reader.api.delete(media).status_code == 204
    assert reader.api.get(f"{media}/unplaced").status_code == 404
    assert reader.api.delete(f"/unplaced/{shown['id']}").status_code == 404
    assert reader.api.post(f"{media}/restore").status_code == 200
    assert listed(reader.api, reader.fragment.media_id) == [shown]
