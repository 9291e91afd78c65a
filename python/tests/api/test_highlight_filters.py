"""Narrowing the list of one's highlights, and copying it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Highlight, LibraryMedia, Media
from nexus.export.passages import MOST_COPIED
from tests.factories import make_article, make_library, make_user
from tests.highlights import TEXT, Reader, highlight_body
from tests.live import LiveNexus


@pytest.fixture
def reader(nexus: LiveNexus, session: Session) -> Iterator[Reader]:
    reader = Reader(nexus, session)
    with reader.api:
        yield reader


def ids(reader: Reader, **wanted: Any) -> list[str]:
    answer = reader.api.get("/highlights", params=wanted)
    assert answer.status_code == 200, answer.text
    return [row["id"] for row in answer.json()["data"]["highlights"]]


def copied(reader: Reader, **wanted: Any) -> dict[str, Any]:
    answer = reader.api.get("/highlights/markdown", params=wanted)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def another_article(reader: Reader, session: Session, **fields: Any) -> Fragment:
    return make_article(session, reader.viewer, text=TEXT, **fields)


def highlight_in(reader: Reader, fragment: Fragment, start: int, end: int) -> str:
    url = f"/fragments/{fragment.id}/highlights"
    answer = reader.api.post(url, json=highlight_body(TEXT, start, end))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])


def test_by_color(reader: Reader) -> None:
    yellow = reader.created(0, 3)["id"]
    green = reader.created(4, 9, color="green")["id"]
    blue = reader.created(10, 15, color="blue")["id"]
    assert ids(reader, color="green") == [green]
    assert ids(reader, color=["blue", "yellow"]) == [blue, yellow]
    assert reader.api.get("/highlights?color=mauve").status_code == 400


def test_by_words_of_the_passage_or_the_note(reader: Reader) -> None:
    fox = reader.created(4, 19)["id"]
    jumps = reader.created(22, 36)["id"]
    reader.api.put(f"/highlights/{fox}/annotation", json={"body": "Clever animals, foxes."})
    assert (
        ids(reader, q="quick") == ids(reader, q="animal") == ids(reader, q='"brown fox"') == [fox]
    )
    assert ids(reader, q="jumping -fox") == [jumps]
    assert ids(reader, q="zebra") == []
    assert ids(reader, q=" ") == [jumps, fox]
    refused = reader.api.get("/highlights", params={"q": "kind:pdf fox"})
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "E_SEARCH_INVALID"


def test_nobody_elses_words_are_found(reader: Reader, nexus: LiveNexus, session: Session) -> None:
    other = Reader(nexus, session)
    with other.api:
        other.created(4, 19)
    assert ids(reader, q="fox") == []


def test_by_tag(reader: Reader, session: Session) -> None:
    reader.created(0, 3)
    tagged = another_article(reader, session)
    reader.api.patch(f"/media/{tagged.media_id}/mine", json={"tags": ["Foxes", "Dogs"]})
    there = highlight_in(reader, tagged, 0, 3)
    assert ids(reader, tag="foxes") == ids(reader, tag=["Foxes", "dogs"]) == [there]
    assert ids(reader, tag=["Foxes", "cats"]) == []


def test_by_item(reader: Reader, session: Session) -> None:
    here = reader.created(0, 3)["id"]
    there = highlight_in(reader, other := another_article(reader, session), 0, 3)
    assert ids(reader, media_id=reader.fragment.media_id) == [here]
    assert ids(reader, media_id=other.media_id) == [there]


def test_by_library(reader: Reader, session: Session) -> None:
    library = make_library(session, reader.viewer)
    reader.created(0, 3)
    shelved = another_article(reader, session)
    session.add(LibraryMedia(library_id=library.id, media_id=shelved.media_id))
    session.commit()
    there = highlight_in(reader, shelved, 0, 3)
    assert ids(reader, library_id=library.id) == [there]
    assert len(ids(reader, library_id=reader.viewer.default_library_id)) == 2


def test_by_day(reader: Reader, session: Session) -> None:
    made = {}
    for start, moment in enumerate(
        [
            datetime(2025, 3, 1, 23, 59, 59, tzinfo=UTC),
            datetime(2025, 3, 2, tzinfo=UTC),
            datetime(2025, 3, 3, tzinfo=UTC),
        ]
    ):
        made[start] = reader.created(start, start + 3)["id"]
        row = update(Highlight).where(Highlight.id == made[start])
        session.execute(row.values(created_at=moment))
    session.commit()
    assert ids(reader, after="2025-03-02") == [made[2], made[1]]
    assert ids(reader, before="2025-03-02") == [made[0]]
    assert ids(reader, after="2025-03-02", before="2025-03-03") == [made[1]]
    assert reader.api.get("/highlights?after=yesterday").status_code == 400


@pytest.mark.parametrize("path", ["/highlights", "/highlights/markdown"])
def test_items_and_libraries_of_others_are_not_found(
    reader: Reader, session: Session, path: str
) -> None:
    somebody = make_user(session)
    theirs = make_article(session, somebody, text=TEXT)
    for wanted in (
        {"media_id": theirs.media_id},
        {"media_id": uuid4()},
        {"library_id": somebody.default_library_id},
        {"library_id": uuid4()},
    ):
        params = {name: str(value) for name, value in wanted.items()}
        assert reader.api.get(path, params=params).status_code == 404


def test_pages_keep_to_the_filter(reader: Reader) -> None:
    greens = [reader.created(n, n + 4, color="green")["id"] for n in range(0, 40, 8)]
    for n in range(1, 40, 8):
        reader.created(n, n + 4)
    seen: list[str] = []
    cursor: str | None = None
    while True:
        params: dict[str, Any] = {"color": "green", "limit": 2}
        if cursor:
            params["cursor"] = cursor
        data = reader.api.get("/highlights", params=params).json()["data"]
        seen += [row["id"] for row in data["highlights"]]
        cursor = data["next_cursor"]
        if cursor is None:
            break
    assert seen == greens[::-1]


def test_copied_as_markdown_in_reading_order_with_sources(reader: Reader, session: Session) -> None:
    session.execute(
        update(Media)
        .where(Media.id == reader.fragment.media_id)
        .values(title="On *foxes*", canonical_source_url="https://example.org/foxes")
    )
    session.commit()
    later = reader.created(26, 30, color="blue")
    reader.created(4, 19)
    reader.api.put(f"/highlights/{later['id']}/annotation", json={"body": "Over _what_?"})
    other = another_article(reader, session, title="Dogs")
    highlight_in(reader, other, 0, 3)

    day = later["created_at"][:10]
    assert copied(reader, media_id=reader.fragment.media_id) == {
        "count": 2,
        "markdown": (
            "## On \\*foxes\\*\n\n<https://example.org/foxes>\n\n"
            f"> quick brown fox\n\n*yellow, {day}*\n\n"
            f"> s ov\n\n*blue, {day}*\n\nOver \\_what\\_?\n"
        ),
    }
    assert copied(reader, highlight_id=later["id"])["count"] == 1
    everything = copied(reader)["markdown"]
    assert everything.index("## Dogs") < everything.index("## On")


def test_nothing_to_copy(reader: Reader) -> None:
    assert copied(reader) == {"count": 0, "markdown": ""}


def test_too_many_to_copy(reader: Reader, session: Session) -> None:
    text = "x" * 1000
    fragment = make_article(session, reader.viewer, text=text)
    session.add_all(
        Highlight(
            user_id=reader.viewer.user_id,
            fragment_id=fragment.id,
            **highlight_body(text, start, start + 1),
        )
        for start in range(MOST_COPIED + 1)
    )
    session.commit()
    answer = reader.api.get("/highlights/markdown")
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "E_REQUEST_TOO_LARGE"
    assert str(MOST_COPIED) in answer.json()["error"]["message"]
