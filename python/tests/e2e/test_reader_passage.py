"""The reader opened at a passage: in an article, on pages not drawn yet, in a later chapter."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from tests.e2e.books import fragments_of, open_book, store_book
from tests.e2e.pdf_reading import upload_pdf
from tests.e2e.reading import RECORD_MARKS, WAS_MARKED, Person, make_article, person
from tests.epub_files import long_book
from tests.live import LiveNexus
from tests.pdf_files import river_book

pytestmark = pytest.mark.heavy

FILLING = "<p>Tides follow the moon, and harbours follow the tides, day after day.</p>" * 60
ESSAY = f"""{FILLING}<p>Somewhere here 🐟 a heron waits for the ebb.</p>{FILLING}
<details><summary>More</summary><p>An otter hides.</p></details>{FILLING}"""

PLACES = """() => Object.entries(localStorage)
  .filter(([key]) => key.startsWith("nexus.position.")).map(([, at]) => JSON.parse(at).offset)"""


@pytest.fixture
def calm(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person who wants nothing to move, so that every jump is done at once."""
    with person(nexus, browser, session, reduced_motion="reduce") as someone:
        someone.context.add_init_script(RECORD_MARKS)
        yield someone


def at(fragment: Fragment, words: str) -> str:
    start = fragment.canonical_text.index(words)
    return f"?at={fragment.id}.{start}-{start + len(words)}"


def spoken(page: Page) -> str:
    return " ".join(page.get_by_role("log").all_text_contents())


def test_an_article_opens_at_the_passage_and_stays_where_one_reads_on(
    session: Session, calm: Person
) -> None:
    article = make_article(session, calm, ESSAY)
    reading = calm.open(article, fragment=at(article, "a heron waits"))
    page = reading.page
    page.wait_for_function(WAS_MARKED, arg="a heron waits")
    assert "a heron waits" in spoken(page)
    # It was only looked up: where the person reads is not known by that.
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert page.evaluate(PLACES) == []
    page.wait_for_function("() => CSS.highlights.get('nexus-target').size === 0")

    page.evaluate("scrollBy(0, innerHeight * 2.5)")
    page.wait_for_function(f"() => ({PLACES})()[0] > 0")
    scrolled = page.evaluate("scrollY")
    page.reload()
    page.wait_for_function("(y) => Math.abs(scrollY - y) < 40", arg=scrolled)

    page.goto(f"{calm.nexus.origin}/read/{article.media_id}{at(article, 'An otter hides')}")
    page.wait_for_function(WAS_MARKED, arg="An otter hides")


def test_a_passage_that_is_not_there_changes_nothing(session: Session, calm: Person) -> None:
    article = make_article(session, calm, ESSAY)
    for bad in (f"?at={UUID(int=7)}.3-9", f"?at={article.id}.99999999-999999999"):
        reading = calm.open(article, fragment=bad)
        assert reading.page.evaluate("scrollY") == 0
        assert reading.page.evaluate("CSS.highlights.get('nexus-target').size") == 0


def test_a_pdf_opens_at_the_passage_on_its_pages_and_in_its_text(
    session: Session, calm: Person
) -> None:
    pdf = upload_pdf(session, calm, river_book())
    words = pdf.canonical_text[-60:-20].strip()
    reading = calm.open(pdf, fragment=at(pdf, words))
    page = reading.page
    page.wait_for_function(WAS_MARKED, arg=words)
    page.get_by_role("button", name="Show as running text").click()
    expect(page.get_by_role("button", name="Show the pages")).to_be_visible()
    other = calm.open(pdf, fragment=at(pdf, words)).page
    other.wait_for_function(WAS_MARKED, arg=words)


def test_a_book_opens_at_a_passage_of_a_chapter_that_is_not_loaded(
    session: Session, calm: Person
) -> None:
    media_id = store_book(session, calm, long_book(12, 200_000))
    chapter = fragments_of(session, media_id)[-2]
    book = open_book(session, calm, media_id, fragment=at(chapter, "Next"))
    book.page.wait_for_function(WAS_MARKED, arg="Next")
