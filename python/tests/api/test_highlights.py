"""Highlights over the live API."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import delete, event, select, update
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import DeletedHighlight, Fragment, Highlight, LibraryMedia, Media
from nexus.db.session import get_engine, get_session_factory
from tests.factories import make_article, make_media, make_user
from tests.highlights import TEXT, Reader, highlight_body
from tests.live import LiveNexus, somebody_waits, wait_for
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def reader(nexus: LiveNexus, session: Session) -> Iterator[Reader]:
    reader = Reader(nexus, session)
    with reader.api:
        yield reader


def test_create_answers_the_whole_highlight(reader: Reader) -> None:
    created = reader.created(4, 21, color="green")
    expected = {**highlight_body(TEXT, 4, 21, color="green"), "annotation": None}
    assert {key: created[key] for key in expected} == expected
    assert created["fragment_id"] == str(reader.fragment.id)
    assert reader.api.get(f"/highlights/{created['id']}").json()["data"] == created
    assert reader.listed() == [created]


@pytest.mark.parametrize(
    "changes",
    [
        {"start_offset": -1},
        {"start_offset": 21, "end_offset": 21},
        {"start_offset": 22},
        {"end_offset": 10_000},
        {"start_offset": 10_000, "end_offset": 10_001},
        {"end_offset": 2**40},
        {"exact": "something else"},
        {"exact": TEXT[4:20]},
        {"prefix": ""},
        {"prefix": "x" + TEXT[1:4]},
        {"suffix": TEXT[21:84]},
        {"suffix": TEXT[21:86]},
    ],
)
def test_a_span_that_does_not_match_is_refused(reader: Reader, changes: dict[str, Any]) -> None:
    answer = reader.create(4, 21, **changes)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "E_HIGHLIGHT_INVALID_RANGE"
    assert reader.listed() == []


@pytest.mark.parametrize(
    "changes",
    [
        {"color": "red"},
        {"color": None},
        {"start_offset": "4"},
        {"start_offset": 4.5},
        {"start_offset": True},
        {"exact": None},
        {"exact": "a\x00b"},
        {"user_id": str(uuid4())},
    ],
)
def test_malformed_bodies_are_refused(reader: Reader, changes: dict[str, Any]) -> None:
    answer = reader.create(4, 21, **changes)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "E_INVALID_REQUEST"


def test_overlaps_are_kept_apart_and_the_same_span_conflicts(reader: Reader) -> None:
    spans = [(0, 30), (10, 40), (10, 20), (0, 30 + 1)]
    for start, end in spans:
        reader.created(start, end)
    again = reader.create(10, 40, color="blue")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "E_HIGHLIGHT_CONFLICT")
    listed = [(row["start_offset"], row["end_offset"]) for row in reader.listed()]
    assert listed == sorted(spans)


def test_two_creates_of_one_span_at_once(reader: Reader) -> None:
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: reader.create(3, 9).status_code, range(8)))
    assert sorted(statuses) == [201] + [409] * 7


def test_two_people_may_highlight_the_same_span(
    nexus: LiveNexus, session: Session, reader: Reader
) -> None:
    other = make_user(session)
    session.add(
        LibraryMedia(library_id=other.default_library_id, media_id=reader.fragment.media_id)
    )
    session.commit()
    own = reader.created(4, 9)
    with nexus.api(other.user_id) as api:
        created = api.post(reader.url, json=highlight_body(TEXT, 4, 9))
        assert created.status_code == 201
        assert [row["id"] for row in api.get(reader.url).json()["data"]["highlights"]] == [
            created.json()["data"]["id"]
        ]
        assert api.get(f"/highlights/{own['id']}").status_code == 404


def test_unreadable_media_is_not_ready(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer, processing_status=ProcessingStatus.EXTRACTING)
    fragment = Fragment(media_id=media.id, idx=0, html_sanitized="<p>ab</p>", canonical_text="ab")
    session.add(fragment)
    session.commit()
    with nexus.api(viewer.user_id) as api:
        answer = api.post(f"/fragments/{fragment.id}/highlights", json=highlight_body("ab", 0, 1))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "E_MEDIA_NOT_READY")


def test_patch_keeps_identity(reader: Reader) -> None:
    created = reader.created(4, 9)
    url = f"/highlights/{created['id']}"
    reader.api.put(f"{url}/annotation", json={"body": "kept"})
    moved = reader.api.patch(url, json=highlight_body(TEXT, 10, 25, color="pink")).json()["data"]
    assert moved["id"] == created["id"]
    assert moved["created_at"] == created["created_at"]
    assert moved["updated_at"] > created["updated_at"]
    assert (moved["start_offset"], moved["exact"], moved["color"]) == (10, TEXT[10:25], "pink")
    assert moved["annotation"]["body"] == "kept"


def test_patch_of_colour_alone(reader: Reader) -> None:
    created = reader.created(4, 9)
    patched = reader.api.patch(f"/highlights/{created['id']}", json={"color": "purple"})
    assert patched.status_code == 200
    assert patched.json()["data"]["color"] == "purple"
    assert patched.json()["data"]["exact"] == created["exact"]


@pytest.mark.parametrize(
    ("patch", "status", "code"),
    [
        ({"start_offset": 5}, 400, "E_INVALID_REQUEST"),
        ({"start_offset": 5, "end_offset": 9, "exact": TEXT[5:9]}, 400, "E_INVALID_REQUEST"),
        ({**highlight_body(TEXT, 5, 9), "exact": "nope"}, 400, "E_HIGHLIGHT_INVALID_RANGE"),
        ({"exact": "nope"}, 400, "E_HIGHLIGHT_INVALID_RANGE"),
        ({"color": "beige"}, 400, "E_INVALID_REQUEST"),
        ({"color": None}, 400, "E_INVALID_REQUEST"),
        ({"start_offset": None}, 400, "E_INVALID_REQUEST"),
        (highlight_body(TEXT, 20, 30), 409, "E_HIGHLIGHT_CONFLICT"),
    ],
)
def test_refused_patches_change_nothing(
    reader: Reader, patch: dict[str, Any], status: int, code: str
) -> None:
    created = reader.created(4, 9)
    reader.created(20, 30)
    answer = reader.api.patch(f"/highlights/{created['id']}", json=patch)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert reader.api.get(f"/highlights/{created['id']}").json()["data"] == created


def test_notes_are_put_and_deleted(reader: Reader) -> None:
    created = reader.created(4, 9)
    url = f"/highlights/{created['id']}/annotation"
    hostile = "<script>alert(1)</script> & ‮ 'quoted' \n second line"
    first = reader.api.put(url, json={"body": hostile})
    assert first.status_code == 201
    assert first.json()["data"]["body"] == hostile
    second = reader.api.put(url, json={"body": "changed"})
    assert second.status_code == 200
    assert second.json()["data"]["id"] == first.json()["data"]["id"]
    assert second.json()["data"]["updated_at"] > first.json()["data"]["updated_at"]
    assert reader.listed()[0]["annotation"]["body"] == "changed"
    for _ in range(2):
        assert reader.api.delete(url).status_code == 204
        assert reader.listed()[0]["annotation"] is None


def test_a_note_that_is_not_there_is_as_good_as_deleted(reader: Reader) -> None:
    created = reader.created(4, 9)
    answer = reader.api.delete(f"/highlights/{created['id']}/annotation")
    assert (answer.status_code, answer.content) == (204, b"")
    assert reader.listed() == [created]
    nowhere = reader.api.delete(f"/highlights/{uuid4()}/annotation")
    assert (nowhere.status_code, nowhere.json()["error"]["code"]) == (404, "E_NOT_FOUND")


@pytest.mark.parametrize("body", ["", "  \n\t ", "x" * 10_001, "a\x00b", None, 5])
def test_bad_notes_are_refused(reader: Reader, body: Any) -> None:
    url = f"/highlights/{reader.created(4, 9)['id']}/annotation"
    answer = reader.api.put(url, json={"body": body})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_INVALID_REQUEST")
    assert reader.listed()[0]["annotation"] is None


def test_a_note_may_have_ten_thousand_characters(reader: Reader) -> None:
    url = f"/highlights/{reader.created(4, 9)['id']}/annotation"
    assert reader.api.put(url, json={"body": "🦊" * 10_000}).status_code == 201


def test_delete_and_undo_bring_back_the_very_same(reader: Reader) -> None:
    created = reader.created(4, 9, color="blue")
    url = f"/highlights/{created['id']}"
    reader.api.put(f"{url}/annotation", json={"body": "precious"})
    before = reader.api.get(url).json()["data"]
    assert reader.api.delete(url).status_code == 204
    assert reader.api.get(url).status_code == 404
    assert reader.listed() == []
    restored = reader.api.post(f"{url}/restore")
    assert restored.status_code == 200
    assert restored.json()["data"] == before
    assert reader.api.post(f"{url}/restore").status_code == 404


def test_undo_after_the_window_or_a_new_highlight(reader: Reader, session: Session) -> None:
    created = reader.created(4, 9)
    url = f"/highlights/{created['id']}"
    reader.api.delete(url)
    reader.created(4, 9)
    conflict = reader.api.post(f"{url}/restore")
    assert (conflict.status_code, conflict.json()["error"]["code"]) == (409, "E_HIGHLIGHT_CONFLICT")
    long_ago = DeletedHighlight.deleted_at - timedelta(seconds=31)
    session.execute(update(DeletedHighlight).values(deleted_at=long_ago))
    session.commit()
    assert reader.api.post(f"{url}/restore").status_code == 404


def test_losing_the_media_hides_and_regaining_it_brings_back(
    reader: Reader, session: Session
) -> None:
    created = reader.created(4, 9)
    held = {
        "library_id": reader.viewer.default_library_id,
        "media_id": reader.fragment.media_id,
    }
    session.execute(delete(LibraryMedia).filter_by(**held))
    session.commit()
    url = f"/highlights/{created['id']}"
    missing = reader.api.get(f"/highlights/{uuid4()}")
    for answer in (
        reader.api.get(url),
        reader.api.patch(url, json={"color": "blue"}),
        reader.api.delete(url),
        reader.api.put(f"{url}/annotation", json={"body": "x"}),
        reader.api.get(reader.url),
    ):
        assert answer.status_code == 404
        assert _comparable(answer) == _comparable(missing)
    assert reader.api.get("/highlights").json()["data"]["highlights"] == []
    session.add(LibraryMedia(**held))
    session.commit()
    assert reader.listed() == [created]


def test_all_highlights_newest_first_with_titles(reader: Reader) -> None:
    ids = [reader.created(start, start + 5)["id"] for start in (30, 10, 20)]
    url: str | None = "/highlights?limit=2"
    seen: list[dict[str, Any]] = []
    while url is not None:
        data = reader.api.get(url).json()["data"]
        seen += data["highlights"]
        cursor = data["next_cursor"]
        url = f"/highlights?limit=2&cursor={cursor}" if cursor else None
    assert [row["id"] for row in seen] == ids[::-1]
    assert {(row["media_id"], row["media_title"]) for row in seen} == {
        (str(reader.fragment.media_id), "An article")
    }


def test_a_thousand_overlapping_highlights_list_in_one_query(
    reader: Reader, session: Session
) -> None:
    text = reader.text
    session.add_all(
        Highlight(user_id=reader.viewer.user_id, fragment_id=reader.fragment.id, **fields)
        for fields in (highlight_body(text, i % 40, 50 + i // 10 + i % 40) for i in range(1000))
        if fields["end_offset"] <= len(text)
    )
    session.commit()
    stored = session.scalars(
        select(Highlight.id)
        .where(Highlight.fragment_id == reader.fragment.id)
        .order_by(Highlight.start_offset, Highlight.end_offset, Highlight.id)
    ).all()
    statements: list[str] = []

    def note(_c: Any, _cur: Any, statement: str, *_rest: Any) -> None:
        if "FROM highlights" in statement:
            statements.append(statement)

    event.listen(get_engine(), "before_cursor_execute", note)
    try:
        listed = reader.api.get(f"/media/{reader.fragment.media_id}/highlights").json()["data"]
    finally:
        event.remove(get_engine(), "before_cursor_execute", note)
    assert len(stored) > 900
    assert [row["id"] for row in listed["highlights"]] == [str(id) for id in stored]
    assert len(statements) == 1


def _comparable(answer: httpx.Response) -> tuple[Any, dict[str, str]]:
    error = answer.json()["error"]
    headers = {
        name: value
        for name, value in answer.headers.items()
        if name not in {"date", "x-request-id"}
    }
    return (error["code"], error["message"]), headers


@pytest.mark.parametrize("write", ["highlight", "position"])
def test_writing_on_an_item_that_is_deleted_at_that_moment(
    write: str, nexus: LiveNexus, session: Session
) -> None:
    """The row is seen, and gone when the write refers to it: not found, not a crash."""
    viewer = make_user(session)
    fragment = make_article(session, viewer, text=TEXT)
    fragment_id, media_id = fragment.id, fragment.media_id
    requests = {
        "highlight": ("POST", f"/fragments/{fragment_id}/highlights", highlight_body(TEXT, 0, 4)),
        "position": (
            "PUT",
            f"/media/{media_id}/position",
            {"fragment_id": str(fragment_id), "offset": 1, "changed_at": "2026-01-01T00:00:00Z"},
        ),
    }
    method, path, body = requests[write]
    with get_session_factory()() as deleting, nexus.api(viewer.user_id) as api:
        deleting.execute(delete(Media).where(Media.id == media_id))
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(api.request, method, path, json=body)
            wait_for(lambda: somebody_waits(session))
            deleting.commit()
            assert answer.result(PATIENCE_SECONDS).status_code == 404
