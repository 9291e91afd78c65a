"""The page of a highlight, in every response that has one."""

from typing import Any

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor
from nexus.db.models import Fragment, MediaOutline
from nexus.services import highlight_read
from nexus.services.viewer import Viewer
from tests.backup.installations import add_highlight
from tests.factories import make_article, make_user
from tests.highlights import highlight_body
from tests.live import LiveNexus

TEXT = "First page 😀. Second page. Fourth page."
#       0              14           27
PAGES = [
    {"number": 1, "label": "i", "fragment_idx": 0, "offset": 0},
    {"number": 2, "label": "ii", "fragment_idx": 0, "offset": 14},
    # Without text: it begins where the next one does.
    {"number": 3, "label": "iii", "fragment_idx": 0, "offset": 27},
    {"number": 4, "label": "1", "fragment_idx": 0, "offset": 27},
    {"number": 5, "label": "2", "fragment_idx": 0, "offset": 39},
]
FIRST, SECOND = {"number": 1, "label": "i"}, {"number": 2, "label": "ii"}
FOURTH = {"number": 4, "label": "1"}


def paged(session: Session, viewer: Viewer, pages: Any = PAGES) -> Fragment:
    fragment = make_article(session, viewer, text=TEXT, page_count=5)
    session.add(MediaOutline(media_id=fragment.media_id, contents=[], pages=pages))
    session.commit()
    return fragment


def created(client: httpx.Client, fragment: Fragment, start: int, end: int) -> dict[str, Any]:
    body = highlight_body(fragment.canonical_text, start, end)
    answer = client.post(f"/fragments/{fragment.id}/highlights", json=body)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


@pytest.mark.parametrize(
    ("start", "end", "page", "end_page"),
    [
        (0, 5, FIRST, None),
        (6, 13, FIRST, None),
        (13, 14, FIRST, None),
        (14, 26, SECOND, None),
        (12, 15, FIRST, SECOND),
        (0, 39, FIRST, FOURTH),
        (27, 39, FOURTH, None),
    ],
)
def test_the_page_is_where_it_begins(
    nexus: LiveNexus,
    session: Session,
    start: int,
    end: int,
    page: dict[str, Any],
    end_page: dict[str, Any] | None,
) -> None:
    viewer = make_user(session)
    fragment = paged(session, viewer)
    with nexus.api(viewer.user_id) as client:
        made = created(client, fragment, start, end)
        assert (made["page"], made["end_page"]) == (page, end_page)
        for path in (f"/media/{fragment.media_id}/highlights", "/highlights"):
            (listed,) = client.get(path).json()["data"]["highlights"]
            assert {name: listed[name] for name in made} == made
        path = f"/fragments/{fragment.id}/highlights"
        assert client.get(path).json()["data"]["highlights"] == [made]
        assert client.get(f"/highlights/{made['id']}").json()["data"] == made


def test_a_change_of_place_is_a_change_of_page(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    fragment = paged(session, viewer)
    with nexus.api(viewer.user_id) as client:
        made = created(client, fragment, 0, 5)
        moved = client.patch(f"/highlights/{made['id']}", json=highlight_body(TEXT, 20, 30))
        assert moved.json()["data"]["page"] == SECOND
        assert moved.json()["data"]["end_page"] == FOURTH
        client.delete(f"/highlights/{made['id']}")
        restored = client.post(f"/highlights/{made['id']}/restore").json()["data"]
        assert (restored["page"], restored["end_page"]) == (SECOND, FOURTH)


def test_an_article_has_no_pages(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    fragment = make_article(session, viewer, text=TEXT)
    with nexus.api(viewer.user_id) as client:
        made = created(client, fragment, 0, 5)
        assert (made["page"], made["end_page"]) == (None, None)


def test_a_page_may_begin_in_an_earlier_part(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    fragment = paged(session, viewer, pages=PAGES[:2])
    second = Fragment(
        media_id=fragment.media_id, idx=1, html_sanitized="<p>On.</p>", canonical_text="On."
    )
    session.add(second)
    session.commit()
    with nexus.api(viewer.user_id) as client:
        assert created(client, second, 0, 2)["page"] == SECOND


@pytest.mark.parametrize(
    "pages",
    [
        None,
        "pages",
        [None, 7, "x", {"number": 1}],
        [{"number": True, "label": 3, "fragment_idx": "0", "offset": None}],
        [{"number": 9, "label": "9", "fragment_idx": 3, "offset": 0, "fragment_id": "x"}],
    ],
)
def test_an_outline_from_elsewhere_never_stands_in_the_way(
    nexus: LiveNexus, session: Session, pages: Any
) -> None:
    viewer = make_user(session)
    fragment = paged(
        session, viewer, pages=[PAGES[0], *pages] if isinstance(pages, list) else pages
    )
    entry = {"label": "Gone", "fragment_idx": 7, "offset": 0}
    inner = {"label": "There", "fragment_idx": 0, "offset": 2, "children": [entry]}
    outline = session.get_one(MediaOutline, fragment.media_id)
    outline.contents = [entry | {"children": [inner, 3, {"label": "No place"}]}]
    session.commit()
    with nexus.api(viewer.user_id) as client:
        answer = client.get(f"/media/{fragment.media_id}/outline")
        assert answer.status_code == 200, answer.text
        place = {"fragment_id": str(fragment.id), "offset": 2, "children": []}
        assert answer.json()["data"]["contents"] == [{"label": "There"} | place]
        kept = [{**FIRST, "fragment_id": str(fragment.id), "offset": 0}]
        assert answer.json()["data"]["pages"] == (kept if isinstance(pages, list) else [])
        expected = FIRST if isinstance(pages, list) else None
        assert created(client, fragment, 0, 5)["page"] == expected


def test_many_highlights_of_long_documents_cost_one_query_more(session: Session) -> None:
    viewer = make_user(session)
    pages = [
        {"number": n + 1, "label": str(n + 1), "fragment_idx": 0, "offset": n % 40}
        for n in range(5_000)
    ]
    counts = []
    for _ in range(2):
        fragment = paged(session, viewer, pages=pages)
        for start in range(10):
            add_highlight(
                session, viewer.user_id, fragment.id, start=start, color=HighlightColor.BLUE
            )
        session.commit()
        counts.append(_statements(session, viewer))
    assert counts == [2, 2]


def _statements(session: Session, viewer: Viewer) -> int:
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(session.get_bind(), "before_cursor_execute", note)
    try:
        listed = highlight_read.list_all_highlights(session, viewer, cursor=None, limit=50)
    finally:
        event.remove(session.get_bind(), "before_cursor_execute", note)
    assert all(each.page is not None for each in listed.highlights)
    return len(seen)
