"""Books opened in a real browser."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.db.models import Fragment
from nexus.tasks.ingest import ingest_media
from tests.e2e.reading import Person, Reading
from tests.media_states import stored_file

# The book's text on the page: the chapters that are there, by their number.
THERE = "() => [...document.querySelectorAll('[data-chapter]')].map(e => +e.dataset.chapter)"


@dataclass
class OpenBook(Reading):
    """A tab with a book; `article` is its first fragment."""

    fragments: list[Fragment]

    @property
    def body(self) -> Locator:
        return self.page.locator("article > section")

    def chapter(self, index: int) -> Locator:
        return self.page.locator(f'[data-chapter="{index}"]')

    def there(self) -> list[int]:
        """The chapters that are on the page."""
        found: list[int] = self.page.evaluate(THERE)
        return found

    def open_contents(self) -> Locator:
        # Playwright would scroll the page before it clicks on a bar that stays at its top.
        button = self.page.get_by_role("button", name="Contents", exact=True)
        button.evaluate("(one) => one.click()")
        return self.page.get_by_role("dialog", name="Contents")

    def go(self, label: str) -> None:
        """Go to a chapter by the contents."""
        entries = self.open_contents()
        # Entries out of sight are not laid out, which Playwright takes for hidden.
        entries.get_by_role("button", name=label, exact=True, include_hidden=True).click()


def store_book(session: Session, owner: Person, data: bytes, title: str = "A book") -> UUID:
    """A book as ingestion stores it."""
    media = stored_file(session, owner.viewer, MediaKind.EPUB, data, title=title)
    ingest_media.apply(args=[str(media.id)]).get()
    session.expire_all()
    return media.id


def fragments_of(session: Session, media_id: UUID) -> list[Fragment]:
    query = select(Fragment).where(Fragment.media_id == media_id).order_by(Fragment.idx)
    return list(session.scalars(query))


def open_book(
    session: Session, owner: Person, media_id: UUID, *, fragment: str = "", page: Page | None = None
) -> OpenBook:
    """The book in a tab, once some of it is there."""
    parts = fragments_of(session, media_id)
    book = OpenBook(owner, page or owner.page(), parts[0], parts)
    book.page.goto(f"{owner.nexus.origin}/read/{media_id}{fragment}")
    expect(book.page.locator("[data-chapter]").first).to_be_attached()
    return book


def highlights_of(owner: Person, media_id: UUID) -> list[dict[str, Any]]:
    """All of a person's highlights in a book, in reading order."""
    answer = owner.client.get(f"/api/media/{media_id}/highlights")
    found: list[dict[str, Any]] = answer.json()["data"]["highlights"]
    return found
