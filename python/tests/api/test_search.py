"""Search over the live API."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole, ReadingState
from nexus.db.models import Fragment, LibraryMedia, Media, Membership, ShelfItem
from nexus.services.media_merge import merge_media
from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.search_index import read_words, store_words
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_library, make_user
from tests.highlights import highlight_body
from tests.live import LiveNexus

FILLER = "Nothing of this is what anybody looks for, but it fills the page. " * 30


class Searcher:
    """A person with articles of their own."""

    def __init__(self, nexus: LiveNexus, session: Session) -> None:
        self.session = session
        self.viewer: Viewer = make_user(session)
        self.api = nexus.api(self.viewer.user_id)

    def saves(self, text: str, **fields: Any) -> Fragment:
        fragment = make_article(self.session, self.viewer, text=text, **fields)
        index(self.session, fragment)
        return fragment

    def search(self, query: str, **parameters: Any) -> dict[str, Any]:
        response = self.api.get("/search", params={"q": query, **parameters})
        assert response.status_code == 200, response.text
        data: dict[str, Any] = response.json()["data"]
        return data

    def results(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.search(query, **parameters)["results"]
        return found

    def finds(self, query: str) -> list[UUID]:
        """The items found, each once, the best first."""
        return list(dict.fromkeys(UUID(each["media"]["id"]) for each in self.results(query)))


def index(session: Session, fragment: Fragment) -> None:
    media = session.get_one(Media, fragment.media_id)
    words = read_words(session, [fragment.canonical_text], language=media.language)
    store_words(session, media, [fragment.id], words)
    session.commit()


@pytest.fixture
def person(nexus: LiveNexus, session: Session) -> Iterator[Searcher]:
    searcher = Searcher(nexus, session)
    with searcher.api:
        yield searcher


def marked(snippet: dict[str, Any]) -> list[str]:
    return [snippet["text"][start:end] for start, end in snippet["hits"]]


def test_a_passage_is_found_where_it_is(person: Searcher) -> None:
    text = f"{FILLER}The lantern was lit at the harbour. {FILLER}"
    fragment = person.saves(text, title="An evening")
    person.saves(FILLER)
    (result,) = person.results("Lanterns harbour")
    assert result["type"] == "passage"
    assert result["media"]["id"] == str(fragment.media_id)
    assert result["fragment_id"] == str(fragment.id)
    assert text[result["start_offset"] : result["end_offset"]] == "lantern was lit at the harbour"
    assert result["highlight_id"] is None
    assert marked(result["snippet"]) == ["lantern", "harbour"]
    listed = person.api.get("/media").json()["data"]["media"]
    assert result["media"] in listed


@pytest.mark.parametrize(
    "query",
    [
        "harbor lanterns",
        "HARBOR",
        "lant",
        "lan*",
        '"lantern lit"',
        '"lit near the harbor',
        "lantern -meadow",
        'lantern -"lit lantern"',
        '-"lit lantern"',
        "cafe",
        "café naive",
        "evening harbor",
        "author:woolf",
        "woolf lantern",
        "site:example.net",
        "lantern site:net kind:article is:unread after:2020",
    ],
)
def test_queries_that_find_it(person: Searcher, query: str) -> None:
    fragment = person.saves(
        f"{FILLER} A lantern lit near the harbor café was naïve. {FILLER}",
        title="Evening",
        authors=["Virginia Woolf"],
        site_name="Tides",
        canonical_url=f"https://www.example.net/{person.viewer.user_id}",
    )
    person.saves(f"{FILLER} Meadow lantern? {FILLER}", title="Noon")
    assert fragment.media_id in person.finds(query), query


@pytest.mark.parametrize(
    "query",
    [
        "granite",
        "lantern granite ",
        '"lantern harbor"',
        '"harbor the near"',
        "lantern -harbor",
        'lantern -"lit near"',
        '-"lit near"',
        "author:tides",
        "site:woolf",
        "lantern kind:pdf",
        "lantern is:archived",
        "lantern before:2020",
        "lantern tag:work",
        "in:title lantern",
        "in:highlights lantern",
        "in:notes lantern",
        "harb ",
        "!!! ???",
    ],
)
def test_queries_that_do_not(person: Searcher, query: str) -> None:
    person.saves(
        f"{FILLER} A lantern lit near the harbor café was naïve. {FILLER}",
        title="Evening",
        authors=["Virginia Woolf"],
        site_name="Tides",
    )
    assert person.finds(query) == []


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("de", "Die Häuser standen am Ufer.", "haus"),
        ("fr", "Les élèves chantaient ensemble.", "eleve chanter"),
        ("ru", "Белые корабли стояли в гавани.", "корабль"),
        (None, "吾輩は猫である。名前はまだ無い。", "名前"),
        ("zh", "我们明天去北京大学图书馆。", "大学图"),
        ("ko", "대한민국의 수도는 서울이다.", "민국"),
        ("th", "ประเทศไทยมีกรุงเทพเป็นเมืองหลวง", "กรุงเทพ"),
        ("ar", "كتب الطالب درسه في المدرسة", "المدرسة"),
        ("he", "הספר נמצא על השולחן", "השולחן"),
    ],
)
def test_languages(person: Searcher, language: str | None, text: str, query: str) -> None:
    fragment = person.saves(text, language=language)
    (result,) = person.results(f"{query} ")
    assert result["media"]["id"] == str(fragment.media_id)
    assert marked(result["snippet"])


def test_titles_come_first_and_verbatim_phrases_before_scattered_words(person: Searcher) -> None:
    scattered = person.saves(f"The tide of the year. {FILLER} A spring of high water.")
    verbatim = person.saves(f"{FILLER} It was a high spring tide. {FILLER}")
    titled = person.saves(FILLER, title="High spring tide")
    assert person.finds("high spring tide ") == [
        titled.media_id,
        verbatim.media_id,
        scattered.media_id,
    ]
    first = person.results("high spring tide ")[0]
    assert (first["type"], first["fragment_id"], first["start_offset"]) == ("item", None, None)
    assert marked(first["snippet"]) == ["High", "spring", "tide"]


def test_highlights_and_notes_are_found(person: Searcher) -> None:
    text = f"A lantern at the harbour. {FILLER}"
    fragment = person.saves(text)
    body = highlight_body(text, 2, 9)
    made = person.api.post(f"/fragments/{fragment.id}/highlights", json=body).json()["data"]
    note = {"body": "Remember the lighthouse."}
    person.api.put(f"/highlights/{made['id']}/annotation", json=note)
    (highlight,) = person.results("in:highlights lantern")
    assert (highlight["type"], highlight["highlight_id"]) == ("highlight", made["id"])
    assert (highlight["start_offset"], highlight["end_offset"]) == (2, 9)
    assert marked(highlight["snippet"]) == ["lantern"]
    (found,) = person.results("lighthouses")
    assert (found["type"], found["highlight_id"]) == ("note", made["id"])
    assert marked(found["snippet"]) == ["lighthouse"]
    assert [each["type"] for each in person.results("in:highlights in:notes")] == [
        "note",
        "highlight",
    ]

    person.api.delete(f"/highlights/{made['id']}")
    assert person.results("lighthouses") == person.results("in:highlights lantern") == []
    person.api.post(f"/highlights/{made['id']}/restore")
    assert len(person.results("lighthouses")) == len(person.results("in:highlights lantern")) == 1


def test_tags_are_found_and_filter(person: Searcher) -> None:
    tagged = person.saves(f"A lantern. {FILLER}", title="One")
    both = person.saves(f"Another lantern. {FILLER}", title="Two")
    person.api.patch(f"/media/{tagged.media_id}/mine", json={"tags": ["Night Sky"]})
    person.api.patch(f"/media/{both.media_id}/mine", json={"tags": ["Night Sky", "sea"]})
    assert set(person.finds('tag:"night sky" lantern')) == {both.media_id, tagged.media_id}
    assert person.finds('tag:"NIGHT SKY" tag:Sea') == person.finds("tag:sea") == [both.media_id]
    assert person.finds("lantern -tag:sea") == [tagged.media_id]
    assert person.finds("sea ") == [both.media_id]
    first = person.results("night sky ")[0]
    assert (first["type"], marked(first["snippet"])) == ("item", ["Night", "Sky"])
    person.api.delete("/tags/sea")
    assert person.finds("sea ") == person.finds("tag:sea") == []


def test_items_that_are_merged_are_found_as_one(person: Searcher) -> None:
    loser = person.saves(f"A lantern. {FILLER}", title="Dusk")
    winner = person.saves(f"A lantern. {FILLER}", title="Evening")
    media = [person.session.get_one(Media, each.media_id) for each in (loser, winner)]
    merge_media(person.session, loser=media[0], winner=media[1], reader_id=None)
    assert set(person.finds("lantern")) == {loser.media_id, winner.media_id}
    person.session.commit()
    assert person.finds("lantern") == [winner.media_id]
    assert person.finds("dusk") == []


def test_a_word_excludes_the_whole_item(person: Searcher) -> None:
    long = person.saves(f"A lantern. {FILLER * 20} A meadow.")
    short = person.saves(f"A lantern. {FILLER}")
    assert person.finds("lantern -meadow ") == [short.media_id]
    assert set(person.finds("lantern -granite ")) == {short.media_id, long.media_id}


def test_filters_alone_list_items(person: Searcher) -> None:
    fragments = [person.saves(f"Text {number}. {FILLER}") for number in range(5)]
    ids = [fragment.media_id for fragment in reversed(fragments)]
    person.session.execute(
        update(ShelfItem)
        .where(ShelfItem.user_id == person.viewer.user_id, ShelfItem.media_id.in_(ids[:3]))
        .values(archived=True, state=ReadingState.FINISHED)
    )
    person.session.commit()
    assert person.finds("is:archived") == ids[:3]
    assert person.finds("-is:archived") == ids[3:]
    assert person.finds("kind:article") == person.finds("is:unread is:finished") == ids
    assert person.finds("-3 -text4") == [id_ for id_ in ids if id_ != fragments[3].media_id]
    assert person.finds("kind:article -nothing") == []
    page = person.search("kind:article", limit=2)
    more = person.search("kind:article", limit=3, cursor=page["next_cursor"])
    pages = [each["media"]["id"] for each in page["results"] + more["results"]]
    assert pages == [str(media_id) for media_id in ids]
    assert more["next_cursor"] is None


def test_pages_show_every_result_once_while_others_are_added(person: Searcher) -> None:
    ids = {str(person.saves(f"A lantern, {n}. {FILLER}").media_id) for n in range(7)}
    page = person.search("lantern ", limit=3)
    seen = [each["media"]["id"] for each in page["results"]]
    person.saves(f"Another lantern lantern. {FILLER}", title="Lantern")
    while page["next_cursor"]:
        page = person.search("lantern ", limit=3, cursor=page["next_cursor"])
        seen += [each["media"]["id"] for each in page["results"]]
    assert len(seen) == 7
    assert set(seen) == ids


def test_pages_leave_out_what_has_the_words_in_its_title_only(person: Searcher) -> None:
    """The words of a title are among those of each passage, and a passage cannot show them."""
    titled = {str(person.saves(FILLER, title=f"Lantern {n}").media_id) for n in range(9)}
    inside = person.saves(f"{FILLER} A lantern. {FILLER}", title="Evening")
    for limit in (1, 2, 3, 20):
        page = person.search("lantern ", limit=limit)
        results = page["results"]
        while page["next_cursor"]:
            page = person.search("lantern ", limit=limit, cursor=page["next_cursor"])
            results += page["results"]
        assert [each["type"] for each in results] == ["item"] * 9 + ["passage"]
        assert {each["media"]["id"] for each in results[:9]} == titled
        assert results[9]["media"]["id"] == str(inside.media_id)


def test_a_cursor_of_another_search_is_refused(person: Searcher) -> None:
    for number in range(2):
        person.saves(f"A lantern {number}.")
    cursor = person.search("lantern ", limit=1)["next_cursor"]
    for wrong in (cursor[:-4], "x", cursor):
        response = person.api.get("/search", params={"q": "harbour", "cursor": wrong})
        assert response.status_code == 400
    parts = decode_cursor(cursor, (str, str, datetime, str, datetime, str))
    for place, number in ((1, 1 << 63), (3, 1 << 31), (3, -1)):
        wrong = encode_cursor([*parts[:place], str(number), *parts[place + 1 :]])
        response = person.api.get("/search", params={"q": "lantern ", "cursor": wrong})
        assert response.status_code == 400


def test_only_what_one_can_read_is_found(person: Searcher, nexus: LiveNexus) -> None:
    other = Searcher(nexus, person.session)
    with other.api:
        _check_access(person, other)


def _check_access(person: Searcher, other: Searcher) -> None:
    session = person.session
    shared = make_library(session, person.viewer)
    fragment = person.saves(
        f"A lantern. {FILLER}", library_ids=[person.viewer.default_library_id, shared.id]
    )
    body = highlight_body(fragment.canonical_text, 2, 9)
    person.api.post(f"/fragments/{fragment.id}/highlights", json=body)
    assert other.finds("lantern") == []
    membership = Membership(
        library_id=shared.id, user_id=other.viewer.user_id, role=MembershipRole.MEMBER
    )
    session.add(membership)
    session.commit()
    assert other.finds("lantern") == [fragment.media_id]
    assert [each["type"] for each in other.results("lantern")] == ["passage"]
    session.execute(delete(LibraryMedia).where(LibraryMedia.library_id == shared.id))
    session.commit()
    assert other.finds("lantern") == []
    session.add(LibraryMedia(library_id=shared.id, media_id=fragment.media_id))
    session.commit()
    assert other.finds("lantern") == [fragment.media_id]
    session.delete(membership)
    session.commit()
    assert other.finds("lantern") == []


def test_a_removed_item_is_not_found_until_it_is_restored(person: Searcher) -> None:
    fragment = person.saves(f"A lantern. {FILLER}")
    person.api.delete(f"/media/{fragment.media_id}")
    assert person.finds("lantern") == []
    person.api.post(f"/media/{fragment.media_id}/restore")
    assert person.finds("lantern") == [fragment.media_id]


@pytest.mark.parametrize("query", ["kind:newspaper", "x" * 1001, "before:then"])
def test_what_is_not_understood_is_refused(person: Searcher, query: str) -> None:
    response = person.api.get("/search", params={"q": query})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "E_SEARCH_INVALID"


def test_search_needs_a_person(nexus: LiveNexus) -> None:
    with nexus.api() as client:
        assert client.get("/search", params={"q": "x"}).status_code == 401
