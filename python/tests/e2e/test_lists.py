"""Lists of any length: every item once, the same place, filters in the address, ticks and keys."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect
from sqlalchemy import insert
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import LibraryMedia, Media
from nexus.services.viewer import Viewer
from tests.e2e.acting import paste, row, serious_problems, visit
from tests.e2e.conftest import Person, Watched
from tests.e2e.reading import SETTLED
from tests.factories import make_media

# Follows what is drawn from frame to frame: what was seen at all, and what was there twice at once.
WATCH_ROWS = """() => {
  window.seen = new Set();
  window.twice = [];
  const look = () => {
    const titles = [...document.querySelectorAll("[data-item-link]")].map((a) => a.textContent);
    titles.forEach((one, at) => titles.indexOf(one) === at || window.twice.push(one));
    titles.forEach((one) => window.seen.add(one));
    requestAnimationFrame(look);
  };
  look();
}"""


def viewer(person: Person) -> Viewer:
    return Viewer(person.id, person.email, person.default_library_id)


def fill(session: Session, person: Person, count: int) -> None:
    """Pages in the person's library, the last one the newest, all in one go."""
    now = datetime.now(UTC)
    pages = [
        {
            "kind": MediaKind.WEB_ARTICLE,
            "title": f"Page {number:03}",
            "requested_url": f"https://example.org/{person.id}/{number}",
            "processing_status": ProcessingStatus.READY_FOR_READING,
            "created_by_user_id": person.id,
        }
        for number in range(count)
    ]
    ids = session.scalars(insert(Media).returning(Media.id, sort_by_parameter_order=True), pages)
    held = [
        {
            "library_id": person.default_library_id,
            "media_id": media_id,
            "created_at": now - timedelta(minutes=count - number),
        }
        for number, media_id in enumerate(ids.all())
    ]
    session.execute(insert(LibraryMedia), held)
    session.commit()


def test_scrolling_to_the_end_shows_every_item_once_while_others_are_added(
    page: Watched, person: Person, session: Session
) -> None:
    fill(session, person, 170)
    tab = page.page
    visit(tab)
    expect(row(tab, "Page 169")).to_be_visible()
    tab.evaluate(WATCH_ROWS)
    while not tab.evaluate("window.seen.has('Page 000')"):
        if tab.evaluate("window.seen.size") % 3 == 0:
            make_media(session, viewer(person), title="New", requested_url=None)
        tab.evaluate("scrollBy({ top: innerHeight, behavior: 'instant' })")
        tab.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    seen = set(tab.evaluate("[...window.seen]"))
    assert {f"Page {number:03}" for number in range(170)} <= seen
    assert set(tab.evaluate("window.twice")) <= {"New"}


def test_what_is_new_moves_nobody_who_has_scrolled_down(
    page: Watched, person: Person, session: Session
) -> None:
    fill(session, person, 60)
    tab = page.page
    visit(tab)
    expect(row(tab, "Page 059")).to_be_visible()
    link = tab.get_by_role("link", name="Page 050")
    link.evaluate("(one) => one.scrollIntoView({ block: 'start' })")
    tab.evaluate(SETTLED)
    before = link.bounding_box()
    paste(tab, "https://one.example.org")
    expect(tab.get_by_text("Saved.")).to_be_visible()
    assert link.bounding_box() == before
    tab.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    expect(row(tab, "one.example.org")).to_be_visible()


@pytest.mark.heavy
def test_the_list_stays_where_it_is_when_the_sidebar_gets_focus(
    page: Watched, person: Person, session: Session
) -> None:
    fill(session, person, 60)
    tab = page.page
    visit(tab)
    expect(row(tab, "Page 059")).to_be_visible()
    tab.get_by_role("link", name="Page 050").evaluate("one => one.scrollIntoView(true)")
    tab.evaluate(SETTLED)
    before = tab.evaluate("scrollY")
    assert before > 0
    for link in tab.get_by_role("complementary", name="Sidebar").get_by_role("link").all():
        link.evaluate("one => one.focus()")
        expect(link).to_be_focused()
    assert tab.evaluate("scrollY") == before


def test_filters_and_order_are_the_servers_and_live_in_the_address(
    page: Watched, person: Person, session: Session
) -> None:
    fill(session, person, 60)
    make_media(session, viewer(person), title="A book", kind=MediaKind.EPUB, requested_url=None)
    tab = page.page
    visit(tab, "/?sort=title&kind=web_article")
    titles = tab.get_by_role("main").get_by_role("listitem").get_by_role("heading")
    expect(titles.first).to_have_text("Page 000")
    tab.get_by_label("Kind").focus()
    tab.get_by_label("Kind").select_option("epub")
    expect(titles).to_have_text(["A book"])
    expect(tab.get_by_label("Kind")).to_be_focused()
    expect(tab).to_have_url(re.compile(r"/\?kind=epub&sort=title$"))
    tab.reload()
    expect(titles).to_have_text(["A book"])
    titles.get_by_role("link").click()
    expect(tab.get_by_role("heading", level=1, name="A book")).to_be_visible()
    tab.go_back()
    expect(titles).to_have_text(["A book"])
    tab.get_by_label("Status").select_option("failed")
    tab.get_by_role("main").get_by_role("button", name="Clear filters").last.click()
    expect(titles.first).to_have_text("A book")
    expect(tab).to_have_url(re.compile(r"/\?sort=title$"))


def test_items_are_reached_and_ticked_by_keys(
    page: Watched, person: Person, session: Session
) -> None:
    fill(session, person, 60)
    tab = page.page
    tab.set_viewport_size({"width": 320, "height": 640})
    visit(tab)
    expect(row(tab, "Page 059")).to_be_visible()
    for key in ("j", "j", "ArrowDown", "k"):
        tab.keyboard.press(key)
    expect(tab.get_by_role("link", name="Page 059")).to_be_focused()
    tab.keyboard.press("x")
    tab.keyboard.press("Shift+J")
    tab.keyboard.press("Shift+J")
    bar = tab.get_by_role("region", name="Selection")
    expect(bar).to_contain_text("3 selected")
    width = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    assert serious_problems(tab) == []
    tab.keyboard.press("End")
    expect(tab.locator(":focus").get_by_text("Page 0")).to_be_visible()
    tab.keyboard.press("Control+a")
    expect(bar).to_contain_text(re.compile(r"\d\d selected"))
    tab.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    tab.keyboard.press("Home")
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile("/read/"))


def test_the_inbox_is_emptied_by_keys_and_filled_again_by_undo(
    page: Watched, person: Person, session: Session
) -> None:
    make_media(session, viewer(person), title="A book", kind=MediaKind.EPUB, requested_url=None)
    tab = page.page
    visit(tab)
    expect(row(tab, "A book")).to_be_visible()
    tab.keyboard.press("j")
    tab.keyboard.press("e")
    expect(row(tab, "A book")).to_have_count(0)
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_focused()
    expect(tab.get_by_text("Archived: “A book”.")).to_be_visible()
    tab.keyboard.press("s")
    expect(row(tab, "Welcome to Nexus").get_by_text("Favourite", exact=True)).to_be_attached()
    tab.get_by_role("link", name="Archive", exact=True).click()
    expect(row(tab, "A book")).to_be_visible()
    tab.keyboard.press("j")
    tab.keyboard.press("e")
    expect(tab.get_by_text("Nothing archived yet")).to_be_visible()
    expect(tab.get_by_text("Moved to Inbox: “A book”.")).to_be_visible()
    tab.get_by_label("Messages").get_by_role("button", name="Undo").last.click()
    expect(row(tab, "A book")).to_be_visible()
