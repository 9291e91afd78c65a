"""Keeping order: archive, favourites, state and tags by keys and in bulk, each with undo."""

import re

from playwright.sync_api import Page, Response, expect
from sqlalchemy.orm import Session

from nexus.services.viewer import Viewer
from tests.e2e.acting import row, serious_problems, visit
from tests.e2e.conftest import Person, Watched
from tests.factories import make_article


def save(session: Session, person: Person, *titles: str) -> str:
    """Readable articles of the person; returns the address of the last one in the reader."""
    viewer = Viewer(person.id, person.email, person.default_library_id)
    for title in titles:
        address = f"https://example.org/{person.id}/{title}"
        made = make_article(session, viewer, title=title, requested_url=address)
    return f"/read/{made.media_id}"


def fits(tab: Page) -> bool:
    width, room = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return bool(width <= room)


def is_change_of_tags(response: Response) -> bool:
    return "add_tags" in (response.request.post_data or "")


def test_items_are_sorted_out_in_the_list(page: Watched, person: Person, session: Session) -> None:
    save(session, person, "One", "Two", "Three")
    tab = page.page
    tab.set_viewport_size({"width": 320, "height": 640})
    visit(tab)
    expect(row(tab, "Three")).to_be_visible()
    for key in ("j", "e"):
        tab.keyboard.press(key)
    expect(row(tab, "Three")).to_have_count(0)
    expect(tab.get_by_role("link", name="Two")).to_be_focused()
    tab.keyboard.press("u")
    expect(row(tab, "Three")).to_be_visible()
    for key in ("x", "Shift+J", "t"):
        tab.keyboard.press(key)
    dialog = tab.get_by_role("dialog", name="Tags")
    expect(dialog.get_by_role("combobox")).to_be_focused()
    tab.keyboard.type("deep sea,moon")
    assert fits(tab)
    assert serious_problems(tab) == []
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    for title in ("One", "Two"):
        expect(row(tab, title).get_by_role("link", name="deep sea")).to_be_visible()
    bar = tab.get_by_role("region", name="Selection")
    bar.get_by_role("button", name="More actions").click()
    tab.get_by_role("menuitem", name="Remove").click()
    tab.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(row(tab, "Two")).to_have_count(0)
    tab.keyboard.press("u")
    expect(row(tab, "Two").get_by_role("link", name="moon")).to_be_visible()


def test_the_open_item_is_sorted_out_and_tags_are_kept_in_one_place(
    page: Watched, person: Person, session: Session
) -> None:
    tab = page.page
    tab.set_viewport_size({"width": 320, "height": 640})
    tab.goto(save(session, person, "One"))
    menu = tab.get_by_role("button", name="Actions for One")
    expect(menu).to_be_visible()
    assert fits(tab)
    tab.keyboard.press("e")
    expect(tab.get_by_text("Archived: “One”.")).to_be_visible()
    menu.click()
    tab.get_by_role("menuitem", name="Tags…").click()
    expect(tab.get_by_role("dialog", name="Tags").get_by_role("combobox")).to_be_focused()
    tab.keyboard.type("see,moon,")
    with tab.expect_response(is_change_of_tags):
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("dialog")).to_have_count(0)
        tab.get_by_text("Tags changed: “One”.").wait_for()
    visit(tab, "/tags")
    tags = tab.get_by_role("main").get_by_role("listitem")
    expect(tags).to_have_count(2)
    tab.get_by_role("button", name="Rename see").click()
    expect(tags.get_by_role("textbox")).to_be_focused()
    tab.keyboard.type("Moon")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Merge").click()
    expect(tags).to_have_text([re.compile("moon.*1 item")])
    assert fits(tab)
    assert serious_problems(tab) == []
    tags.get_by_role("link", name="moon").click()
    expect(row(tab, "One")).to_contain_text("Archived")
    visit(tab, "/tags")
    tags.get_by_role("button", name="Delete moon").click()
    tab.get_by_role("dialog").get_by_role("button", name="Delete tag").click()
    expect(tab.get_by_text("No tags yet")).to_be_visible()
