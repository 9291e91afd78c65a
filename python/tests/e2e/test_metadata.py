"""What a page says about itself: above its text, on paper and in the list."""

import re
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Media
from nexus.html.urls import proxied
from tests.e2e.acting import row, serious_problems
from tests.e2e.reading import Person, make_article

HARBOUR = "https://pictures.example/harbour-1200x630.jpg"
FACTS: dict[str, Any] = {
    "authors": ["Ada Mollett", "Grace Quay"],
    "site_name": "The Northern Review",
    "published_at": "2014-03-05T23:30:00-05:00",
    "language": "en",
    "excerpt": "A long look at the pilots.",
    "lead_image_url": HARBOUR,
    "word_count": 2_300,
}
TEXT = "<p>Tides follow the moon, and harbours follow the tides.</p>"


def article(session: Session, owner: Person, html: str = TEXT, **facts: Any) -> Fragment:
    fragment = make_article(session, owner, html, title="Of tides")
    media = session.get_one(Media, fragment.media_id)
    for name, value in facts.items():
        setattr(media, name, value)
    session.commit()
    return fragment


def serve_pictures(context: BrowserContext, size: tuple[int, int] | None = (1200, 630)) -> None:
    """Every picture has this size; without one it is broken."""
    body = BytesIO(b"not a picture")
    if size:
        Image.new("RGB", size, "teal").save(body, "PNG")

    def answer(route: Route) -> None:
        route.fulfill(body=body.getvalue(), content_type="image/png")

    context.route("**/api/media/image*", answer)


def lead(page: Page) -> Locator:
    return page.locator("article > img")


def test_the_title_block_names_who_where_and_when(session: Session, reader: Person) -> None:
    serve_pictures(reader.context)
    page = reader.open(article(session, reader, **FACTS)).page
    head = page.locator("article header")
    expect(head).to_contain_text("By Ada Mollett and Grace Quay")
    site = head.get_by_role("link", name="The Northern Review")
    expect(site).to_have_attribute("href", "https://example.org/article")
    expect(head.locator("time")).to_have_text(re.compile("5 March 2014|March 5, 2014"))
    expect(head).to_contain_text("10 min read")
    expect(lead(page)).to_have_attribute("src", f"/api{proxied(HARBOUR)}")
    expect(lead(page)).to_have_attribute("data-loaded", "true")
    expect(page.locator("article section")).to_have_attribute("lang", "en")
    assert serious_problems(page) == []
    page.emulate_media(media="print")
    expect(head).to_contain_text("Ada Mollett")
    expect(head.get_by_text("The Northern Review")).to_be_visible()
    expect(head.locator("time")).to_be_visible()
    expect(head.get_by_text("10 min read")).to_be_hidden()


@pytest.mark.heavy
def test_an_article_that_says_nothing_looks_as_before(session: Session, reader: Person) -> None:
    page = reader.open(article(session, reader)).page
    head = page.locator("article header")
    expect(head).to_have_text("Of tidesexample.org1 min read")
    expect(lead(page)).to_have_count(0)
    expect(page.locator("article section")).to_have_attribute("lang", "")


@pytest.mark.heavy
def test_a_picture_that_the_text_shows_is_not_shown_twice(session: Session, reader: Person) -> None:
    serve_pictures(reader.context)
    html = f'<p><img src="https://cdn.example/harbour-640x336.jpg?quality=80"></p>{TEXT}'
    reading = reader.open(article(session, reader, html, **FACTS))
    expect(reading.body.locator("img")).to_be_visible()
    expect(lead(reading.page)).to_have_count(0)


@pytest.mark.heavy
@pytest.mark.parametrize("size", [None, (64, 64)], ids=["broken", "an icon"])
def test_a_picture_that_is_none_leaves_no_trace(
    session: Session, reader: Person, size: tuple[int, int] | None
) -> None:
    serve_pictures(reader.context, size)
    reading = reader.open(article(session, reader, **FACTS))
    expect(reading.page.locator("article header")).to_contain_text("Ada Mollett")
    expect(lead(reading.page)).to_have_count(0)


@pytest.mark.heavy
def test_text_from_right_to_left(session: Session, reader: Person) -> None:
    html = "<p>NASA ESA JAXA: المد يتبع القمر.</p>"
    reading = reader.open(article(session, reader, html, language="ar"))
    expect(reading.body).to_have_attribute("dir", "rtl")
    expect(reading.body).to_have_attribute("lang", "ar")


@pytest.mark.heavy
def test_the_list_names_site_author_and_time(session: Session, reader: Person) -> None:
    serve_pictures(reader.context)
    article(session, reader, **FACTS)
    page = reader.page()
    page.goto(reader.nexus.origin)
    item = row(page, "Of tides")
    for words in ("The Northern Review", "Ada Mollett and Grace Quay", "10 min read"):
        expect(item.get_by_text(words, exact=True)).to_be_visible()
    expect(item.get_by_text("A long look at the pilots.")).to_be_visible()
    picture = item.locator("img")
    expect(picture).to_have_attribute("src", f"/api{proxied(HARBOUR)}")
    expect(picture).to_have_attribute("alt", "")
    expect(picture).to_have_attribute("loading", "lazy")
    assert serious_problems(page) == []


@pytest.mark.heavy
def test_the_list_on_a_phone_is_short_and_shows_no_broken_picture(
    session: Session, phone_reader: Person
) -> None:
    serve_pictures(phone_reader.context, None)
    article(session, phone_reader, **FACTS)
    page = phone_reader.page()
    page.goto(phone_reader.nexus.origin)
    item = row(page, "Of tides")
    expect(item.get_by_text("The Northern Review")).to_be_visible()
    expect(item.locator("img")).to_be_hidden()
    expect(item.get_by_text("Ada Mollett")).to_be_hidden()
    expect(item.get_by_text("A long look")).to_be_hidden()
