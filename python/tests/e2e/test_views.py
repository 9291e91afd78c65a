"""Every view in every state: said in words, fit for 320 pixels, and open to everyone."""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.services.viewer import Viewer
from tests.e2e.acting import choose, paste, row, serious_problems, visit
from tests.e2e.conftest import Person, Watched
from tests.factories import make_media

READER_IS_LOADED = """() => {
  const loaded = performance.getEntriesByType("resource").filter((one) => one.responseEnd > 0);
  const styles = [...document.styleSheets].every((sheet) => sheet.cssRules.length > 0);
  return styles && loaded.some((one) => one.name.includes("/assets/ReaderPage-"));
}"""
VIDEO = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


@pytest.fixture
def items(session: Session, person: Person) -> dict[str, str]:
    """One item of every kind and state; their addresses by name."""
    viewer = Viewer(person.id, person.email, person.default_library_id)
    failed = {
        "processing_status": ProcessingStatus.FAILED,
        "failure_stage": FailureStage.EXTRACT,
        "last_error_code": "E_INGEST_FAILED",
        "last_error_message": "The site answered 403.",
        "failed_at": datetime.now(UTC),
    }
    rows: dict[str, dict[str, Any]] = {
        "waiting": {},
        "reading": {"processing_status": ProcessingStatus.EXTRACTING},
        "ready": {"processing_status": ProcessingStatus.READY_FOR_READING},
        "failed": failed,
        "given up": {**failed, "processing_attempts": 3},
        "file": {"kind": MediaKind.PDF, "requested_url": None},
        "lecture": {
            "kind": MediaKind.VIDEO,
            "requested_url": "https://vimeo.com/76979871",
            "external_playback_url": "https://vimeo.com/76979871",
        },
        "film": {
            "kind": MediaKind.VIDEO,
            "external_playback_url": VIDEO,
            "provider": "youtube",
            "provider_id": "dQw4w9WgXcQ",
        },
    }
    made = {name: make_media(session, viewer, title=name, **row) for name, row in rows.items()}
    return {name: f"/item/{media.id}" for name, media in made.items()}


def check(page: Page, what: str) -> None:
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], f"{what} is wider than the window"
    assert serious_problems(page) == [], what


def check_at_every_width(page: Page, what: str) -> None:
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        check(page, f"{what} at {width} pixels")


def test_everyone_can_use_every_view(page: Watched, person: Person, items: dict[str, str]) -> None:
    page.expected_statuses |= {400, 404}
    tab = page.page
    visit(tab)
    expect(row(tab, "film")).to_be_visible()
    check_at_every_width(tab, "the inbox")
    for name, address in items.items():
        visit(tab, address)
        expect(tab.get_by_role("heading", level=1, name=name)).to_be_visible()
        check_at_every_width(tab, name)
    for address, words in (
        ("/?kind=epub", "No matches"),
        ("/continue", "Nothing in progress"),
        ("/favourites", "No favourites yet"),
        ("/archive", "Nothing archived yet"),
        ("/tags/to%20read", "Nothing has this tag"),
        (f"/item/{uuid4()}", "Item not found"),
        ("/item/nonsense", "Item not found"),
        (f"/libraries/{person.default_library_id}", "everything you have saved"),
    ):
        visit(tab, address)
        expect(tab.get_by_text(words)).to_be_visible()
        check_at_every_width(tab, address)


SAID = {
    "waiting": ("Waiting", "This page will update"),
    "reading": ("Fetching the page…", "This page will update"),
    "ready": ("The text of this article is missing.",),
    "failed": ("Could not be read: The site answered 403.",),
    "given up": ("Could not be read: The site answered 403.", "It failed 3 times."),
    "file": ("Waiting for its file",),
    "lecture": ("Opens on vimeo.com", "The video plays on its own site."),
    "film": ("Video",),
}
OFFERED = {
    "failed": ("button", "Try again"),
    "given up": ("button", "Save again"),
    "file": ("button", "Choose a file"),
    "lecture": ("link", "Watch on vimeo.com"),
    "film": ("link", "Play"),
}


@pytest.mark.heavy
@pytest.mark.parametrize("width", [320, 1280])
def test_the_reader_says_what_cannot_be_read_and_what_to_do(
    page: Watched, person: Person, items: dict[str, str], width: int
) -> None:
    page.expected_statuses |= {400, 404}
    tab = page.page
    tab.set_viewport_size({"width": width, "height": 720})
    for name, address in items.items():
        tab.goto(address.replace("/item/", "/read/"))
        main = tab.get_by_role("main")
        expect(main.get_by_role("heading", level=1, name=name)).to_be_visible()
        for words in SAID[name]:
            expect(main.locator("p").filter(has_text=words)).to_be_visible()
        expect(main.get_by_text("Ready", exact=True)).to_have_count(0)
        offered = {role: main.get_by_role(role) for role in ("button", "link")}
        for what, (role, label) in OFFERED.items():
            expected = 1 if what == name else 0
            found = offered[role].filter(has_text=re.compile(f"^{re.escape(label)}$"))
            expect(found).to_have_count(expected)
        expect(main.get_by_role("link", name="Back to inbox")).to_be_visible()
        check(tab, f"the reader of {name}")
    for missing in (str(uuid4()), "nonsense"):
        tab.goto(f"/read/{missing}")
        expect(tab.get_by_text("Item not found")).to_be_visible()
        check(tab, "the reader of nothing")


