"""GET /media: order, pages, filters, shared libraries, and what it costs the database."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import event, insert, text
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, MembershipRole, ProcessingStatus
from nexus.db.models import LibraryMedia, Media
from nexus.db.session import get_engine
from nexus.schemas.media import MediaListItem
from nexus.services.media_filter import MediaFilter
from nexus.services.media_list import list_media
from nexus.services.viewer import Viewer
from tests.factories import make_library, make_media, make_user
from tests.live import LiveNexus
from tests.media_states import FIELDS_OF_STATE

START = datetime(2026, 1, 1, tzinfo=UTC)


def fill(
    session: Session, viewer: Viewer, count: int, *, library_id: UUID | None = None, **fields: Any
) -> list[UUID]:
    """Many items at once, a second apart, three at each moment; ids in the order of the list."""
    shelf = library_id or viewer.default_library_id
    moments = {uuid4(): START + timedelta(seconds=index // 3) for index in range(count)}
    values = {"kind": MediaKind.WEB_ARTICLE, "title": "x", "created_by_user_id": viewer.user_id}
    session.execute(insert(Media), [{"id": item, **values, **fields} for item in moments])
    session.execute(
        insert(LibraryMedia),
        [
            {"library_id": shelf, "media_id": item, "created_at": moment}
            for item, moment in moments.items()
        ],
    )
    session.commit()
    return sorted(moments, key=lambda item: (moments[item], item), reverse=True)


def pages(api: httpx.Client, **params: Any) -> list[list[UUID]]:
    found: list[list[UUID]] = []
    cursor: str | None = None
    while True:
        query = params if cursor is None else {**params, "cursor": cursor}
        answer = api.get("/media", params=query)
        assert answer.status_code == 200, answer.text
        data = answer.json()["data"]
        found.append([UUID(media["id"]) for media in data["media"]])
        cursor = data["next_cursor"]
        if cursor is None:
            return found


def everything(api: httpx.Client, **params: Any) -> list[UUID]:
    return [item for page in pages(api, **params) for item in page]


@pytest.mark.parametrize(("count", "limit"), [(0, 5), (1, 1), (10, 5), (11, 5), (23, 4)])
def test_pages_to_the_end(count: int, limit: int, nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    expected = fill(session, viewer, count) if count else []
    with nexus.api(viewer.user_id) as api:
        found = pages(api, limit=limit)
    assert [item for page in found for item in page] == expected
    assert all(len(page) == limit for page in found[:-1])
    assert count == 0 or found[-1]


def test_items_have_the_fields_of_their_schema_and_no_others(
    nexus: LiveNexus, session: Session
) -> None:
    viewer = make_user(session)
    fill(session, viewer, 1)
    with nexus.api(viewer.user_id) as api:
        [item] = api.get("/media").json()["data"]["media"]
    assert set(item) == set(MediaListItem.model_fields)
    MediaListItem.model_validate(item)


def test_nothing_lost_or_twice_while_items_come_and_go(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    before = fill(session, viewer, 30)
    seen: list[UUID] = []
    cursor: str | None = None
    with nexus.api(viewer.user_id) as api:
        while True:
            query = {"limit": 7} | ({"cursor": cursor} if cursor else {})
            data = api.get("/media", params=query).json()["data"]
            seen += [UUID(media["id"]) for media in data["media"]]
            cursor = data["next_cursor"]
            if cursor is None:
                break
            make_media(session, viewer)
            api.delete(f"/media/{seen[-1]}")
    assert seen == before


def test_filters(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    shelf = make_library(session, viewer)
    made: dict[UUID, tuple[MediaKind, ProcessingStatus]] = {}
    for kind in MediaKind:
        for status in ProcessingStatus:
            fields = {**FIELDS_OF_STATE[status], "processing_status": status}
            media = make_media(session, viewer, kind=kind, **fields)
            made[media.id] = (kind, status)
    some = list(made)[::4]
    session.execute(
        insert(LibraryMedia), [{"library_id": shelf.id, "media_id": item} for item in some]
    )
    session.commit()
    with nexus.api(viewer.user_id) as api:
        for kind in MediaKind:
            assert set(everything(api, kind=kind)) == {
                item for item in made if made[item][0] is kind
            }
        for status in ProcessingStatus:
            assert set(everything(api, status=status, limit=2)) == {
                item for item in made if made[item][1] is status
            }
        assert set(everything(api, library_id=shelf.id, limit=3)) == set(some)
        both = everything(api, kind="pdf", status="failed", library_id=viewer.default_library_id)
        assert [made[item] for item in both] == [(MediaKind.PDF, ProcessingStatus.FAILED)]


def order(session: Session, viewer: Viewer) -> dict[str, UUID]:
    """Four items that differ in everything, by name, the oldest first."""
    made = {}
    kinds = (MediaKind.PDF, MediaKind.WEB_ARTICLE, MediaKind.WEB_ARTICLE, MediaKind.EPUB)
    for name, kind, words in zip("bDac", kinds, (30, 20, None, 10), strict=True):
        title = "https://example.org/" if name == "D" else f"“{name}”"
        ready = ProcessingStatus.READY_FOR_READING
        media = make_media(
            session, viewer, title=title, kind=kind, word_count=words, processing_status=ready
        )
        made[name] = media.id
    return made


ORDERS = {"newest": "caDb", "oldest": "bDac", "opened": "Dacb", "title": "abcD", "length": "cDba"}


@pytest.mark.parametrize("sort", ORDERS)
@pytest.mark.parametrize("limit", [1, 3])
def test_orders(sort: str, limit: int, nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    made = order(session, viewer)
    names = {item: name for name, item in made.items()}
    with nexus.api(viewer.user_id) as api:
        for name in "aD":
            api.post(f"/media/{made[name]}/opened")
        api.patch(f"/media/{made['a']}/mine", json={"archived": True})
        for library in ({}, {"library_id": viewer.default_library_id}):
            found = everything(api, sort=sort, limit=limit, **library)
            assert "".join(names[item] for item in found) == ORDERS[sort]


def test_filters_by_what_is_ones_own(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    made = order(session, viewer)
    names = {item: name for name, item in made.items()}
    shelf = make_library(session, viewer, members={other.user_id: MembershipRole.MEMBER})
    changes: dict[str, dict[str, Any]] = {
        "a": {"archived": True, "tags": ["x", "y"]},
        "b": {"favourite": True, "tags": ["x"]},
        "c": {"state": "finished", "archived": True, "tags": ["y"]},
    }
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as others:
        for name, change in changes.items():
            api.patch(f"/media/{made[name]}/mine", json=change)
            path = f"/libraries/{shelf.id}/media"
            api.post(path, json={"media_id": str(made[name])})
        expected: list[tuple[dict[str, Any], str]] = [
            ({"archived": False}, "Db"),
            ({"archived": True}, "ca"),
            ({"favourite": True}, "b"),
            ({"favourite": False}, "caD"),
            ({"state": "unread"}, "aDb"),
            ({"state": "finished", "archived": False}, ""),
            ({"tag": "X"}, "ab"),
            ({"tag": ["x", "y"]}, "a"),
            ({"tag": ["x", "none"]}, ""),
            ({"tag": "y", "kind": "epub", "status": "ready_for_reading"}, "c"),
        ]
        for query, found in expected:
            assert "".join(names[item] for item in everything(api, **query)) == found, query
            in_shelf = everything(api, **query, library_id=shelf.id, sort="oldest", limit=1)
            assert set(in_shelf) == {made[name] for name in found} & set(
                everything(api, library_id=shelf.id)
            )
        # Each member filters by their own.
        assert everything(others, archived=True) == everything(others, tag="x") == []
        assert len(everything(others, archived=False)) == 3


def test_a_cursor_of_another_list(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    order(session, viewer)
    with nexus.api(viewer.user_id) as api:
        query: dict[str, Any] = {"sort": "title", "limit": 1, "archived": False}
        cursor = api.get("/media", params=query).json()["data"]["next_cursor"]
        assert api.get("/media", params={**query, "cursor": cursor}).status_code == 200
        for change in ({"sort": "newest"}, {"archived": True}, {"kind": "pdf"}, {"tag": "x"}):
            other = {**query, "cursor": cursor, **change}
            answer = api.get("/media", params=other)
            assert (answer.status_code, answer.json()["error"]["code"]) == (
                400,
                "E_INVALID_REQUEST",
            )


BAD_QUERIES = [
    {"sort": "random"},
    {"state": "done"},
    {"archived": "perhaps"},
    {"tag": ""},
    {"tag": ["x"] * 11},
    {"limit": "0"},
    {"limit": "101"},
    {"limit": "-1"},
    {"limit": "many"},
    {"kind": "book"},
    {"status": "done"},
    {"library_id": "mine"},
    {"cursor": "nonsense"},
    {"cursor": ""},
    {"cursor": "x" * 3000},
]


@pytest.mark.parametrize("query", BAD_QUERIES, ids=str)
def test_bad_queries(query: dict[str, str], nexus: LiveNexus, session: Session) -> None:
    with nexus.api(make_user(session).user_id) as api:
        answer = api.get("/media", params=query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_INVALID_REQUEST")


def test_a_library_that_is_not_yours(nexus: LiveNexus, session: Session) -> None:
    other = make_library(session, make_user(session))
    with nexus.api(make_user(session).user_id) as api:
        for library_id in (other.id, uuid4()):
            answer = api.get("/media", params={"library_id": str(library_id)})
            assert (answer.status_code, answer.json()["error"]["code"]) == (
                404,
                "E_LIBRARY_NOT_FOUND",
            )


def test_items_in_several_libraries_are_listed_once(nexus: LiveNexus, session: Session) -> None:
    viewer, friend, stranger = (make_user(session) for _ in range(3))
    shared = make_library(session, friend, members={viewer.user_id: MembershipRole.MEMBER})
    private = make_library(session, viewer)
    mine = [viewer.default_library_id, private.id, shared.id]
    everywhere = make_media(session, viewer, library_ids=mine)
    only_shared = make_media(session, friend, library_ids=[shared.id])
    make_media(session, stranger)
    fill(session, friend, 5)
    with nexus.api(viewer.user_id) as api:
        for limit in (1, 2, 50):
            assert set(everything(api, limit=limit)) == {everywhere.id, only_shared.id}
            assert len(everything(api, limit=limit)) == 2


def test_out_of_the_default_library_but_still_shared(nexus: LiveNexus, session: Session) -> None:
    viewer, friend = make_user(session), make_user(session)
    shared = make_library(session, friend, members={viewer.user_id: MembershipRole.MEMBER})
    media = make_media(session, viewer, library_ids=[viewer.default_library_id, shared.id])
    with nexus.api(viewer.user_id) as api:
        assert api.delete(f"/media/{media.id}").status_code == 204
        assert everything(api) == [media.id], "still readable, so still listed"
        assert everything(api, library_id=viewer.default_library_id) == []


@contextmanager
def list_statements() -> Iterator[list[tuple[str, Any]]]:
    """The statements that look into libraries."""
    statements: list[tuple[str, Any]] = []

    def note(_c: Any, _cur: Any, statement: str, parameters: Any, *_: Any) -> None:
        if "library_media" in statement:
            statements.append((statement, parameters))

    event.listen(get_engine(), "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(get_engine(), "before_cursor_execute", note)


@pytest.mark.heavy
def test_a_page_never_costs_the_whole_library(session: Session) -> None:
    # Many small libraries around the large ones: the average says nothing about these.
    for _ in range(60):
        fill(session, make_user(session), 3)
    viewer, friend = make_user(session), make_user(session)
    shared = make_library(session, friend, members={viewer.user_id: MembershipRole.MEMBER})
    # Rows as wide as real ones, or reading them all would rightly look cheap.
    wide: dict[str, Any] = {"requested_url": "https://example.org/" + "a" * 800}
    fill(session, viewer, 4000, **wide)
    fill(session, friend, 2000, library_id=shared.id, **wide)
    session.execute(text("ANALYZE media, library_media, memberships, libraries, shelf_items"))
    session.commit()
    # Often enough for the statement to be prepared and, if it could, its plan to be kept.
    articles = MediaFilter(kind=MediaKind.WEB_ARTICLE)
    for _ in range(15):
        list_media(session, viewer, cursor=None, limit=50)
        list_media(session, viewer, cursor=None, limit=50, only=articles)
    with list_statements() as statements:
        page = list_media(session, viewer, cursor=None, limit=50)
        list_media(session, viewer, cursor=page["next_cursor"], limit=50)
        only = MediaFilter(library_id=shared.id)
        in_one = list_media(session, viewer, cursor=None, limit=50, only=only)
    assert len(page["media"]) == len(in_one["media"]) == 50
    assert len(statements) == 3
    connection = session.connection().connection.driver_connection
    assert connection is not None
    for statement, parameters in statements:
        explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"
        _check_plan(connection.execute(explain, parameters).fetchone()[0][0]["Plan"])
    kept = connection.execute(
        "SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT CAST(media.id %'"
    ).fetchall()
    assert kept, "statements are prepared"
    assert not any("shelf_items.kind = " in text for (text,) in kept), "but only those of all items"


def test_the_kept_plan_of_one_library_suits_all_sizes(session: Session) -> None:
    for _ in range(60):
        fill(session, make_user(session), 3)
    viewer = make_user(session)
    fill(session, viewer, 4000, requested_url="https://example.org/" + "a" * 800)
    session.execute(text("ANALYZE media, library_media, memberships, libraries, shelf_items"))
    with list_statements() as statements:
        list_media(session, viewer, cursor=None, limit=50)
    [(statement, values)] = statements
    names = list(values)
    numbered = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", statement)
    connection = session.connection().connection.driver_connection
    assert connection is not None
    connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    connection.execute(f"PREPARE one_library AS {numbered}")
    given = ", ".join(f"'{values[name]}'" for name in names)
    explain = f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE one_library({given})"
    plan = connection.execute(explain).fetchone()[0][0]["Plan"]
    connection.execute("DEALLOCATE one_library")
    assert plan["Actual Rows"] == 51
    _check_plan(plan)


def _check_plan(plan: dict[str, Any]) -> None:
    """Indexes only, and a page of rows, not the library."""
    for node in _nodes(plan):
        scanned = node.get("Relation Name") if node["Node Type"] == "Seq Scan" else None
        assert scanned not in {"media", "library_media", "shelf_items"}, json.dumps(plan, indent=1)
        rows = node["Actual Rows"] * node["Actual Loops"]
        assert rows < 1000, json.dumps(plan, indent=1)


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", []) for node in _nodes(child))]
