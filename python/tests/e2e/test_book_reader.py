"""A book in a real browser: chapters in one scroll, highlights, places, notes, contents, find."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from sqlalchemy.orm import Session

from nexus.tasks.ingest import ingest_media
from tests.e2e.acting import item_id, row, serious_problems, visit
from tests.e2e.books import OpenBook, fragments_of, highlights_of, open_book, store_book
from tests.e2e.reading import RECORD_MARKS, SETTLED, WAS_MARKED_FROM, Person, person
from tests.epub_files import Book, line, long_book, nav, page, png, toc
from tests.live import LiveNexus

SEA = "The sea is never the same colour twice, and the harbour knows it. "
CHAPTERS = ("One", "Two", "Three", "Four", "Five", "Six")
TOP = "(text) => { const r = document.createRange(); const w = document.createTreeWalker(" + (
    "document.querySelector('article > section'), NodeFilter.SHOW_TEXT);"
    " while (w.nextNode()) { const at = w.currentNode.data.indexOf(text); if (at >= 0) {"
    " r.setStart(w.currentNode, at); r.setEnd(w.currentNode, at + 1);"
    " return r.getBoundingClientRect().top; } } return null; }"
)
# Where the canonical text has one newline or two, the chapters here have none.
LINE = """(box, offset) => {
  let left = offset;
  for (const block of box.children) {
    const { length } = block.textContent;
    if (left < length) {
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { currentNode: node } = walker;
        if (left >= node.length) { left -= node.length; continue; }
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, left + 1);
        return range.getBoundingClientRect().top;
      }
    }
    left -= length + 2;
  }
  throw new Error("beyond the end");
}"""
PLACE = """() => Object.entries(localStorage)
  .filter(([key]) => key.startsWith("nexus.position.")).map(([, at]) => JSON.parse(at))"""


def body(number: int) -> str:
    """A chapter of some screens; every paragraph is told from all others."""
    name = CHAPTERS[number - 1]
    paragraphs = "".join(
        f"<p>{name} paragraph {at}. {SEA * 6}End of {name} {at}.</p>" for at in range(1, 25)
    )
    further = ""
    if number == 2:
        further = (
            '<p>A claim<a epub:type="noteref" href="notes.xhtml#n1">1</a> is made here, and '
            'see <a href="5.xhtml#deep">the fifth chapter</a>.</p>'
        )
    deep = '<h3 id="deep">Deep in five</h3>' if number == 5 else ""
    return f'<h2 id="c{number}">Chapter {name}</h2>{further}{paragraphs}{deep}{paragraphs}'


def tides() -> bytes:
    """A book of six chapters, with a cover, notes of its own file, and contents in two levels."""
    documents: dict[str, str | bytes] = {
        "cover.xhtml": page('<div><img src="c.png" alt="Cover"/></div>'),
        **{f"{number}.xhtml": page(body(number)) for number in range(1, 7)},
        "notes.xhtml": page(
            '<h2>Notes</h2><aside epub:type="footnote" id="n1"><p>1 Said by nobody in '
            'particular. <a href="2.xhtml#c2">\N{LEFTWARDS ARROW WITH HOOK}</a></p></aside>'
        ),
    }
    deep = line("5.xhtml#deep", "Deep in five")
    lines = "".join(
        line(f"{number}.xhtml", f"Chapter {name}", deep if number == 5 else "")
        for number, name in enumerate(CHAPTERS, 1)
    )
    marks = toc(line("1.xhtml", "Text", kind="bodymatter"), "landmarks")
    return Book(
        documents=documents,
        files={"c.png": png(60, 90), "nav.xhtml": nav(toc(lines), marks)},
        properties={"c.png": "cover-image", "nav.xhtml": "nav"},
        metadata="<dc:title>Of Tides</dc:title><dc:creator>Ann Author</dc:creator>"
        "<dc:language>en</dc:language>",
    ).bytes()


@pytest.fixture
def calm(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person who wants nothing to move, so that every jump is done at once."""
    options = {"base_url": nexus.origin, "reduced_motion": "reduce"}
    with person(nexus, browser, session, **options) as someone:
        someone.context.add_init_script(RECORD_MARKS)
        yield someone


