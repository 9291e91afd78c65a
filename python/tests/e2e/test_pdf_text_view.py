"""A PDF as running text: the same words and highlights as on its pages, and the same place."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.tasks.ingest import ingest_media
from tests.api.uploads import uploaded
from tests.e2e.acting import row, serious_problems
from tests.e2e.pdf_reading import upload_and_read, upload_pdf
from tests.e2e.reading import Person, Reading, person
from tests.live import LiveNexus
from tests.pdf_files import RIVER_LABELS, page_lines, plain, river_book, scan

MARGIN = """() => [...document.querySelectorAll("article [data-page]")].map(
  (mark) => [mark.dataset.page, mark.getBoundingClientRect().top])"""
# Where the first drawn piece of a colour is: its words, and how far down the window.
DRAWN = """(name) => {
  const pieces = [...(CSS.highlights.get(`nexus-${name}`) ?? [])].map((piece) => {
    const range = document.createRange();
    range.setStart(piece.startContainer, piece.startOffset);
    range.setEnd(piece.endContainer, piece.endOffset);
    return range;
  });
  const text = pieces.map(String).join("").replace(/\\s/g, "");
  return { text, top: pieces[0]?.getBoundingClientRect().top ?? -1 };
}"""
IS_AT_TOP = f"() => Math.abs(({DRAWN})('yellow').top - 80) < 40"
IS_DRAWN = f"([name, words]) => ({DRAWN})(name).text === words"
IS_IN_VIEW = f"""(words) => {{
  const {{ text, top }} = ({DRAWN})("found-here");
  return text === words && top > 0 && top < innerHeight;
}}"""


@pytest.fixture
def calm(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person who wants nothing to move, so that every jump is done at once."""
    with person(nexus, browser, session, reduced_motion="reduce") as someone:
        yield someone


def river(session: Session, owner: Person) -> Fragment:
    return upload_pdf(session, owner, river_book())


def to_text(page: Page) -> Locator:
    return page.get_by_role("button", name="Show as running text")


def to_pages(page: Page) -> Locator:
    return page.get_by_role("button", name="Show the pages")


def open_as_text(owner: Person, pdf: Fragment) -> Reading:
    reading = owner.open(pdf)
    to_text(reading.page).click()
    expect(reading.body.get_by_role("heading", name="Of rivers")).to_be_visible()
    return reading


def test_a_highlight_is_on_the_same_words_in_both_views(session: Session, calm: Person) -> None:
    reading = open_as_text(calm, river(session, calm))
    page = reading.page
    reading.drag("old people say", "course is told")
    reading.bar.get_by_role("button", name="Highlight in blue").click()
    words = "oldpeoplesay,andoneexam-pleofitscourseistold"
    reading.expect_painted((words, "blue"))
    reading.expect_saved()
    (saved,) = calm.highlights(reading.article)
    assert saved["exact"] == "old people say, and one exam- ple of its course is told"
    assert (saved["page"]["label"], saved["end_page"]["label"]) == ("i", "ii")
    expect(reading.cards.get_by_text("pp. i–ii")).to_be_visible()
    expect(reading.cards.get_by_role("button", name="pages i to ii")).to_be_visible()

    to_pages(page).click()
    expect(page.locator("article canvas").first).to_be_visible()
    # The pages have the break between them, and no space.
    page.wait_for_function(IS_DRAWN, arg=["blue", words])
    page.reload()
    expect(reading.cards.get_by_text("pp. i–ii")).to_be_visible()
    to_text(page).click()
    reading.expect_painted((words, "blue"))
    # It is remembered on this device.
    page.reload()
    reading.expect_painted((words, "blue"))
    expect(to_pages(page)).to_be_visible()


@pytest.mark.heavy
def test_what_the_printer_needed_is_out_of_the_way(session: Session, calm: Person) -> None:
    reading = open_as_text(calm, river(session, calm))
    shown = reading.body.inner_text()
    assert "one example of its course" in shown
    expect(reading.page.locator("article [data-page]")).to_have_count(len(RIVER_LABELS))
    reading.settle()
    marks = reading.page.evaluate(MARGIN)
    assert [label for label, _ in marks] == list(RIVER_LABELS)
    # Each beside its own line, in reading order.
    assert [top for _, top in marks] == sorted(top for _, top in marks)
    second = reading.edges("ple of its course", scroll=False)["middle"][1]
    assert abs(marks[1][1] - second) < 40
    expect(reading.body.get_by_role("heading", name="Of rivers", exact=True)).to_be_visible()
    assert serious_problems(reading.page) == []


