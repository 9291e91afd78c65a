"""PDFs in a real browser: read, highlighted, and found again."""

from typing import Any

import pytest
from playwright.sync_api import Request, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.tasks.ingest import ingest_media
from tests import pdf_files
from tests.api.uploads import uploaded
from tests.e2e.acting import serious_problems
from tests.e2e.pdf_reading import PdfReading, open_pdf, upload_pdf
from tests.e2e.reading import Person, make_article

# Pictures of pages on the screen, and the pixels they have in all.
CANVASES = """() => {
  const all = [...document.querySelectorAll(".pdf-page canvas")];
  return [all.length, all.reduce((sum, one) => sum + one.width * one.height, 0)];
}"""

TOP = "(element) => element.getBoundingClientRect().top"


@pytest.fixture
def paper(session: Session, reader: Person) -> PdfReading:
    """Three pages of prose, in which passages can be marked."""
    reading = open_pdf(reader, upload_pdf(session, reader, pdf_files.plain(3)))
    reading.expect_drawn(1)
    # Keys that mark do nothing before the server's text has come.
    margin = reading.page.get_by_role("complementary", name="Highlights and notes")
    expect(margin).to_be_visible()
    return reading


def saved(reading: PdfReading) -> list[tuple[str, str]]:
    """What the server has, in reading order."""
    return [(one["exact"], one["color"]) for one in reading.person.highlights(reading.article)]


@pytest.mark.heavy
def test_a_mouse_drag_and_a_colour_make_a_highlight(paper: PdfReading) -> None:
    paper.drag("candle meadow winter market")
    paper.bar.get_by_role("button", name="Highlight in green").click()
    paper.expect_painted(("candle meadow winter market", "green"))
    expect(paper.cards).to_have_count(1)
    paper.expect_saved()
    paper.page.reload()
    paper.expect_painted(("candle meadow winter market", "green"))
    assert saved(paper) == [("candle meadow winter market", "green")]


def test_a_passage_over_a_page_break_is_one_highlight(paper: PdfReading) -> None:
    text = paper.article.canonical_text
    begin, finish = "Sentence 1025 says", "Sentence 2000 says"
    passage = text[text.index(begin) : text.index(finish) + len(finish)]
    first_part = passage[: passage.index("Sentence 2000")]
    second_part = passage[len(first_part) :]
    paper.pdf_page(2).scroll_into_view_if_needed()
    paper.expect_drawn(2)
    paper.edges(finish)
    paper.page.evaluate("() => window.scrollBy({ top: -300, behavior: 'instant' })")
    first = paper.edges(begin, scroll=False)
    last = paper.edges(finish, scroll=False)
    mouse = paper.page.mouse
    mouse.move(*first["from"])
    mouse.down()
    # Over the empty foot of the page, where there is nothing to select.
    mouse.move(*last["to"], steps=20)
    mouse.up()
    paper.bar.get_by_role("button", name="Highlight in blue").click()
    paper.expect_painted((first_part, "blue"), (second_part, "blue"))
    paper.expect_saved()
    assert saved(paper) == [(passage, "blue")]
    paper.page.reload()
    paper.expect_painted((first_part, "blue"), (second_part, "blue"))


@pytest.mark.heavy
def test_overlaps_notes_and_keys_work_as_in_articles(paper: PdfReading) -> None:
    paper.drag("candle meadow winter market")
    paper.page.keyboard.press("2")
    paper.expect_painted(("candle meadow winter market", "green"))
    paper.drag("winter market meadow")
    paper.page.keyboard.press("n")
    expect(paper.page.get_by_role("textbox", name="Note")).to_be_focused()
    paper.page.keyboard.type("Cold.")
    paper.expect_painted(
        ("candle meadow", "green"), ("winter market", "green"), ("meadow", "green")
    )
    paper.page.keyboard.press("Escape")
    paper.click_text("winter market")
    expect(paper.page.get_by_text("2 highlights here")).to_be_visible()
    paper.page.keyboard.press("Escape")
    paper.expect_saved()
    paper.expect_sent()
    paper.page.reload()
    expect(paper.cards).to_have_count(2)
    expect(paper.cards.filter(has_text="Cold.")).to_have_count(1)


@pytest.mark.heavy
def test_a_word_is_marked_with_the_keyboard_alone(paper: PdfReading) -> None:
    paper.page.keyboard.press("h")
    paper.page.keyboard.press("ArrowRight")
    paper.page.keyboard.press("1")
    paper.expect_painted(("1000", "yellow"))
    paper.expect_saved()
    assert saved(paper) == [("1000", "yellow")]


@pytest.mark.heavy
def test_what_is_copied_is_the_text(paper: PdfReading) -> None:
    paper.drag("paper story", to="garden. Sentence 1001")
    copied = paper.page.evaluate(
        """() => {
          const event = new ClipboardEvent("copy", {
            bubbles: true, cancelable: true, clipboardData: new DataTransfer(),
          });
          document.querySelector("article section").dispatchEvent(event);
          return event.clipboardData.getData("text/plain");
        }"""
    )
    assert copied == "paper story garden. Sentence 1001"