def opened(session: Session, owner: Person) -> tuple[UUID, OpenBook]:
    media_id = store_book(session, owner, tides())
    book = open_book(session, owner, media_id)
    expect(book.chapter(1)).to_be_attached()
    book.settle()
    return media_id, book


def top_of(book: OpenBook, text: str) -> float:
    found: float | None = book.page.evaluate(TOP, text)
    assert found is not None, f"not on the page: {text}"
    return found


def line_at(book: OpenBook, index: int, offset: int) -> float:
    """How far down the window a line of a chapter is. All of its characters are visible ones."""
    found: float = book.chapter(index).evaluate(LINE, offset)
    return found


def back(page: Page) -> Locator:
    return page.get_by_role("button", name="Back to where you were")


def test_a_book_opens_where_its_text_begins(session: Session, calm: Person) -> None:
    media_id, book = opened(session, calm)
    tab = book.page
    expect(book.chapter(1)).to_have_accessible_name("Chapter One")
    expect(book.chapter(1).get_by_role("heading", name="Chapter One")).to_be_in_viewport()
    assert 60 < top_of(book, "Chapter One") < 120
    assert 6 not in book.there()
    expect(tab.get_by_role("button", name=re.compile("% read"))).to_be_visible()
    visit(tab)
    listed = row(tab, "Of Tides")
    expect(listed).to_contain_text("Ann Author")
    link = listed.get_by_role("heading").get_by_role("link")
    expect(link).to_have_attribute("href", f"/read/{media_id}")
    expect(listed.locator("img")).to_have_attribute("src", re.compile(f"/api/media/{media_id}/"))
    assert serious_problems(tab) == []


def test_chapters_come_ahead_and_leave_behind(session: Session, calm: Person) -> None:
    _, book = opened(session, calm)
    seen = set(book.there())
    most = 0
    for _ in range(80):
        before = book.page.evaluate("scrollY")
        book.page.mouse.wheel(0, 1_500)
        book.page.wait_for_function(
            "(y) => scrollY > y || scrollY + innerHeight >= document.body.scrollHeight - 1",
            arg=before,
        )
        book.settle()
        there = book.there()
        seen |= set(there)
        most = max(most, len(there))
        if 7 in there and "End of Six 24." in book.body.inner_text():
            break
    assert seen >= set(range(1, 8))
    assert most < 8
    assert 1 not in book.there()


def test_highlights_in_a_later_chapter_stay_where_they_are(session: Session, calm: Person) -> None:
    media_id, book = opened(session, calm)
    tab = book.page
    book.go("Chapter Three")
    expect(book.chapter(3)).to_be_attached()
    book.settle()
    book.drag("End of Three 1.")
    tab.keyboard.press("1")
    expect(book.cards).to_have_count(1)
    book.drag("knows it. End of Three")
    tab.keyboard.press("3")
    tab.keyboard.press("Escape")
    expect(book.cards).to_have_count(2)
    book.drag("Three paragraph 3.")
    tab.keyboard.press("n")
    tab.get_by_role("textbox", name="Note").fill("Look this up.")
    wanted = [
        ("knows it. ", "blue"),
        ("End of Three", "blue"),
        (" 1.", "yellow"),
        ("Three paragraph 3.", "blue"),
    ]
    book.expect_painted(*wanted)
    expect(book.cards).to_have_count(3)
    expect(book.cards.first).to_contain_text("Chapter Three")
    tab.get_by_text("Saved").wait_for()
    book.expect_saved()
    made = highlights_of(calm, media_id)
    text = book.fragments[3].canonical_text
    assert [one["fragment_id"] for one in made] == [str(book.fragments[3].id)] * 3
    assert [text[one["start_offset"] : one["end_offset"]] for one in made] == [
        "knows it. End of Three",
        "End of Three 1.",
        "Three paragraph 3.",
    ]
    again = open_book(session, calm, media_id)
    expect(again.chapter(3)).to_be_attached()
    again.expect_painted(*wanted)
    expect(again.cards.filter(has_text="Look this up.")).to_have_count(1)


