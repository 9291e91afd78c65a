"""Links inside an article: notes open where they are referred to, everything else is a jump."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.html.page import read_page
from tests.e2e.acting import serious_problems, visit
from tests.e2e.reading import (
    RECORD_MARKS,
    SETTLED,
    WAS_MARKED_FROM,
    Person,
    Reading,
    person,
    store_article,
)
from tests.e2e.test_popups import FAULTS, NARROWEST_LINE, WIDTHS
from tests.live import LiveNexus

MARK = re.compile(r"\{(\w+)\}")
FILLING = "<p>Tides follow the moon, and harbours follow the tides, day after day.</p>" * 60
FAR = "Far away from the shore. " * 60
HOOK = "\N{LEFTWARDS ARROW WITH HOOK}"
TEXT = f"""<p>The sea rises{{ref}}<sup><a href="#note">1</a></sup> and falls<a href="#star">*</a>.
See <a href="#harbours">the part on harbours</a>, or
<a href="https://elsewhere.example/" target="_blank" rel="noopener noreferrer">elsewhere</a>.</p>
{FILLING}<h2>{{harbours}}Of harbours</h2><p>They wait.</p>{FILLING}
<ol><li><p>{{note}}Twice a day, <a href="#harbours">in every harbour</a>.
<a href="#ref">{HOOK}</a></p></li><li>{{star}}{FAR}</li></ol>"""

PLACE = """() => Object.entries(localStorage)
  .filter(([key]) => key.startsWith("nexus.position.")).map(([, at]) => JSON.parse(at).offset)"""
SCROLLED_TO = "(top) => Math.abs(scrollY - top) <= 1"


def linked_article(session: Session, owner: Person, html: str = TEXT) -> Fragment:
    """An article as ingestion stores it; `{name}` is where links to `#name` lead."""
    page = read_page(MARK.sub(r'<span id="\1"></span>', html), "https://example.org/tides")
    return store_article(session, owner, page.html, page.text, title="Of tides")


@pytest.fixture
def calm(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person who wants nothing to move, so that every jump is done at once."""
    options = {"base_url": nexus.origin, "reduced_motion": "reduce"}
    with person(nexus, browser, session, **options) as someone:
        someone.context.add_init_script(RECORD_MARKS)
        yield someone


def note(page: Page) -> Locator:
    return page.get_by_role("dialog", name=re.compile("^Note"))


def back(page: Page) -> Locator:
    return page.get_by_role("button", name="Back to where you were")


def link(reading: Reading, name: str) -> Locator:
    return reading.body.get_by_role("link", name=name, exact=True)


def test_a_note_opens_at_its_reference_and_focus_returns(session: Session, calm: Person) -> None:
    reading = calm.open(linked_article(session, calm))
    page, one = reading.page, link(reading, "1")
    address = page.url
    one.focus()
    page.keyboard.press("Enter")
    expect(note(page)).to_be_focused()
    expect(note(page)).to_have_accessible_name("Note 1")
    expect(note(page)).to_contain_text("Twice a day, in every harbour.")
    expect(note(page)).not_to_contain_text(HOOK)
    expect(one).to_have_attribute("aria-expanded", "true")
    assert serious_problems(page) == []
    page.keyboard.press("Escape")
    expect(note(page)).to_have_count(0)
    expect(one).to_be_focused()
    expect(one).to_have_attribute("aria-expanded", "false")
    one.click()
    expect(note(page)).to_be_visible()
    link(reading, "*").click()
    expect(note(page)).to_have_accessible_name("Note *")
    link(reading, "*").click()
    expect(note(page)).to_have_count(0)
    one.click()
    page.mouse.click(640, 700)
    expect(note(page)).to_have_count(0)
    one.click()
    page.mouse.wheel(0, 2_000)
    expect(note(page)).to_have_count(0)
    assert page.url == address
    assert len(calm.context.pages) == 1


@pytest.mark.heavy
def test_a_note_stays_in_the_window_at_every_width(session: Session, calm: Person) -> None:
    reading = calm.open(linked_article(session, calm))
    page = reading.page
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 640})
        for name in ("1", "*"):
            link(reading, name).click()
            expect(note(page)).to_be_visible()
            page.evaluate(SETTLED)
            assert note(page).evaluate(FAULTS, NARROWEST_LINE) == [], (width, name)
            expect(page.get_by_role("button", name="Go to note")).to_be_in_viewport(ratio=1)
            page.keyboard.press("Escape")
            expect(note(page)).to_have_count(0)


def test_a_jump_leads_back_to_where_one_was(session: Session, calm: Person) -> None:
    article = linked_article(session, calm)
    reading = calm.open(article)
    page = reading.page
    page.mouse.wheel(0, 40)
    page.wait_for_function(SCROLLED_TO, arg=40)
    link(reading, "the part on harbours").click()
    heading = reading.body.get_by_role("heading", name="Of harbours")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    page.wait_for_function(WAS_MARKED_FROM, arg="Of harbours")
    expect(back(page)).to_be_visible()
    assert serious_problems(page) == []
    back(page).click()
    page.wait_for_function(SCROLLED_TO, arg=40)
    expect(link(reading, "the part on harbours")).to_be_focused()
    expect(back(page)).to_have_count(0)
    page.go_forward()
    expect(heading).to_be_in_viewport()
    page.go_back()
    page.wait_for_function(SCROLLED_TO, arg=40)
    page.wait_for_function("() => CSS.highlights.get('nexus-target').size === 0")