def test_the_place_is_found_again(paper: PdfReading) -> None:
    paper.go_to("3")
    paper.expect_drawn(3)
    page = paper.page
    with page.expect_response(lambda response: response.request.method == "PUT"):
        page.evaluate("() => window.scrollBy({ top: 200, behavior: 'instant' })")
    before = page.evaluate("() => window.scrollY")
    page.reload()
    paper.expect_drawn(3)
    page.wait_for_function("(y) => Math.abs(window.scrollY - y) < 40", arg=before)


@pytest.mark.heavy
def test_somebody_who_reads_before_the_text_is_there_stays_where_they_went(
    session: Session, reader: Person
) -> None:
    media_id = uploaded(reader.client, pdf_files.plain(9))["id"]
    page = reader.page()
    page.goto(f"{reader.nexus.origin}/read/{media_id}")
    field = page.get_by_label("Page, of")
    expect(page.locator(".pdf-page canvas").first).to_be_visible()
    field.fill("7")
    field.press("Enter")
    seventh = page.locator('.pdf-page[aria-label^="Page 7 of"]')
    expect(seventh.locator("canvas")).to_be_visible()
    before = seventh.evaluate(TOP)
    ingest_media(media_id)
    expect(page.get_by_role("button", name="Show as running text")).to_be_visible()
    expect(seventh.locator(".pdf-text-end")).to_be_attached()
    expect(field).to_have_value("7")
    # What was said above the pages is gone, and they are where they were all the same.
    assert abs(seventh.evaluate(TOP) - before) <= 1


def test_sizes_change_around_what_is_read(paper: PdfReading) -> None:
    paper.go_to("2")
    paper.expect_drawn(2)
    widths = "() => document.querySelector('.pdf-page').offsetWidth"
    before = paper.page.evaluate(widths)
    paper.page.keyboard.press("+")
    paper.page.wait_for_function(f"(width) => ({widths})() > width", arg=before)
    expect(paper.page.get_by_label("Page, of")).to_have_value("2")
    paper.page.keyboard.press("0")
    paper.page.wait_for_function(f"(width) => ({widths})() === width", arg=before)


@pytest.mark.heavy
@pytest.mark.parametrize("moves", ["before the first digit", "after it"])
def test_a_page_number_can_be_typed_while_the_pages_move(paper: PdfReading, moves: str) -> None:
    field = paper.page.get_by_label("Page, of")
    field.click()
    if moves == "after it":
        paper.page.keyboard.type("3")
    paper.pdf_page(2).evaluate("(page) => page.scrollIntoView({ behavior: 'instant' })")
    frames = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    paper.page.evaluate(frames)
    if moves == "before the first digit":
        paper.page.keyboard.type("3")
    expect(field).to_have_value("3")
    paper.page.keyboard.press("Enter")
    paper.expect_drawn(3)
    expect(field).to_have_value("3")


@pytest.mark.heavy
def test_a_page_that_is_not_there_can_be_typed_over(paper: PdfReading) -> None:
    field = paper.page.get_by_label("Page, of")
    field.click()
    paper.page.keyboard.type("999")
    paper.page.keyboard.press("Enter")
    paper.page.keyboard.type("3")
    expect(field).to_have_value("3")
    paper.page.keyboard.press("Enter")
    paper.expect_drawn(3)


@pytest.mark.heavy
def test_the_pages_stay_where_they_are_while_a_number_is_typed(paper: PdfReading) -> None:
    paper.go_to("2")
    paper.expect_drawn(2)
    paper.page.get_by_label("Page, of").click()
    before = paper.pdf_page(2).evaluate(TOP)
    paper.page.keyboard.type("123")
    assert paper.pdf_page(2).evaluate(TOP) == before


@pytest.mark.heavy
def test_what_is_too_large_for_one_picture_is_sharp_where_one_looks(paper: PdfReading) -> None:
    for _ in range(20):
        paper.page.keyboard.press("+")
    detail = paper.page.locator(".pdf-page > .pdf-detail")
    expect(detail).to_be_visible()
    density = "([canvas]) => canvas.width / canvas.getBoundingClientRect().width"
    assert paper.pdf_page(1).locator("canvas:not(.pdf-detail)").evaluate_all(density) < 0.95
    assert detail.evaluate_all(density) >= 1
    paper.page.keyboard.press("0")
    expect(detail).to_have_count(0)


def test_links_inside_lead_there_and_back(session: Session, reader: Person) -> None:
    reading = open_pdf(reader, upload_pdf(session, reader, pdf_files.linked()))
    reading.expect_drawn(1)
    links = reading.pdf_page(1).locator(".pdf-links a")
    inside = reading.pdf_page(1).locator('.pdf-links a[href="#"]')
    expect(inside).to_be_attached()
    addresses = links.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert all(address == "#" or address.startswith("https://") for address in addresses)
    inside.click()
    expect(reading.page.get_by_label("Page, of")).to_have_value("2")
    reading.page.get_by_role("button", name="Back to where you were").click()
    expect(reading.page.get_by_label("Page, of")).to_have_value("1")


