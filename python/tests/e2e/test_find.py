"""Finding words in a text: counts, keys, marks, what is folded away, long texts, small screens."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from sqlalchemy.orm import Session

from tests.e2e.acting import serious_problems
from tests.e2e.reading import Person, Reading, make_article, person
from tests.live import LiveNexus

FILLING = "<p>Tides follow the moon, and harbours follow the tides, day after day.</p>" * 40
ESSAY = f"""<p>The café by the sea is one exam-ple of a Café; cafés are many.</p>
{FILLING}<details><summary>More</summary><p>A hidden cafeteria.</p></details>
{FILLING}<p>The last cafe. And the needle.</p>"""

MARKS = """(name) => [...(CSS.highlights.get(`nexus-${name}`) ?? [])].map((piece) => {
  const range = document.createRange();
  range.setStart(piece.startContainer, piece.startOffset);
  range.setEnd(piece.endContainer, piece.endOffset);
  return range.toString();
})"""
HERE_IS_ON_SCREEN = """() => {
  const [piece] = CSS.highlights.get("nexus-found-here") ?? [];
  if (!piece) return false;
  const range = document.createRange();
  range.setStart(piece.startContainer, piece.startOffset);
  range.setEnd(piece.endContainer, piece.endOffset);
  const { top, bottom } = range.getBoundingClientRect();
  return bottom > top && top > 56 && bottom < innerHeight;
}"""
FURTHEST = """() => Math.max(0, ...Object.entries(localStorage)
  .filter(([key]) => key.startsWith("nexus.position."))
  .map(([, at]) => JSON.parse(at).offset))"""


@pytest.fixture
def calm(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person who wants nothing to move, so that every jump is done at once."""
    with person(nexus, browser, session, reduced_motion="reduce") as someone:
        yield someone


