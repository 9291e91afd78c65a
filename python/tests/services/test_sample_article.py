"""What a new account finds."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.db.models import Fragment, Media
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import SanitizedHtml
from nexus.services.sample_article import TITLE
from tests.live import LiveNexus


def test_a_new_account_finds_an_article_with_overlapping_highlights(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        item = browser.get("/api/media").json()["data"]["media"][0]
        highlights = browser.get(f"/api/media/{item['id']}/highlights").json()["data"]["highlights"]
    assert item["title"] == TITLE
    assert item["capabilities"]["can_highlight"]
    assert item["highlight_count"] == len(highlights) == 3
    outer, inner, beside = highlights
    assert outer["start_offset"] < inner["start_offset"] < inner["end_offset"]
    assert inner["end_offset"] < outer["end_offset"]
    assert beside["start_offset"] < outer["end_offset"] < beside["end_offset"]
    assert [row["annotation"] is not None for row in highlights] == [False, True, False]
    newest = max(highlights, key=lambda row: row["created_at"])
    assert newest["id"] == inner["id"]
    assert len({row["created_at"] for row in highlights}) == 3


def test_it_is_stored_once_and_as_any_article(nexus: LiveNexus, session: Session) -> None:
    with ThreadPoolExecutor(8) as pool:
        clients = list(pool.map(lambda _: nexus.api(uuid4()), range(8)))
        answers = list(pool.map(lambda api: api.get("/media").json(), clients))
        list(pool.map(lambda api: api.close(), clients))
    ids = {answer["data"]["media"][0]["id"] for answer in answers}
    assert len(ids) == 1
    samples = session.scalars(
        select(Media).where(Media.title == TITLE, Media.kind == MediaKind.WEB_ARTICLE)
    ).all()
    assert [str(media.id) for media in samples] == list(ids)
    fragment = session.scalars(select(Fragment).where(Fragment.media_id == samples[0].id)).one()
    assert canonicalize(SanitizedHtml(fragment.html_sanitized)) == fragment.canonical_text


def test_each_reader_has_highlights_of_their_own(nexus: LiveNexus) -> None:
    with nexus.signed_up() as first, nexus.signed_up() as second:
        ids = [
            {row["id"] for row in browser.get("/api/highlights").json()["data"]["highlights"]}
            for browser in (first, second)
        ]
    assert not ids[0] & ids[1]