@pytest.mark.heavy
def test_turned_and_mixed_pages_have_their_text_where_it_is(
    session: Session, reader: Person
) -> None:
    reading = open_pdf(reader, upload_pdf(session, reader, pdf_files.rotated_and_mixed()))
    for number in range(1, 8):
        reading.go_to(str(number))
        reading.expect_drawn(number)
        inside = reading.pdf_page(number).evaluate(
            """(page) => {
              const box = page.getBoundingClientRect();
              return [...page.querySelectorAll(".pdf-text > span")].every((span) => {
                const { left, right, top, bottom } = span.getBoundingClientRect();
                const wide = left >= box.left - 2 && right <= box.right + 2;
                return wide && top >= box.top - 2 && bottom <= box.bottom + 2;
              });
            }"""
        )
        assert inside, number


def test_a_page_that_is_broken_says_so_in_its_place(session: Session, reader: Person) -> None:
    reading = open_pdf(reader, upload_pdf(session, reader, pdf_files.broken_page()))
    reading.expect_drawn(1)
    words = "This page is damaged and cannot be shown."
    expect(reading.pdf_page(2).get_by_text(words)).to_be_visible()
    expect(reading.page.get_by_role("alert")).to_have_count(0)
    reading.drag("page is whole")
    reading.bar.get_by_role("button", name="Highlight in green").click()
    reading.expect_painted(("page is whole", "green"))
    reading.expect_saved()


@pytest.mark.heavy
def test_other_words_than_the_servers_are_refused(session: Session, reader: Person) -> None:
    read = upload_pdf(session, reader, pdf_files.plain(2))
    session.delete(read)
    session.flush()
    article = Fragment(
        media_id=read.media_id,
        idx=0,
        html_sanitized=read.html_sanitized,
        canonical_text=read.canonical_text.replace("Sentence 1000", "Sentence 9000"),
    )
    session.add(article)
    session.commit()
    reader.highlight(article, 0, 8, "green")
    reading = open_pdf(reader, article)
    expect(reading.page.get_by_role("alert")).to_contain_text("reads this text differently")
    assert reading.painted() == []


def test_a_long_file_is_loaded_in_parts_and_drawn_in_parts(
    session: Session, reader: Person
) -> None:
    article = upload_pdf(session, reader, pdf_files.plain(300))
    page = reader.page()
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    reading = PdfReading(reader, page, article)
    page.goto(f"{reader.nexus.origin}/read/{article.media_id}")
    reading.expect_drawn(1)
    most = 0
    for label in range(1, 301, 23):
        reading.go_to(str(label))
        reading.expect_drawn(label)
        count, pixels = page.evaluate(CANVASES)
        most = max(most, count)
        assert pixels <= 48 << 20
        assert page.locator(".pdf-page").count() <= 12
    assert most <= 12
    files = [one for one in asked if "/storage/" in one.url]
    assert files
    assert all("range" in one.headers for one in files)
    elsewhere = {one.url for one in asked if not one.url.startswith(reader.nexus.origin)}
    assert elsewhere == set()


@pytest.mark.heavy
def test_an_article_loads_nothing_of_pdfs(session: Session, reader: Person) -> None:
    article = make_article(session, reader, "<p>Only words.</p>")
    page = reader.page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{reader.nexus.origin}/read/{article.media_id}")
    expect(page.get_by_text("Only words.")).to_be_visible()
    assert [one for one in asked if "pdf" in one.lower()] == []


def test_a_phone_shows_pages_that_fit_and_marks_them(
    session: Session, phone_reader: Person
) -> None:
    article = upload_pdf(session, phone_reader, pdf_files.plain(2))
    reading = open_pdf(phone_reader, article)
    reading.expect_drawn(1)
    page = reading.page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
    mark(page, "candle meadow")
    reading.bar.get_by_role("button", name="Highlight in pink").tap()
    reading.expect_painted(("candle meadow", "pink"))
    # A phone shows no cards to wait for.
    reading.expect_sent()
    assert saved(reading) == [("candle meadow", "pink")]


def mark(page: Any, passage: str) -> None:
    """Select a passage as the handles of a phone do: without a mouse."""
    page.evaluate(
        """(passage) => {
          const spans = [...document.querySelectorAll(".pdf-text > span")];
          const node = spans.find((one) => one.textContent.includes(passage)).firstChild;
          const start = node.data.indexOf(passage);
          getSelection().setBaseAndExtent(node, start, node, start + passage.length);
        }""",
        passage,
    )


@pytest.mark.heavy
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_are_accessible(session: Session, reader: Person, theme: str) -> None:
    article: Fragment = upload_pdf(session, reader, pdf_files.outlined())
    reader.highlight(article, 0, 8, "green")
    reader.context.add_init_script(f"localStorage.setItem('nexus.theme', '{theme}')")
    reading = open_pdf(reader, article)
    reading.expect_drawn("i")
    expect(reading.page.get_by_role("region", name="Page i of 6")).to_be_visible()
    assert serious_problems(reading.page) == []