def test_a_selection_over_the_end_of_a_chapter_is_cut_there(session: Session, calm: Person) -> None:
    media_id, book = opened(session, calm)
    book.go("Chapter Two")
    expect(book.chapter(2)).to_be_attached()
    expect(book.chapter(1)).to_be_attached()
    book.settle()
    first = book.chapter(1).get_by_text("End of One 24.").last
    first.evaluate(
        """(from) => {
          const to = document.querySelector("[data-chapter='2'] h2");
          const text = from.lastChild;
          document.getSelection().setBaseAndExtent(
            text, text.data.indexOf("End of One 24."), to.firstChild, 5);
          document.querySelector("article > section").focus();
        }"""
    )
    book.page.keyboard.press("2")
    expect(book.cards).to_have_count(1)
    book.expect_saved()
    (made,) = highlights_of(calm, media_id)
    assert made["exact"] == "End of One 24."
    assert made["fragment_id"] == str(book.fragments[1].id)


@pytest.mark.heavy
def test_the_place_is_kept_to_the_line(session: Session, calm: Person) -> None:
    media_id, book = opened(session, calm)
    tab = book.page
    book.go("Chapter Four")
    expect(book.chapter(4)).to_be_attached()
    for _ in range(4):
        book.wheel(700)
    fourth = book.fragments[4]
    # The place is noted at once when the page may be about to close.
    tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    is_there = f"(id) => ({PLACE})().some((at) => at.fragment === id && at.offset > 1000)"
    tab.wait_for_function(is_there, arg=str(fourth.id))
    (kept,) = tab.evaluate(PLACE)
    before = line_at(book, 4, kept["offset"])
    again = open_book(session, calm, media_id, page=tab)
    expect(again.chapter(4)).to_be_attached()
    again.settle()
    assert 60 < before < 120
    # The line is where people read from, just under the bar.
    assert 60 < line_at(again, 4, kept["offset"]) < 80
    tab.set_viewport_size({"width": 700, "height": 800})
    again.settle()
    assert 40 < line_at(again, 4, kept["offset"]) < 100
    # On another device as well.
    with calm.context.expect_page() as other:
        tab.evaluate("window.open('about:blank')")
    elsewhere = other.value
    elsewhere.add_init_script("localStorage.clear()")
    open_book(session, calm, media_id, page=elsewhere)
    expect(elsewhere.locator('[data-chapter="4"]')).to_be_attached()


def test_contents_lead_to_chapters_and_back(session: Session, calm: Person) -> None:
    _, book = opened(session, calm)
    tab = book.page
    book.wheel(900)
    before = top_of(book, "One paragraph 5.")
    book.go("Deep in five")
    expect(book.chapter(5).get_by_role("heading", name="Deep in five")).to_be_in_viewport()
    book.settle()
    assert 70 < top_of(book, "Deep in five") < 110
    current = book.open_contents().locator("[aria-current]")
    expect(current).to_have_text("Deep in five")
    tab.keyboard.press("Escape")
    back(tab).click()
    expect(book.chapter(1)).to_be_attached()
    book.settle()
    assert abs(top_of(book, "One paragraph 5.") - before) <= 2


@pytest.mark.heavy
def test_of_two_chapters_the_one_asked_for_last_is_shown(session: Session, calm: Person) -> None:
    _, book = opened(session, calm)
    tab = book.page
    held: list[Route] = []
    tab.route(f"**/api/fragments/{book.fragments[6].id}", lambda route: held.append(route))
    with tab.expect_request(f"**/api/fragments/{book.fragments[6].id}"):
        book.go("Chapter Six")
    book.go("Chapter Four")
    expect(book.chapter(4).get_by_role("heading", name="Chapter Four")).to_be_in_viewport()
    with tab.expect_response(f"**/api/fragments/{book.fragments[6].id}"):
        for route in held:
            route.continue_()
    book.settle()
    expect(book.chapter(4).get_by_role("heading", name="Chapter Four")).to_be_in_viewport()