@pytest.mark.heavy
def test_the_place_stays_when_the_view_changes(session: Session, calm: Person) -> None:
    pdf = river(session, calm)
    words = page_lines(9)[5][:30]
    start = pdf.canonical_text.index(words)
    calm.highlight(pdf, start, start + 30, "yellow")
    reading = open_as_text(calm, pdf)
    page = reading.page
    page.wait_for_function(IS_DRAWN, arg=["yellow", "".join(words.split())])
    page.evaluate(f"() => scrollBy(0, ({DRAWN})('yellow').top - 80)")
    for switch in (to_pages, to_text, to_pages):
        reading.settle()
        page.wait_for_function(IS_AT_TOP)
        # Not by a click: it would scroll to where the bar was before it stuck to the top.
        page.keyboard.press("v")
        expect(switch(page)).to_have_count(0)
    page.wait_for_function(IS_AT_TOP)


@pytest.mark.heavy
def test_who_reads_the_pages_before_the_text_is_there_stays_on_them(
    session: Session, calm: Person
) -> None:
    # Somebody who prefers the text.
    open_as_text(calm, river(session, calm)).page.close()
    media_id = uploaded(calm.client, plain(9))["id"]
    page = calm.page()
    page.goto(f"{calm.nexus.origin}/read/{media_id}")
    expect(page.locator("article canvas").first).to_be_visible()
    field = page.get_by_label("Page, of")
    field.fill("7")
    field.press("Enter")
    seventh = page.locator('.pdf-page[aria-label^="Page 7 of"]')
    expect(seventh.locator("canvas")).to_be_visible()
    before = seventh.bounding_box()
    ingest_media(media_id)
    expect(to_text(page)).to_be_visible()
    expect(seventh.locator(".pdf-text-end")).to_be_attached()
    expect(field).to_have_value("7")
    assert seventh.bounding_box() == before
    # Until they ask for it, or open it again.
    to_text(page).click()
    expect(to_pages(page)).to_be_visible()
    expect(page.get_by_text("Sentence 7000 says")).to_be_in_viewport()
    to_pages(page).click()
    to_text(page).click()
    page.reload()
    expect(to_pages(page)).to_be_visible()


@pytest.mark.heavy
def test_find_goes_through_all_pages_in_both_views(session: Session, calm: Person) -> None:
    pdf = river(session, calm)
    reading = calm.open(pdf)
    page = reading.page
    status = page.get_by_role("search").get_by_role("status")
    expect(page.get_by_role("button", name="Find in the text")).to_be_visible()
    # The browser's own find would see only the pages that are drawn.
    page.keyboard.press("Control+f")
    page.get_by_role("searchbox", name="Find").fill("example of its course")
    expect(status).to_contain_text("1 of 1")
    page.get_by_role("searchbox", name="Find").fill("Sentence 11000")
    expect(status).to_contain_text("1 of 1")
    page.wait_for_function(IS_IN_VIEW, arg="Sentence11000")
    page.keyboard.press("Escape")
    to_text(page).click()
    page.keyboard.press("f")
    expect(status).to_contain_text("1 of 1")


@pytest.mark.heavy
def test_a_small_screen(session: Session, phone_reader: Person) -> None:
    reading = open_as_text(phone_reader, river(session, phone_reader))
    page = reading.page
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    marks = page.locator("article [data-page]")
    expect(marks).to_have_count(len(RIVER_LABELS))
    assert serious_problems(page) == []
    to_pages(page).tap()
    expect(page.locator("article canvas").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_scan_opens_and_says_what_it_lacks(calm: Person) -> None:
    media_id = upload_and_read(calm, scan(1))
    page = calm.page()
    page.goto(f"{calm.nexus.origin}/read/{media_id}")
    words = "This PDF is a scan: it has no text, so passages cannot be highlighted."
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.locator("article canvas").first).to_be_visible()
    expect(to_text(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Find in the text")).to_have_count(0)
    assert serious_problems(page) == []
    page.goto(calm.nexus.origin)
    expect(row(page, "A fine file").get_by_text("1 page", exact=True)).to_be_visible()
