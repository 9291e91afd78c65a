"""Finding things from anywhere: the field, the search view, the way into the text and back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Media
from nexus.services.search_index import read_words, store_words
from tests.e2e.acting import serious_problems, visit
from tests.e2e.reading import RECORD_MARKS, WAS_MARKED, Person, make_article, person
from tests.live import LiveNexus

FILLING = "<p>Tides follow the moon, and harbours follow the tides, day after day.</p>" * 60


@pytest.fixture
def calm(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person who wants nothing to move, so that every jump is done at once."""
    with person(nexus, browser, session, reduced_motion="reduce") as someone:
        someone.context.add_init_script(RECORD_MARKS)
        yield someone


def save(session: Session, owner: Person, title: str, sentence: str) -> Fragment:
    """A long article with a sentence of its own in the middle, ready to be found."""
    html = f"{FILLING}<p>{sentence}</p>{FILLING}"
    fragment = make_article(session, owner, html, title=title)
    media = session.get_one(Media, fragment.media_id)
    words = read_words(session, [fragment.canonical_text], language=media.language)
    store_words(session, media, [fragment.id], words)
    session.commit()
    return fragment


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search everything")


def option(page: Page, name: str) -> Locator:
    return page.get_by_role("option", name=re.compile(name))


def test_a_passage_is_found_from_anywhere_and_in_the_open_text(
    session: Session, calm: Person
) -> None:
    save(session, calm, "Of herons", "Somewhere here a 🐟 heron waits for the ebb.")
    save(session, calm, "Of otters", "An otter is quicker than any heron.")
    page = calm.page()
    visit(page, f"{calm.nexus.origin}/")
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    field(page).press_sequentially("waits for the ebb")
    expect(option(page, "Of herons.*heron waits for the ebb")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("1 result")
    assert serious_problems(page) == []
    page.keyboard.press("ArrowUp")
    expect(option(page, "Of herons")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_function(WAS_MARKED, arg="waits for the ebb")
    expect(field(page)).to_have_count(0)

    # From one text into another, and to another place of that one.
    page.keyboard.press("ControlOrMeta+k")
    field(page).fill("quicker")
    option(page, "Of otters").click()
    page.wait_for_function(WAS_MARKED, arg="quicker")
    page.keyboard.press("/")
    field(page).fill('otters "an otter"')
    expect(option(page, "Of otters.*An otter is quicker")).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(WAS_MARKED, arg="An otter")

    page.keyboard.press("/")
    expect(option(page, "quicker")).to_be_visible()
    page.keyboard.press("Escape")
    expect(field(page)).to_have_count(0)


def test_the_search_view_is_an_address_that_one_comes_back_to(
    session: Session, calm: Person
) -> None:
    for name in ("herons", "otters", "eels"):
        save(session, calm, f"Of {name}", f"The lantern of {name} was lit.")
    page = calm.page()
    visit(page, f"{calm.nexus.origin}/search?q=lantern")
    links = page.get_by_role("list", name="Search results").get_by_role("link")
    expect(links).to_have_count(3)
    expect(page.locator("mark").first).to_have_text("lantern")
    assert serious_problems(page) == []
    for key in ("j", "j", "k", "j"):
        page.keyboard.press(key)
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function(WAS_MARKED, arg="lantern")
    page.get_by_role("link", name="Back to the search results").click()
    expect(links.nth(1)).to_be_focused()

    page.keyboard.press("/")
    words = page.get_by_role("textbox", name="Search everything")
    expect(words).to_be_focused()
    words.fill("lantern kind:odd")
    calm.problems.clear()
    expect(page.get_by_role("alert")).to_contain_text("“kind:” has no value “odd”")
    expect(words).to_have_attribute("aria-invalid", "true")
    calm.problems.clear()
    words.fill("lantern eels")
    expect(links).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/search\?q=lantern%20eels$"))
    words.fill("nothing of the kind")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()


@pytest.mark.heavy
def test_the_field_on_a_small_phone(session: Session, phone_reader: Person) -> None:
    save(session, phone_reader, "Of herons", "Somewhere here a heron waits for the ebb.")
    phone_reader.context.add_init_script(RECORD_MARKS)
    page = phone_reader.page()
    visit(page, f"{phone_reader.nexus.origin}/")
    page.get_by_role("button", name="Search").tap()
    field(page).fill("heron ebb")
    expect(option(page, "Of herons")).to_be_visible()
    box = page.get_by_role("dialog").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 320, "height": 640}
    assert serious_problems(page) == []
    option(page, "Of herons").tap()
    page.wait_for_function(WAS_MARKED, arg="heron waits for the ebb")
