"""What the reader tells of reading: what was opened, how far it was read, and that it is read."""

import re
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from tests.e2e.acting import row
from tests.e2e.books import open_book, store_book
from tests.e2e.pdf_reading import open_pdf, upload_pdf
from tests.e2e.reading import Person, make_article
from tests.epub_files import Book
from tests.epub_files import page as book_page
from tests.factories import make_media
from tests.live import wait_for
from tests.pdf_files import river_book

PARAGRAPH = "<p>Tides follow the moon, and harbours follow the tides, day after day.</p>"
ESSAY = PARAGRAPH * 80
OPENED = re.compile(r"/opened$")
TO_END = "scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })"


def item(owner: Person, media_id: UUID) -> dict[str, Any]:
    found: dict[str, Any] = owner.client.get(f"/api/media/{media_id}").json()["data"]
    return found


def short_end() -> bytes:
    """A book with a last part so short that it never comes to the top of the window."""
    return Book(
        {
            "one.xhtml": book_page(PARAGRAPH * 20),
            "two.xhtml": book_page("<p>Printed in spring.</p>"),
        }
    ).bytes()


def expect_finished(owner: Person, media_id: UUID) -> None:
    wait_for(lambda: item(owner, media_id)["state"] == "finished", what="the end to be noticed")


def test_an_article_is_opened_read_and_finished(session: Session, reader: Person) -> None:
    article = make_article(session, reader, ESSAY)
    assert item(reader, article.media_id)["opened_at"] is None
    page = reader.page()
    with page.expect_response(OPENED) as told:
        page.goto(f"{reader.nexus.origin}/read/{article.media_id}")
    assert told.value.status == 204
    opened = item(reader, article.media_id)
    assert (opened["state"], opened["opened_at"] is None) == ("unread", False)
    page.evaluate("scrollTo(0, 1200)")
    wait_for(lambda: item(reader, article.media_id)["state"] == "reading", what="the place")
    assert 0.2 < item(reader, article.media_id)["progress"] < 0.9
    page.goto(f"{reader.nexus.origin}/continue")
    begun = row(page, "An essay")
    expect(begun.get_by_text(re.compile(r"\d\d% read"))).to_be_visible()
    begun.get_by_role("heading").get_by_role("link").click()
    page.wait_for_function("() => scrollY > 1000")
    page.evaluate(TO_END)
    expect_finished(reader, article.media_id)
    assert item(reader, article.media_id)["progress"] == 1


@pytest.mark.heavy
def test_the_end_of_a_pdf_and_of_a_book_is_noticed(session: Session, reader: Person) -> None:
    pdf = upload_pdf(session, reader, river_book())
    page = open_pdf(reader, pdf).page
    page.evaluate(TO_END)
    expect_finished(reader, pdf.media_id)

    book_id = store_book(session, reader, short_end())
    page = open_book(session, reader, book_id).page
    page.wait_for_function("() => document.querySelectorAll('[data-chapter]').length === 2")
    page.evaluate(TO_END)
    expect_finished(reader, book_id)


@pytest.mark.heavy
def test_a_video_is_opened_on_its_page(session: Session, reader: Person) -> None:
    video = make_media(
        session,
        reader.viewer,
        kind=MediaKind.VIDEO,
        title="A film",
        processing_status=ProcessingStatus.READY,
        external_playback_url="https://video.example.org/1",
    )
    session.commit()
    page = reader.page()
    with page.expect_response(OPENED):
        page.goto(f"{reader.nexus.origin}/item/{video.id}")
    assert item(reader, video.id)["opened_at"] is not None
