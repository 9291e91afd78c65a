"""Going back finds the place as it was left: view, filter, order, scroll and focus."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import update
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import LibraryMedia
from nexus.services.viewer import Viewer
from tests.e2e import reading
from tests.e2e.acting import choose, visit
from tests.factories import make_article, make_library, make_media
from tests.live import LiveNexus

SCROLLED_TO = "(top) => Math.abs(scrollY - top) <= 1"
Step = Callable[[Page], object]


@pytest.fixture
def someone(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[reading.Person]:
    with reading.person(
        nexus, browser, session, base_url=nexus.origin, reduced_motion="reduce"
    ) as person:
        yield person


def fill(session: Session, viewer: Viewer, library_id: UUID, count: int) -> None:
    """Articles in a library; by title they come in another order than by date."""
    now = datetime.now(UTC)
    for number in range(count):
        article = make_article(session, viewer, title=f"Essay {number:03}")
        for held_by in (library_id, viewer.default_library_id):
            key = {"library_id": held_by, "media_id": article.media_id}
            if session.get(LibraryMedia, key) is None:
                session.add(LibraryMedia(**key))
        session.flush()
        held = LibraryMedia.media_id == article.media_id
        when = now + timedelta(minutes=number)
        session.execute(update(LibraryMedia).where(held).values(created_at=when))
    session.commit()


def arrow(tab: Page) -> Locator:
    return tab.get_by_role("link", name=re.compile("^Back"))


def by_arrow(tab: Page) -> None:
    arrow(tab).click()


def by_browser(tab: Page) -> None:
    tab.go_back()


def after_a_reload(tab: Page) -> None:
    tab.reload()
    expect(tab.locator("article section")).not_to_be_empty()
    arrow(tab).click()


def open_far_down(tab: Page, link: Locator) -> float:
    """Scroll to a link and follow it; returns how far down that was."""
    while link.count() == 0:
        tab.evaluate("scrollBy({ top: innerHeight, behavior: 'instant' })")
        tab.evaluate(reading.SETTLED)
    link.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    tab.evaluate(reading.SETTLED)
    top: float = tab.evaluate("scrollY")
    assert top > 500
    link.click()
    expect(tab.locator("article section")).not_to_be_empty()
    return top


@pytest.mark.parametrize("back", [by_arrow, by_browser, after_a_reload])
def test_a_library_narrowed_sorted_and_scrolled(
    someone: reading.Person, session: Session, back: Step
) -> None:
    library = make_library(session, someone.viewer, name="Essays")
    fill(session, someone.viewer, library.id, 40)
    tab = someone.page()
    place = f"/libraries/{library.id}?kind=web_article&sort=title"
    visit(tab, place)
    link = tab.get_by_role("link", name="Essay 031")
    top = open_far_down(tab, link)
    expect(arrow(tab)).to_have_attribute("href", place)
    back(tab)
    expect(tab).to_have_url(re.compile(re.escape(place) + "$"))
    tab.wait_for_function(SCROLLED_TO, arg=top)
    expect(link).to_be_focused()
    expect(tab.get_by_label("Sort", exact=True)).to_have_value("title")
    tab.keyboard.press("j")
    expect(tab.get_by_role("link", name="Essay 032")).to_be_focused()


@pytest.mark.heavy
@pytest.mark.parametrize("back", [by_arrow, after_a_reload])
def test_a_list_of_several_pages(someone: reading.Person, session: Session, back: Step) -> None:
    library = make_library(session, someone.viewer, name="Essays")
    fill(session, someone.viewer, library.id, 120)
    tab = someone.page()
    visit(tab, f"/libraries/{library.id}")
    link = tab.get_by_role("link", name="Essay 005")
    top = open_far_down(tab, link)
    expect(arrow(tab)).to_have_accessible_name("Back to Essays")
    back(tab)
    tab.wait_for_function(SCROLLED_TO, arg=top)
    expect(link).to_be_focused()
    # The list itself, loaded again, is where it was too.
    tab.reload()
    expect(link).to_be_visible()
    tab.wait_for_function(SCROLLED_TO, arg=top)


@pytest.mark.heavy
@pytest.mark.parametrize("back", [by_arrow, by_browser, after_a_reload])
def test_the_view_of_highlights(someone: reading.Person, session: Session, back: Step) -> None:
    text = " ".join(f"Sentence number {number:03} of the essay." for number in range(120))
    article = reading.make_article(session, someone, f"<p>{text}</p>")
    for number in range(120):
        start = article.canonical_text.index(f"number {number:03}")
        someone.highlight(article, start, start + 10, "green")
    tab = someone.page()
    visit(tab, "/highlights")
    link = tab.get_by_role("link", name="number 030")
    top = open_far_down(tab, link)
    expect(arrow(tab)).to_have_accessible_name("Back to highlights")
    back(tab)
    expect(tab).to_have_url(re.compile("/highlights$"))
    expect(link).to_be_visible()
    tab.wait_for_function(SCROLLED_TO, arg=top)


@pytest.mark.heavy
def test_several_steps_lead_back_one_by_one(someone: reading.Person, session: Session) -> None:
    library = make_library(session, someone.viewer, name="Essays")
    failed = make_media(
        session,
        someone.viewer,
        library_ids=[library.id, someone.viewer.default_library_id],
        title="A page that failed",
        processing_status=ProcessingStatus.FAILED,
        failure_stage=FailureStage.EXTRACT,
        last_error_code="E_INGEST_FAILED",
        last_error_message="The site answered 403.",
        failed_at=datetime.now(UTC),
    )
    make_article(session, someone.viewer, title="An article")
    tab = someone.page()
    visit(tab, f"/libraries/{library.id}?state=failed")
    tab.get_by_role("link", name="A page that failed").click()
    expect(arrow(tab)).to_have_accessible_name("Back to Essays")
    tab.get_by_role("link", name="All items", exact=True).click()
    tab.get_by_role("link", name="An article").click()
    expect(arrow(tab)).to_have_accessible_name("Back to all items")
    arrow(tab).click()
    expect(tab.get_by_role("link", name="An article")).to_be_focused()
    tab.go_back()
    expect(tab).to_have_url(re.compile(f"/item/{failed.id}$"))
    arrow(tab).click()
    expect(tab).to_have_url(re.compile(rf"/libraries/{library.id}\?state=failed$"))


@pytest.mark.heavy
def test_between_the_reader_and_the_page_of_an_item(
    someone: reading.Person, session: Session
) -> None:
    book = make_media(
        session, someone.viewer, title="A book", kind=MediaKind.EPUB, requested_url=None
    )
    tab = someone.page()
    tab.goto(f"/read/{book.id}")
    tab.get_by_role("link", name="About this item").click()
    expect(tab).to_have_url(re.compile(f"/item/{book.id}$"))
    expect(arrow(tab)).to_have_accessible_name("Back to the article")
    arrow(tab).click()
    expect(tab).to_have_url(re.compile(f"/read/{book.id}$"))
    expect(arrow(tab)).to_have_accessible_name("Back to inbox")


@pytest.mark.heavy
def test_a_direct_visit_leads_to_the_library_and_back_again(
    someone: reading.Person, session: Session
) -> None:
    article = make_article(session, someone.viewer, title="An article")
    tab = someone.page()
    tab.goto(f"/item/{article.media_id}")
    tab.get_by_role("link", name="Read", exact=True).click()
    expect(arrow(tab)).to_have_accessible_name("Back to the item")
    tab.reload()
    arrow(tab).click()
    expect(tab).to_have_url(re.compile(f"/item/{article.media_id}$"))
    expect(arrow(tab)).to_have_accessible_name("Back to inbox")
    arrow(tab).click()
    expect(tab.get_by_role("heading", level=1, name="Inbox")).to_be_visible()
    tab.go_back()
    expect(tab.get_by_role("heading", level=1, name="An article")).to_be_visible()


@pytest.mark.heavy
def test_a_new_view_starts_at_its_top_with_focus_on_it(
    someone: reading.Person, session: Session
) -> None:
    library = make_library(session, someone.viewer, name="Essays")
    fill(session, someone.viewer, library.id, 40)
    tab = someone.page()
    visit(tab, f"/libraries/{library.id}")
    expect(tab.get_by_role("link", name="Essay 035")).to_be_visible()
    tab.evaluate("scrollTo(0, 900)")
    tab.get_by_role("link", name="All items", exact=True).click()
    expect(tab.get_by_role("heading", level=1, name="All items")).to_be_visible()
    tab.wait_for_function(SCROLLED_TO, arg=0)
    expect(tab.get_by_role("main")).to_be_focused()
    tab.go_back()
    tab.wait_for_function(SCROLLED_TO, arg=900)
    tab.go_forward()
    tab.wait_for_function(SCROLLED_TO, arg=0)


@pytest.mark.heavy
def test_removing_an_item_on_its_page_leads_back_to_its_library(
    someone: reading.Person, session: Session
) -> None:
    library = make_library(session, someone.viewer, name="Essays")
    book = make_media(
        session,
        someone.viewer,
        title="A book",
        kind=MediaKind.EPUB,
        requested_url=None,
        library_ids=[library.id, someone.viewer.default_library_id],
    )
    tab = someone.page()
    visit(tab, f"/libraries/{library.id}?kind=epub")
    tab.get_by_role("link", name="A book").click()
    expect(tab).to_have_url(re.compile(f"/item/{book.id}$"))
    choose(tab, "A book", "Remove…")
    tab.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    expect(tab).to_have_url(re.compile(rf"/libraries/{library.id}\?kind=epub$"))
    expect(tab.get_by_role("link", name="A book")).to_have_count(0)
