"""Highlights from elsewhere that were not found in the text: shown, placed by hand, deleted."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor
from nexus.db.models import Fragment
from nexus.importers.records import ImportedHighlight
from nexus.services import unplaced
from nexus.services.unplaced_place import place
from tests.e2e.acting import serious_problems
from tests.e2e.reading import Person, make_article
from tests.live import wait_for

TEXT = "<p>Tides follow the moon, and harbours follow the tides.</p><pre>let sea = 1</pre>"
LOST = ImportedHighlight(
    quote="The ocean obeys our satellite",
    note="as they all say",
    color=HighlightColor.PINK,
    page="12",
)
WHOLE = ImportedHighlight(quote="", note="Worth reading twice")


def bring(
    session: Session, reader: Person, article: Fragment, *highlights: ImportedHighlight
) -> None:
    """What an import leaves when the text has been searched."""
    whose = {"user_id": reader.viewer.user_id, "media_id": article.media_id}
    unplaced.keep(session, **whose, import_id=None, highlights=highlights)
    session.commit()
    place(session, **whose)
    session.commit()


def asked(tab: Page) -> None:
    expect(tab.get_by_role("toolbar")).to_contain_text("Select the passage it belongs to")


def the_placed_one(reader: Person, article: Fragment) -> dict[str, Any]:
    """The only highlight, once the server has it."""
    wait_for(lambda: reader.highlights(article), what="the highlight")
    [made] = reader.highlights(article)
    return made


def test_one_selection_places_a_highlight(reader: Person, session: Session) -> None:
    article = make_article(session, reader, TEXT)
    bring(session, reader, article, LOST, WHOLE)
    reading = reader.open(article)
    tab = reading.page
    found = tab.get_by_role("list", name="Not found in the text")
    expect(found).to_contain_text(LOST.quote)
    expect(found).to_contain_text("as they all say")
    expect(found).to_contain_text("p. 12")
    expect(tab.get_by_role("list", name="Notes on the whole item")).to_contain_text("twice")
    assert serious_problems(tab) == []

    found.get_by_role("button", name="Place it").click()
    asked(tab)
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("toolbar")).to_have_count(0)

    found.get_by_role("button", name="Place it").click()
    asked(tab)
    assert serious_problems(tab) == []
    reading.drag("Tides follow the moon")
    reading.expect_painted(("Tides follow the moon", "pink"))
    expect(found).to_have_count(0)
    made = the_placed_one(reader, article)
    assert made["exact"] == "Tides follow the moon"
    assert made["annotation"]["body"] == "as they all say"
    tab.reload()
    expect(tab.get_by_role("list", name="Notes on the whole item")).to_be_visible()
    reading.expect_painted(("Tides follow the moon", "pink"))


@pytest.mark.heavy
def test_keys_place_a_highlight_and_code_is_refused(reader: Person, session: Session) -> None:
    article = make_article(session, reader, TEXT)
    bring(session, reader, article, LOST)
    reading = reader.open(article)
    tab = reading.page
    place_it = tab.get_by_role("button", name="Place it")
    place_it.focus()
    tab.keyboard.press("Enter")
    asked(tab)
    reading.drag("sea = 1")
    expect(tab.get_by_role("toolbar")).to_contain_text("Highlights in code are turned off.")
    tab.keyboard.press("Escape")
    expect(place_it).to_be_visible()
    place_it.focus()
    tab.keyboard.press("Enter")
    for key in ("h", "Shift+Control+ArrowRight", "Shift+Control+ArrowRight"):
        tab.keyboard.press(key)
    tab.get_by_role("button", name="Place here").click()
    expect(place_it).to_have_count(0)
    made = the_placed_one(reader, article)
    assert made["exact"].startswith("Tides follow")


@pytest.mark.heavy
def test_on_a_phone_they_are_in_the_sheet(phone_reader: Person, session: Session) -> None:
    article = make_article(session, phone_reader, TEXT)
    bring(session, phone_reader, article, LOST)
    tab = phone_reader.open(article).page
    tab.get_by_role("button", name="1 highlight", exact=True).tap()
    sheet = tab.get_by_role("complementary", name="Highlights and notes")
    expect(sheet).to_contain_text(LOST.quote)
    assert serious_problems(tab) == []
    sheet.get_by_role("button", name="Place it").tap()
    asked(tab)
    expect(sheet).to_have_count(0)
    tab.evaluate(
        """() => {
          const words = document.querySelector("article section p").firstChild;
          document.getSelection().setBaseAndExtent(words, 0, words, 5);
        }"""
    )
    # A finger may still be moving the handles, so this is confirmed.
    tab.get_by_role("button", name="Place here").tap()
    expect(sheet).to_contain_text("Tides")
    made = the_placed_one(phone_reader, article)
    assert made["exact"] == "Tides"


@pytest.mark.heavy
def test_one_is_copied_deleted_and_brought_back(reader: Person, session: Session) -> None:
    article = make_article(session, reader, TEXT, title="On tides")
    bring(session, reader, article, LOST)
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = reader.open(article).page
    card = tab.get_by_role("listitem").filter(has_text=LOST.quote)
    card.get_by_role("button", name="Copy:").click()
    tab.get_by_role("menuitem", name="Copy as Markdown").click()
    expect(tab.get_by_text("Copied as Markdown")).to_be_visible()
    text = tab.evaluate("navigator.clipboard.readText()")
    assert re.match(r"> The ocean .*as they all say.*On tides", text, re.DOTALL)
    card.get_by_role("button", name="Delete:").click()
    expect(card).to_have_count(0)
    tab.get_by_role("button", name="Undo").click()
    expect(card).to_be_visible()
    tab.reload()
    expect(card).to_be_visible()
    card.get_by_role("button", name="Delete:").click()
    expect(card).to_have_count(0)
    tab.reload()
    expect(tab.locator("article section")).not_to_be_empty()
    expect(card).to_have_count(0)