@pytest.mark.heavy
def test_a_jump_near_the_end_arrives_although_the_book_turns_out_shorter(
    session: Session, calm: Person
) -> None:
    # Lists are tall for the few letters they have, so that the rest is expected to be tall too.
    tall = "".join(f"<p>{at} is one of the lines</p>" for at in range(20))
    lists = range(1, 31)
    documents: dict[str, str | bytes] = {
        **{f"{number}.xhtml": page(f"<h2>List {number}</h2>{tall}") for number in lists},
        "31.xhtml": page(f"<h2>Dense</h2><p>{SEA * 80}</p>"),
    }
    lines = "".join(line(f"{number}.xhtml", f"List {number}") for number in lists)
    data = Book(
        documents=documents,
        files={"nav.xhtml": nav(toc(lines))},
        properties={"nav.xhtml": "nav"},
        metadata="<dc:title>Lists</dc:title><dc:language>en</dc:language>",
    ).bytes()
    book = open_book(session, calm, store_book(session, calm, data))
    book.settle()
    book.go("List 30")
    # What comes below it makes all that is expected above it shorter.
    expect(book.chapter(30)).to_be_attached()
    book.settle()
    expect(book.chapter(29).get_by_role("heading", name="List 30")).to_be_in_viewport()


@pytest.mark.heavy
def test_somebody_who_scrolls_on_is_not_brought_to_where_the_address_led(
    session: Session, calm: Person
) -> None:
    media_id = store_book(session, calm, tides())
    fragments = fragments_of(session, media_id)
    tab = calm.page()
    held: list[Route] = []
    tab.route(f"**/api/fragments/{fragments[5].id}", lambda route: held.append(route))
    with tab.expect_request(f"**/api/fragments/{fragments[5].id}"):
        tab.goto(f"{calm.nexus.origin}/read/{media_id}#offset-{fragments[5].idx}-9000")
    tab.evaluate(SETTLED)
    # Away from there by the keyboard, to what is there already or can be had.
    tab.keyboard.press("Home")
    expect(tab.locator('[data-chapter="1"]')).to_be_attached()
    tab.evaluate(SETTLED)
    before = tab.evaluate("scrollY")
    with tab.expect_response(f"**/api/fragments/{fragments[5].id}"):
        for route in held:
            route.continue_()
    tab.evaluate(SETTLED)
    assert tab.evaluate("scrollY") == before


def test_notes_and_references_reach_other_chapters(session: Session, calm: Person) -> None:
    _, book = opened(session, calm)
    tab = book.page
    book.go("Chapter Two")
    one = book.chapter(2).get_by_role("link", name="1", exact=True)
    expect(one).to_have_attribute("aria-haspopup", "dialog")
    assert 7 not in book.there()
    one.click()
    note = tab.get_by_role("dialog", name="Note 1")
    expect(note).to_contain_text("Said by nobody in particular.")
    expect(note).not_to_contain_text("\N{LEFTWARDS ARROW WITH HOOK}")
    assert 7 not in book.there()
    tab.keyboard.press("Escape")
    link = book.chapter(2).get_by_role("link", name="the fifth chapter")
    before = link.bounding_box()
    link.click()
    heading = book.chapter(5).get_by_role("heading", name="Deep in five")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    tab.wait_for_function(WAS_MARKED_FROM, arg="Deep in five")
    back(tab).click()
    expect(link).to_be_in_viewport()
    expect(link).to_be_focused()
    tab.evaluate(SETTLED)
    after = link.bounding_box()
    assert before
    assert after
    assert abs(before["y"] - after["y"]) <= 2


