"""GET /media/{id}/outline and /fragments/{id}, for a document as its extractor returned it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media
from nexus.extractors.interface import (
    ContentsEntry,
    Document,
    FragmentText,
    Job,
    Metadata,
    PageStart,
    TextPlace,
)
from nexus.html.sanitize import SanitizedHtml
from nexus.services import media_lifecycle
from nexus.services.document_store import store_document
from nexus.services.viewer import Viewer
from nexus.text import count_words
from tests.factories import make_article, make_media, make_user
from tests.live import LiveNexus

BOOK = Document(
    fragments=(
        FragmentText(SanitizedHtml("<p>First part.</p>"), "First part.", label="One"),
        FragmentText(SanitizedHtml("<p>Und 😀 weiter.</p>"), "Und 😀 weiter."),
    ),
    title="A book",
    metadata=Metadata(
        authors=("Ann Author", "Bo Writer"),
        site_name="The Press",
        published_at="1887-05",
        language="en",
        excerpt="What it is about.",
        lead_image_url="https://press.example/cover.png?a=1&b=2",
    ),
    contents=(
        ContentsEntry("One", 0, 0, (ContentsEntry("Part", 0, 6), ContentsEntry("Two", 1, 0))),
    ),
    pages=(PageStart(1, "i", 0, 0), PageStart(2, "ii", 0, 6), PageStart(3, "1", 1, 0)),
    start=TextPlace(1, 4),
    fixed_layout=True,
)


# By documents that do not say where reading begins, and have no layout that matters.
NOTHING_SAID = {"start": None, "fixed_layout": False}
Api = Callable[[Viewer], httpx.Client]


@pytest.fixture
def api(nexus: LiveNexus) -> Iterator[Api]:
    with ExitStack() as clients:
        yield lambda viewer: clients.enter_context(nexus.api(viewer.user_id))


def _store(session: Session, viewer: Viewer, document: Document) -> UUID:
    media = make_media(session, viewer, processing_status=ProcessingStatus.PENDING)
    assert media_lifecycle.worker_start_attempt(session, media.id)
    job = Job(media.id, media.processing_attempts, media.kind)
    stored = store_document(session, job, document, canonical_url=None, actor_user_id=None)
    assert stored == "stored"
    session.commit()
    return media.id


def test_a_document_is_stored_as_a_whole(api: Api, session: Session) -> None:
    viewer = make_user(session)
    client = api(viewer)
    media_id = _store(session, viewer, BOOK)
    media = client.get(f"/media/{media_id}").json()["data"]
    assert media["title"] == "A book"
    assert media["authors"] == ["Ann Author", "Bo Writer"]
    assert (media["site_name"], media["published_at"]) == ("The Press", "1887-05")
    assert (media["language"], media["excerpt"]) == ("en", "What it is about.")
    assert media["lead_image_url"] == (
        "/media/image?url=https%3A%2F%2Fpress.example%2Fcover.png%3Fa%3D1%26b%3D2"
    )
    assert (media["word_count"], media["page_count"]) == (4, 3)
    (listed,) = client.get("/media").json()["data"]["media"]
    assert {name: listed[name] for name in media if name != "duplicate"} == {
        name: value for name, value in media.items() if name != "duplicate"
    }

    outline = client.get(f"/media/{media_id}/outline").json()["data"]
    first, second = (fragment["id"] for fragment in outline["fragments"])
    assert outline == {
        "fragments": [
            {"id": first, "idx": 0, "label": "One", "length": 11},
            {"id": second, "idx": 1, "label": None, "length": 13},
        ],
        "contents": [
            {
                "label": "One",
                "fragment_id": first,
                "offset": 0,
                "children": [
                    {"label": "Part", "fragment_id": first, "offset": 6, "children": []},
                    {"label": "Two", "fragment_id": second, "offset": 0, "children": []},
                ],
            }
        ],
        "pages": [
            {"number": 1, "label": "i", "fragment_id": first, "offset": 0},
            {"number": 2, "label": "ii", "fragment_id": first, "offset": 6},
            {"number": 3, "label": "1", "fragment_id": second, "offset": 0},
        ],
        "start": {"fragment_id": second, "offset": 4},
        "fixed_layout": True,
    }
    whole = client.get(f"/media/{media_id}/fragments").json()["data"]["fragments"]
    assert [client.get(f"/fragments/{one['id']}").json()["data"] for one in whole] == whole
    first_only = client.get(f"/media/{media_id}/fragments", params={"limit": 1}).json()["data"]
    assert first_only["fragments"] == whole[:1]


def test_a_new_text_replaces_the_old_outline(api: Api, session: Session) -> None:
    viewer = make_user(session)
    media_id = _store(session, viewer, BOOK)
    media = session.get_one(Media, media_id)
    media.processing_status = ProcessingStatus.EXTRACTING
    assert media_lifecycle.return_to_pending(session, media_id, attempt=1)
    session.commit()
    client = api(viewer)
    empty: dict[str, object] = {"fragments": [], "contents": [], "pages": [], **NOTHING_SAID}
    assert client.get(f"/media/{media_id}/outline").json()["data"] == empty
    assert media_lifecycle.worker_start_attempt(session, media_id)
    shorter = Document(fragments=BOOK.fragments[1:], contents=(ContentsEntry("Only", 0, 0),))
    job = Job(media_id, 2, media.kind)
    store_document(session, job, shorter, canonical_url=None, actor_user_id=None)
    session.commit()
    outline = client.get(f"/media/{media_id}/outline").json()["data"]
    assert [entry["label"] for entry in outline["contents"]] == ["Only"]
    assert outline["pages"] == []
    assert {name: outline[name] for name in NOTHING_SAID} == NOTHING_SAID


def test_articles_of_earlier_versions_have_fragments_only(api: Api, session: Session) -> None:
    viewer = make_user(session)
    article = make_article(session, viewer, text="Nothing more is known.")
    client = api(viewer)
    outline = client.get(f"/media/{article.media_id}/outline").json()["data"]
    assert outline == {
        "fragments": [{"id": str(article.id), "idx": 0, "label": None, "length": 22}],
        "contents": [],
        "pages": [],
        **NOTHING_SAID,
    }
    media = client.get(f"/media/{article.media_id}").json()["data"]
    assert (media["authors"], media["word_count"]) == ([], None)


def test_what_another_has_is_not_found(api: Api, session: Session) -> None:
    article = make_article(session, make_user(session))
    client = api(make_user(session))
    for path in (f"/media/{article.media_id}/outline", f"/fragments/{article.id}"):
        unknown = path.replace(str(article.media_id), str(uuid4())).replace(
            str(article.id), str(uuid4())
        )
        for answer in (client.get(path), client.get(unknown)):
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] in {"E_MEDIA_NOT_FOUND", "E_NOT_FOUND"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("One, two — three!", 3),
        ("It's well-known: 3.14 isn’t 4", 5),
        ("今日は良い天気", 7),
        ("Python で書く", 4),
        ("한국어 문장", 2),
        ("Не слово", 2),
        ("-" * 100_000, 0),
    ],
)
def test_words(text: str, words: int) -> None:
    assert count_words(text) == words