def field(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Find")


def count(page: Page) -> Locator:
    return page.get_by_role("search").get_by_role("status")


def marked(reading: Reading, name: str = "found") -> list[str]:
    found: list[str] = reading.page.evaluate(MARKS, name)
    return found


def expect_marked(reading: Reading, *words: str, name: str = "found") -> None:
    """Wait until exactly these are marked."""
    same = f"([name, words]) => ({MARKS})(name).join('|') === words"
    try:
        reading.page.wait_for_function(same, arg=[name, "|".join(words)])
    except PlaywrightTimeout:
        assert marked(reading, name) == list(words)


def test_everything_alike_is_found_counted_and_walked_through(
    session: Session, calm: Person
) -> None:
    reading = calm.open(make_article(session, calm, ESSAY))
    page = reading.page
    page.keyboard.press("f")
    expect(field(page)).to_be_focused()
    field(page).fill("CAFE")
    expect(count(page)).to_contain_text("1 of 5")
    expect_marked(reading, "café", "Café", "café", "cafe", "cafe")
    expect_marked(reading, "café", name="found-here")
    for key, place in (("Enter", 2), ("F3", 3), ("Shift+Enter", 2), ("Shift+F3", 1)):
        page.keyboard.press(key)
        expect(count(page)).to_contain_text(f"{place} of 5")
    page.keyboard.press("Shift+Enter")
    expect(count(page)).to_contain_text("5 of 5")
    page.wait_for_function(HERE_IS_ON_SCREEN)
    page.get_by_role("button", name="Next match").click()
    expect(count(page)).to_contain_text("1 of 5")
    page.wait_for_function(HERE_IS_ON_SCREEN)

    field(page).fill("example")
    expect(count(page)).to_contain_text("1 of 1")
    expect_marked(reading, "exam-ple")
    # What is around it is for those who do not see it.
    expect(count(page)).to_contain_text("by the sea is one exam-ple of a Café")
    field(page).fill("nothing of the kind")
    expect(count(page)).to_have_text("No matches")
    expect_marked(reading)
    expect(page.get_by_role("button", name="Next match")).to_be_disabled()


@pytest.mark.heavy
def test_what_is_folded_away_opens(session: Session, calm: Person) -> None:
    reading = calm.open(make_article(session, calm, ESSAY))
    page = reading.page
    page.get_by_role("button", name="Find in the text").click()
    field(page).fill("cafeteria")
    expect(count(page)).to_contain_text("1 of 1")
    expect(reading.body.get_by_text("A hidden cafeteria.")).to_be_visible()
    page.wait_for_function(HERE_IS_ON_SCREEN)


@pytest.mark.heavy
def test_escape_closes_it_and_the_way_back_is_offered(session: Session, calm: Person) -> None:
    reading = calm.open(make_article(session, calm, ESSAY))
    page = reading.page
    page.keyboard.press("f")
    field(page).fill("needle")
    page.wait_for_function(HERE_IS_ON_SCREEN)
    # Nobody has read up to a place that they only looked up.
    page.evaluate("() => dispatchEvent(new Event('pagehide'))")
    assert page.evaluate(FURTHEST) < 100
    page.keyboard.press("Escape")
    expect(field(page)).to_have_count(0)
    expect_marked(reading)
    expect_marked(reading, name="found-here")
    expect(reading.body).to_be_focused()
    page.get_by_role("button", name="Back to where you were").click()
    page.wait_for_function("() => scrollY === 0")

    page.keyboard.press("f")
    expect(field(page)).to_have_value("needle")
    expect(count(page)).to_contain_text("1 of 1")
    page.keyboard.press("Escape")


@pytest.mark.heavy
def test_the_browser_keeps_its_own_keys_in_an_article(session: Session, calm: Person) -> None:
    reading = calm.open(make_article(session, calm, ESSAY))
    page = reading.page
    page.evaluate(
        "() => addEventListener('keydown', (event) => { window.taken = event.defaultPrevented; })"
    )
    for key in ("Control+f", "F3"):
        page.keyboard.press(key)
        assert page.evaluate("window.taken") is False
    expect(field(page)).to_have_count(0)


@pytest.mark.heavy
def test_it_starts_from_where_one_reads_and_from_what_is_selected(
    session: Session, calm: Person
) -> None:
    reading = calm.open(make_article(session, calm, ESSAY))
    page = reading.page
    page.mouse.wheel(0, 1_500)
    page.wait_for_function("() => scrollY > 1000")
    page.keyboard.press("f")
    field(page).fill("cafe")
    expect(count(page)).to_contain_text("4 of 5")
    page.keyboard.press("Escape")
    reading.drag("The last cafe")
    page.keyboard.press("f")
    expect(field(page)).to_have_value("The last cafe")
    expect(count(page)).to_contain_text("1 of 1")


@pytest.mark.heavy
def test_of_thousands_in_a_long_text_those_near_the_screen_are_marked(
    session: Session, calm: Person
) -> None:
    words = "Tides follow the moon, and harbours follow the tides, day after day, naïvely. "
    text = "".join(f"<p>{words * 10}</p>" for _ in range(1_300)) + "<p>At last the needle.</p>"
    reading = calm.open(make_article(session, calm, text))
    page = reading.page
    page.keyboard.press("f")
    field(page).fill("naively")
    expect(count(page)).to_contain_text("1 of 13,000")
    few = (
        f"() => {{ const {{ length }} = ({MARKS})('found'); return length > 10 && length < 1000; }}"
    )
    page.wait_for_function(few)
    field(page).fill("needle")
    expect(count(page)).to_contain_text("1 of 1")
    page.wait_for_function(HERE_IS_ON_SCREEN)


@pytest.mark.heavy
def test_a_small_screen(session: Session, phone_reader: Person) -> None:
    reading = phone_reader.open(make_article(session, phone_reader, ESSAY))
    page = reading.page
    page.get_by_role("button", name="Find in the text").tap()
    field(page).fill("cafe")
    expect(count(page)).to_contain_text("1 of 5")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    for name in ("Previous match", "Next match", "Close find"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
    assert serious_problems(page) == []
    page.get_by_role("button", name="Close find").tap()
    expect(field(page)).to_have_count(0)