def test_find_counts_all_chapters(session: Session, calm: Person) -> None:
    _, book = opened(session, calm)
    tab = book.page
    tab.keyboard.press("Control+f")
    find = tab.get_by_role("search", name="Find in the text")
    find.get_by_role("searchbox").fill("paragraph 7.")
    # Two in each chapter, and one is in the first.
    expect(find.get_by_role("status")).to_contain_text("1 of 12")
    find.get_by_role("searchbox").press("Shift+Enter")
    expect(find.get_by_role("status")).to_contain_text("12 of 12")
    expect(book.chapter(6)).to_be_attached()
    book.settle()
    here = "[...CSS.highlights.get('nexus-found-here')].map((one) => one.startContainer.data)"
    tab.wait_for_function(f"() => {here}.join('|').startsWith('Six paragraph 7.')")
    find.get_by_role("searchbox").fill("said by nobody")
    expect(find.get_by_role("status")).to_contain_text("1 of 1")


@pytest.mark.heavy
def test_a_book_on_a_small_phone(session: Session, phone_reader: Person) -> None:
    _, book = opened(session, phone_reader)
    tab = book.page
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    assert serious_problems(tab) == []
    tab.get_by_role("button", name=re.compile("% read")).click()
    expect(tab.get_by_role("dialog", name=re.compile("% read"))).to_contain_text("In the book")
    assert serious_problems(tab) == []
    tab.keyboard.press("Escape")
    book.go("Chapter Three")
    expect(book.chapter(3).get_by_role("heading")).to_be_in_viewport()


def test_two_thousand_documents_open_with_a_handful_of_requests(
    session: Session, calm: Person
) -> None:
    media_id = store_book(session, calm, long_book(2_000, 2_000_000))
    parts = fragments_of(session, media_id)
    asked: list[str] = []
    tab = calm.page()
    tab.on("request", lambda request: asked.append(request.url))
    visit(tab)
    row(tab, "A book").get_by_role("heading").get_by_role("link").click()
    book = OpenBook(calm, tab, parts[0], parts)
    expect(tab.locator("[data-chapter]").first).to_be_attached()
    book.settle()
    chapters = [url for url in asked if "/api/fragments/" in url]
    assert 0 < len(chapters) <= 12
    assert all(url.startswith(calm.nexus.origin) for url in asked)
    assert not any(url.endswith("/fragments") for url in asked)
    assert tab.evaluate("document.querySelectorAll('article *').length") < 500
    book.go("Chapter 1500")
    expect(book.chapter(1_499).get_by_role("heading")).to_be_in_viewport()
    assert len(book.there()) < 40


@pytest.mark.heavy
def test_a_direct_address_asks_for_some_chapters_only(session: Session, calm: Person) -> None:
    media_id = store_book(session, calm, tides())
    tab, asked = calm.page(), []
    tab.on("request", lambda request: asked.append(request.url))
    open_book(session, calm, media_id, page=tab)
    assert not any(url.endswith("/fragments") for url in asked)


@pytest.mark.heavy
def test_an_uploaded_book_is_read_and_found_again(
    session: Session, calm: Person, tmp_path: Path
) -> None:
    tab = calm.page()
    file = tmp_path / "tides.epub"
    file.write_bytes(tides())
    visit(tab)
    tab.get_by_role("button", name="Add", exact=True).click()
    with tab.expect_file_chooser() as chooser:
        tab.get_by_role("button", name=re.compile("EPUB")).click()
    chooser.value.set_files(file)
    expect(tab.get_by_role("region", name="Uploads")).to_contain_text("Uploaded.")
    listed = row(tab, "tides")
    expect(listed).to_contain_text("Reading the book…")
    ingest_media.apply(args=[str(item_id(listed))]).get()
    listed = row(tab, "Of Tides")
    listed.get_by_role("heading").get_by_role("link").click()
    expect(tab.get_by_role("region", name="Chapter One")).to_be_visible()
