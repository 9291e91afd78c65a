"""Every menu, dialog and panel stays inside the window and readable, from phone to desk."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect
from sqlalchemy.orm import Session

from tests.e2e import reading
from tests.e2e.acting import choose, drop_files, paste, row, visit
from tests.factories import make_library
from tests.live import LiveNexus

WIDTHS = (320, 390, 768, 1024, 1280, 1600)
# The width and the size of letters, in percent, that leave the least room: in every run.
HARDEST = (320, 200)
OTHER_SIZES = (*((width, 100) for width in WIDTHS), (1024, 200))
# A line of a wrapped label narrower than this is a column of syllables.
NARROWEST_LINE = 120
LONG = "Observations on the reading of tide tables in the harbours of the northern coast"
TEXT = "".join(
    f"<h{level}>{LONG}, part {number}</h{level}>" + "<p>Tides follow the moon.</p>" * 8
    for number, level in enumerate((2, 3, 4, 2, 3, 2, 2, 3, 4, 2, 2, 2))
)

# What is wrong with a panel: outside the window, cut off, or squeezed into a narrow column.
FAULTS = """(panel, narrowest) => {
  const { clientWidth: width } = document.documentElement;
  const faults = [];
  const box = panel.getBoundingClientRect();
  // A view may be longer than the window; what opens above it may not.
  const tall = panel.matches("main") ? Infinity : innerHeight;
  const top = panel.matches("main") ? 0 : box.top;
  if (box.left < 0 || top < 0 || box.right > width + 0.5 || box.bottom > tall + 0.5)
    faults.push(`outside: ${JSON.stringify(box)}`);
  if (document.documentElement.scrollWidth > width) faults.push("the page scrolls sideways");
  for (const one of [panel, ...panel.querySelectorAll("*")]) {
    const style = getComputedStyle(one);
    if (!one.checkVisibility() || one.closest(".visually-hidden, svg")) continue;
    const meant = style.textOverflow === "ellipsis" || one.matches("input, textarea, select");
    if (one.scrollWidth > one.clientWidth + 1 && style.overflowX !== "visible" && !meant)
      faults.push(`cut off: ${one.textContent}`);
    const place = one.getBoundingClientRect();
    if (place.width > 0 && (place.left < box.left - 1 || place.right > box.right + 1))
      faults.push(`sticks out: ${one.outerHTML.slice(0, 120)}`);
    const own = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const range = document.createRange();
    const tops = own.flatMap((node) => {
      range.selectNodeContents(node);
      return [...range.getClientRects()].map((rect) => Math.round(rect.top));
    });
    if (new Set(tops).size > 1 && one.clientWidth > 0 && one.clientWidth < narrowest)
      faults.push(`a column of ${one.clientWidth} px: ${one.textContent}`);
  }
  return faults;
}"""


@dataclass
class Desk:
    """A person with things that have long names, and a tab of theirs."""

    tab: Page
    person: reading.Person
    media_id: UUID
    library_id: UUID

    def check(self, panel: Locator, what: str) -> None:
        expect(panel).to_be_visible()
        self.tab.evaluate(reading.SETTLED)
        faults: list[str] = panel.evaluate(FAULTS, NARROWEST_LINE)
        assert faults == [], what

    def close(self) -> None:
        self.tab.keyboard.press("Escape")

    @property
    def narrow(self) -> bool:
        size = self.tab.viewport_size
        return size is not None and size["width"] < 768


@pytest.fixture
def desk(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Desk]:
    options: dict[str, Any] = {"base_url": nexus.origin, "reduced_motion": "reduce"}
    with reading.person(nexus, browser, session, **options) as someone:
        article = reading.make_article(session, someone, TEXT, title=LONG)
        someone.highlight(article, 0, 12, "blue")
        library = make_library(session, someone.viewer, name=LONG)
        yield Desk(someone.page(), someone, article.media_id, library.id)


@pytest.fixture(
    params=[
        HARDEST,
        *(pytest.param(size, marks=pytest.mark.heavy) for size in OTHER_SIZES),
    ],
    ids=lambda one: f"{one[0]}px-{one[1]}%",
)
def size(request: pytest.FixtureRequest, desk: Desk) -> None:
    """The width of the window, and how large the person wants their letters."""
    width, percent = request.param
    desk.tab.set_viewport_size({"width": width, "height": 720})
    desk.tab.add_init_script(
        "document.addEventListener('DOMContentLoaded',"
        f" () => {{ document.documentElement.style.fontSize = '{percent}%'; }});"
    )


def test_the_view_of_items(desk: Desk, size: None) -> None:
    tab = desk.tab
    visit(tab)
    expect(row(tab, LONG)).to_be_visible()
    for key, name in (("a", "Add to Nexus"), ("?", "Keyboard")):
        tab.keyboard.press(key)
        desk.check(tab.get_by_role("dialog", name=name), name)
        desk.close()
    tab.get_by_role("main").get_by_role("button", name=f"Actions for {LONG}").click()
    desk.check(tab.get_by_role("menu"), "the menu of an item")
    desk.close()
    choose(tab, LONG, "Add to library…")
    tab.get_by_role("dialog").get_by_role("button", name="New library").click()
    desk.check(tab.get_by_role("dialog"), "the libraries of an item")
    desk.close()
    desk.close()
    choose(tab, LONG, "Remove…")
    desk.check(tab.get_by_role("dialog"), "removing an item")
    desk.close()
    paste(tab, f"{LONG.replace(' ', '')} {LONG}")
    desk.check(tab.get_by_role("region", name="Messages"), "an error")
    tab.get_by_role("button", name="Dismiss").click()
    drop_files(tab, (f"{LONG}.txt", "hello"), (f"{LONG.replace(' ', '')}.pdf", ""))
    desk.check(tab.get_by_role("region", name="Uploads"), "refused uploads")


def test_a_library_and_the_sidebar(desk: Desk, size: None) -> None:
    tab = desk.tab
    visit(tab, f"/libraries/{desk.library_id}")
    expect(tab.get_by_role("heading", level=1, name=LONG)).to_be_visible()
    tab.get_by_role("main").get_by_role("button", name=f"Actions for {LONG}").click()
    desk.check(tab.get_by_role("menu"), "the menu of the open library")
    tab.get_by_role("menuitem", name="Delete…").click()
    desk.check(tab.get_by_role("dialog", name="Delete"), "deleting it")
    desk.close()
    choose(tab, LONG, "Rename")
    expect(tab.get_by_label("Library name")).to_be_focused()
    desk.check(tab.get_by_role("main"), "renaming it")
    desk.close()
    if desk.narrow:
        tab.get_by_role("button", name="Open menu").click()
        desk.check(tab.get_by_role("dialog", name="Menu"), "the drawer")
    side = tab.get_by_role("dialog") if desk.narrow else tab.get_by_role("complementary")
    side.get_by_role("button", name=f"Actions for {LONG}").click()
    desk.check(side.get_by_role("menu"), "the menu of a library at the side")
    side.get_by_role("menuitem", name="Delete…").click()
    desk.check(tab.get_by_role("dialog", name="Delete"), "deleting it from the side")
    desk.close()
    side.get_by_role("button", name="New library").click()
    tab.keyboard.press("Enter")
    expect(side.get_by_role("alert")).to_be_visible()
    desk.check(side, "a library without a name")


def test_taking_something_out_and_back(desk: Desk, size: None) -> None:
    tab = desk.tab
    answer = desk.person.client.post(
        f"/api/libraries/{desk.library_id}/media", json={"media_id": str(desk.media_id)}
    )
    assert answer.is_success, answer.text
    visit(tab, f"/libraries/{desk.library_id}")
    tab.get_by_role("list", name="Items").get_by_role("button", name="Actions for").click()
    tab.get_by_role("menuitem", name="Remove from this library").click()
    expect(tab.get_by_role("button", name="Undo")).to_be_visible()
    desk.check(tab.get_by_role("region", name="Messages"), "a message with an action")


def test_the_settings(desk: Desk, size: None) -> None:
    tab = desk.tab
    visit(tab, "/settings")
    tab.get_by_label("Token name").fill(LONG)
    tab.get_by_role("button", name="Create token").click()
    expect(tab.get_by_role("button", name="Copy")).to_be_visible()
    desk.check(tab.get_by_role("main"), "settings with a new token")
    tab.get_by_role("button", name=f"Revoke {LONG}").click()
    desk.check(tab.get_by_role("dialog", name="Revoke"), "revoking a token")


def test_importing(desk: Desk, size: None) -> None:
    tab = desk.tab
    visit(tab, "/import")
    desk.check(tab.get_by_role("main"), "what can be imported")
    link = f'<DT><A HREF="https://example.org/{LONG}" TAGS="{LONG[:90]}">{LONG}</A>'
    bad = '<DT><A HREF="javascript:void(0)">no</A>'
    text = f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>{link}{bad}</DL>"
    file = FilePayload(name=f"{LONG}.html", mimeType="text/html", buffer=text.encode())
    tab.get_by_label("File to import").set_input_files(file)
    tab.get_by_text("1 line will be skipped").click()
    tab.get_by_label("Add tags").fill("sea, moon, s")
    desk.check(tab.get_by_role("main"), "a preview")
    tab.get_by_role("button", name="Import 1 item").click()
    tab.get_by_role("button", name="Stop").click()
    expect(tab.get_by_role("heading", name="Stopped")).to_be_visible()
    desk.check(tab.get_by_role("main"), "an import that was stopped")
    tab.get_by_role("button", name="Undo this import").click()
    desk.check(tab.get_by_role("dialog", name="Undo"), "undoing an import")
    desk.close()
    tab.get_by_role("link", name="All imports").click()
    expect(tab.get_by_role("heading", name="Your imports")).to_be_visible()
    desk.check(tab.get_by_role("main"), "earlier imports")


def test_exporting(desk: Desk, size: None) -> None:
    tab = desk.tab
    visit(tab, "/all")
    actions = tab.get_by_role("list", name="Items").get_by_role("button", name="Actions for")
    actions.first.click()
    desk.check(tab.get_by_role("menu"), "the menu of an item")
    tab.get_by_role("menuitem", name="Export…").click()
    dialog = tab.get_by_role("dialog", name="Export")
    desk.check(dialog, "the formats")
    dialog.locator("summary").click()
    expect(dialog.get_by_role("textbox")).not_to_have_value("")
    desk.check(dialog, "the template")


def test_the_reader(desk: Desk, size: None) -> None:
    tab = desk.tab
    tab.goto(f"/read/{desk.media_id}")
    expect(tab.locator("article section")).not_to_be_empty()
    contents = tab.get_by_role("button", name="Contents")
    if contents.is_visible():
        contents.click()
        desk.check(tab.get_by_role("dialog", name="Contents"), "the contents")
        desk.close()
        expect(contents).to_be_focused()
    tab.get_by_role("button", name="Appearance").click()
    desk.check(tab.get_by_role("dialog", name="Appearance"), "how it looks")
    desk.close()
    expect(tab.get_by_role("dialog", name="Appearance")).to_be_hidden()
    tab.keyboard.press("?")
    desk.check(tab.get_by_role("dialog", name="Keyboard"), "the keys of the reader")
    desk.close()
    sheet = tab.get_by_role("button", name="Highlights (1)")
    if sheet.is_visible():
        sheet.click()
        desk.check(tab.get_by_role("complementary", name="Highlights and notes"), "the sheet")


@pytest.mark.heavy
def test_an_open_panel_stays_in_when_the_window_turns(desk: Desk) -> None:
    tab = desk.tab
    tab.set_viewport_size({"width": 1280, "height": 390})
    tab.goto(f"/read/{desk.media_id}")
    tab.get_by_role("button", name="Contents").click()
    panel = tab.get_by_role("dialog", name="Contents")
    desk.check(panel, "on a low window")
    last = panel.get_by_role("button").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    for width, height in ((390, 844), (844, 390), (320, 480)):
        tab.set_viewport_size({"width": width, "height": height})
        tab.evaluate(reading.SETTLED)
        desk.check(panel, f"turned to {width} by {height}")
