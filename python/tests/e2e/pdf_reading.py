"""A PDF opened in a real browser, and what a person can do there."""

from dataclasses import dataclass

from playwright.sync_api import Locator, expect
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.tasks.ingest import ingest_media
from tests.api.uploads import uploaded
from tests.e2e.reading import Person, Reading


def upload_pdf(session: Session, owner: Person, data: bytes) -> Fragment:
    """The text of a PDF that was uploaded, and read as a worker does."""
    media_id = upload_and_read(owner, data)
    return session.scalars(select(Fragment).where(Fragment.media_id == media_id)).one()


def upload_and_read(owner: Person, data: bytes) -> str:
    """The item of a PDF, which need not have a text."""
    media_id: str = uploaded(owner.client, data)["id"]
    ingest_media(media_id)
    media = owner.client.get(f"/api/media/{media_id}").json()["data"]
    assert media["processing_status"] == "ready_for_reading", media["last_error_message"]
    return media_id


@dataclass
class PdfReading(Reading):
    """A tab with a PDF."""

    def pdf_page(self, label: int | str) -> Locator:
        return self.page.locator(f'.pdf-page[aria-label^="Page {label} of"]')

    def go_to(self, label: str) -> None:
        field = self.page.get_by_label("Page, of")
        field.fill(label)
        field.press("Enter")

    def expect_drawn(self, label: int | str) -> None:
        """Wait until a page has its picture and its text."""
        expect(self.pdf_page(label).locator("canvas")).to_be_visible()
        expect(self.pdf_page(label).locator(".pdf-text-end")).to_be_attached()


def open_pdf(owner: Person, article: Fragment, *, fragment: str = "") -> PdfReading:
    """The PDF in a new tab, once its first page is drawn."""
    reading = PdfReading(owner, owner.page(), article)
    reading.page.goto(f"{owner.nexus.origin}/read/{article.media_id}{fragment}")
    expect(reading.page.locator(".pdf-page canvas").first).to_be_visible()
    return reading