@pytest.mark.heavy
def test_only_what_opens_here_is_called_ready(
    page: Watched, person: Person, items: dict[str, str], session: Session
) -> None:
    tab = page.page
    visit(tab)
    expect(row(tab, "film").get_by_text("Plays here")).to_be_visible()
    lecture = row(tab, "lecture")
    expect(lecture.get_by_text("Opens on vimeo.com")).to_be_visible()
    expect(lecture.get_by_text("Plays here")).to_have_count(0)
    expect(lecture.get_by_text("Ready")).to_have_count(0)


@pytest.mark.parametrize("width", [320, pytest.param(1280, marks=pytest.mark.heavy)])
def test_everyone_can_use_every_dialog(page: Watched, person: Person, width: int) -> None:
    page.expected_statuses.add(400)
    tab = page.page
    tab.set_viewport_size({"width": width, "height": 720})
    visit(tab)
    expect(row(tab, "Welcome to Nexus")).to_be_visible()
    for key in ("a", "?"):
        tab.keyboard.press(key)
        expect(tab.get_by_role("dialog")).to_be_visible()
        check(tab, f"the dialog of {key}")
        tab.keyboard.press("Escape")
        expect(tab.get_by_role("dialog")).to_have_count(0)
    for action in ("Add to library…", "Remove…"):
        choose(tab, "Welcome to Nexus", action)
        expect(tab.get_by_role("dialog")).to_be_visible()
        check(tab, action)
        tab.keyboard.press("Escape")
        expect(tab.get_by_role("button", name="Actions for Welcome to Nexus")).to_be_focused()
    paste(tab, "http://printer.local/x\nnothing")
    expect(tab.get_by_text("Not saved")).to_be_visible()
    check(tab, "a refused save")


def test_a_list_that_does_not_load_says_so_and_recovers(page: Watched, person: Person) -> None:
    page.expected_statuses.add(500)
    tab = page.page
    broken = '{"error": {"code": "E_INTERNAL", "message": "It broke.", "request_id": "r1"}}'
    tab.route("**/api/media?**", lambda route: route.fulfill(status=500, body=broken))
    visit(tab)
    expect(tab.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    check(tab, "the error")
    tab.unroute("**/api/media?**")
    tab.get_by_role("main").get_by_role("button", name="Try again").click()
    expect(row(tab, "Welcome to Nexus")).to_be_visible()


def test_offline_is_said_and_what_was_pasted_is_kept(page: Watched, person: Person) -> None:
    tab = page.page
    visit(tab)
    expect(row(tab, "Welcome to Nexus")).to_be_visible()
    # What the list loads ahead is there as well.
    tab.wait_for_function(READER_IS_LOADED)
    tab.context.set_offline(True)
    paste(tab, "https://one.example.org")
    refused = row(tab, "one.example.org")
    expect(refused).to_contain_text("Not saved: Nexus cannot be reached.")
    expect(tab.get_by_text("You are offline.")).to_be_visible()
    check(tab, "offline")
    tab.context.set_offline(False)
    expect(tab.get_by_text("You are offline.")).to_have_count(0)
    refused.get_by_role("button", name="Try again").click()
    expect(refused.get_by_text("Waiting")).to_be_visible()
    page.complaints[:] = [one for one in page.complaints if "ERR_INTERNET_DISCONNECTED" not in one]


@pytest.mark.heavy
@pytest.mark.parametrize("width", [320, 768, 1600])
@pytest.mark.parametrize(
    ("view", "held", "said"),
    [
        ("/", "**/api/media?**", "Loading the items"),
        ("/libraries/{library}", "**/api/libraries**", "Loading the items"),
        ("/libraries/{library}", "**/api/media?**", "Loading the items"),
        ("/highlights", "**/api/highlights**", "Loading your highlights"),
        ("/highlights", "**/assets/HighlightsPage-*.js", "Loading"),
        ("/settings", "**/assets/SettingsPage-*.js", "Loading"),
        ("/item/{item}", "**/api/media/{item}", "Loading the item"),
        ("/read/{item}", "**/api/media/{item}/reading", "Loading the article"),
        ("/read/{item}", "**/assets/ReaderPage-*.js", "Loading"),
    ],
)
def test_what_is_loading_keeps_away_from_the_edges(
    page: Watched,
    person: Person,
    items: dict[str, str],
    view: str,
    held: str,
    said: str,
    width: int,
) -> None:
    tab = page.page
    names = {"library": person.default_library_id, "item": items["ready"].rpartition("/")[2]}
    tab.set_viewport_size({"width": width, "height": 720})
    tab.route(held.format(**names), lambda route: None)
    tab.goto(view.format(**names), wait_until="commit")
    main = tab.get_by_role("main")
    expect(main.get_by_role("status").get_by_text(said, exact=True)).to_be_attached()
    left, right = main.evaluate(
        """(main, said) => {
          const status = [...main.querySelectorAll("[role=status]")];
          const loading = status.find((one) => one.textContent === said);
          const bones = [...loading.querySelectorAll("[aria-hidden]")];
          const boxes = bones.map((bone) => bone.getBoundingClientRect());
          return [Math.min(...boxes.map((box) => box.left)),
            Math.max(...boxes.map((box) => box.right))];
        }""",
        said,
    )
    box = main.bounding_box()
    assert box is not None
    assert left >= box["x"] + 16
    assert right <= box["x"] + box["width"] - 16