def test_contents_lead_to_a_part(session: Session, calm: Person) -> None:
    parts = "".join(f"<h2>Of {name}</h2>{FILLING}" for name in ("tides", "pilots", "harbours"))
    page = calm.open(linked_article(session, calm, parts)).page
    page.get_by_role("button", name="Contents", exact=True).click()
    contents = page.get_by_role("dialog", name="Contents")
    expect(contents.get_by_role("button")).to_have_text(["Of tides", "Of pilots", "Of harbours"])
    contents.get_by_role("button", name="Of pilots").click()
    expect(contents).to_have_count(0)
    expect(page.get_by_role("heading", name="Of pilots")).to_be_in_viewport()


@pytest.mark.heavy
def test_the_note_itself_and_the_way_back_from_it(session: Session, calm: Person) -> None:
    reading = calm.open(linked_article(session, calm))
    page = reading.page
    link(reading, "1").click()
    page.get_by_role("button", name="Go to note").click()
    expect(note(page)).to_have_count(0)
    expect(reading.body.locator("li p").first).to_be_focused()
    expect(reading.body.locator("li p").first).to_be_in_viewport()
    link(reading, HOOK).click()
    expect(link(reading, "1")).to_be_focused()
    expect(link(reading, "1")).to_be_in_viewport()
    link(reading, "1").click()
    note(page).get_by_role("link", name="in every harbour").click()
    expect(reading.body.get_by_role("heading")).to_be_focused()


@pytest.mark.heavy
def test_looking_something_up_keeps_the_place_and_reading_on_moves_it(
    session: Session, calm: Person
) -> None:
    article = linked_article(session, calm)
    reading = calm.open(article)
    page = reading.page
    harbours = article.canonical_text.index("Of harbours")
    page.mouse.wheel(0, 400)
    page.wait_for_function(f"() => ({PLACE})()[0] > 0")
    (place,) = page.evaluate(PLACE)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function(f"() => ({PLACE})()[0] === 0")
    page.evaluate("scrollTo(0, 400)")
    link(reading, "the part on harbours").evaluate("one => one.click()")
    expect(back(page)).to_be_visible()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate(PLACE) == [place]
    page.reload()
    expect(reading.body.get_by_role("heading")).to_be_in_viewport()
    expect(back(page)).to_be_visible()
    assert page.evaluate(PLACE) == [place]
    page.mouse.wheel(0, 2_000)
    page.wait_for_function(f"(from) => ({PLACE})()[0] > from", arg=harbours)
    expect(back(page)).to_have_count(0)
    page.go_back()
    page.wait_for_function(SCROLLED_TO, arg=400)


@pytest.mark.heavy
def test_the_arrow_leaves_the_article_whatever_was_looked_up(
    session: Session, calm: Person
) -> None:
    linked_article(session, calm)
    page = calm.page()
    visit(page)
    page.get_by_role("link", name="Of tides").click()
    reading = Reading(calm, page, Fragment())
    link(reading, "the part on harbours").click()
    expect(back(page)).to_be_visible()
    page.get_by_role("button", name="Stay here").click()
    expect(back(page)).to_have_count(0)
    page.get_by_role("link", name="Back to inbox").click()
    expect(page.get_by_role("link", name="Of tides")).to_be_focused()
    assert page.url == f"{calm.nexus.origin}/"


@pytest.mark.heavy
def test_the_address_of_a_link_opens_the_article_there(session: Session, calm: Person) -> None:
    reading = calm.open(linked_article(session, calm))
    harbours = link(reading, "the part on harbours")
    with calm.context.expect_page() as opened:
        harbours.click(modifiers=["ControlOrMeta"])
    opened.value.close()
    address = harbours.evaluate("one => one.href")
    other = calm.open(reading.article, fragment=address.removeprefix(reading.page.url))
    expect(other.body.get_by_role("heading")).to_be_in_viewport()
    expect(back(other.page)).to_have_count(0)
    assert address.startswith(f"{reading.page.url}#offset-0-")
    expect(other.page).to_have_url(reading.page.url)
    assert reading.page.evaluate("scrollY") == 0


@pytest.mark.heavy
def test_a_link_under_a_highlight_is_still_a_link(session: Session, calm: Person) -> None:
    article = linked_article(session, calm)
    calm.highlight(article, 0, article.canonical_text.index("elsewhere"), "green")
    reading = calm.open(article)
    expect(reading.cards).to_have_count(1)
    link(reading, "1").click()
    expect(note(reading.page)).to_be_visible()
    reading.page.keyboard.press("Escape")
    expect(note(reading.page)).to_have_count(0)
    reading.drag("The sea", "the part on harbours")
    expect(reading.bar).to_be_visible()
    assert reading.page.evaluate("scrollY") < 400
