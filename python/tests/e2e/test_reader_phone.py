"""The reader on a small touch screen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy.orm import Session

from tests.e2e.reading import Person, make_article
from tests.live import wait_for

TEXT = """<p>Reading with a pencil in hand is a way of thinking.</p>
<table><tr><td>A wide table</td><td>with many columns</td><td>side by side</td><td>and more of
them</td><td>than a phone can show</td></tr></table>
<pre>some_code = "with a very long line that cannot be broken anywhere at all, not even here"</pre>
<p>Averyveryveryveryveryveryveryveryveryveryveryveryverylongword ends it.</p>"""


@contextmanager
def finger_on(page: Page, x: float, y: float) -> Iterator[None]:
    """A finger laid down for as long as the block lasts; the browser makes a long press of it."""
    device = page.context.new_cdp_session(page)
    device.send("Emulation.setEmitTouchEventsForMouse", {"enabled": True})
    touch = {"x": round(x), "y": round(y), "button": "left", "clickCount": 1}
    device.send("Input.emulateTouchFromMouseEvent", {"type": "mousePressed", **touch})
    yield
    device.send("Input.emulateTouchFromMouseEvent", {"type": "mouseReleased", **touch})
    device.detach()


def test_a_long_press_selects_a_word_to_highlight(session: Session, phone_reader: Person) -> None:
    reading = phone_reader.open(make_article(session, phone_reader, TEXT))
    reading.settle()
    with finger_on(reading.page, *reading.edges("pencil")["middle"]):
        expect(reading.bar).to_be_visible()
    assert reading.page.evaluate("String(getSelection())") == "pencil"
    reading.bar.get_by_role("button", name="Highlight in pink").tap()
    reading.expect_painted(("pencil", "pink"))
    wait_for(lambda: phone_reader.highlights(reading.article))
    assert [one["exact"] for one in phone_reader.highlights(reading.article)] == ["pencil"]


@pytest.mark.heavy
def test_a_selection_grows_by_its_handles(session: Session, phone_reader: Person) -> None:
    reading = phone_reader.open(make_article(session, phone_reader, TEXT))
    reading.page.touchscreen.tap(*reading.edges("pencil")["middle"])
    # A headless browser has no handles to drag; this is what they do, step by step.
    reading.page.evaluate(
        """async () => {
          const node = document.querySelector("article section p").firstChild;
          const from = node.data.indexOf("pencil");
          for (const end of ["pencil", "pencil in", "pencil in hand"]) {
            document.getSelection().setBaseAndExtent(node, from, node, from + end.length);
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        }"""
    )
    reading.bar.get_by_role("button", name="Highlight in pink").tap()
    reading.expect_painted(("pencil in hand", "pink"))
    expect(reading.page.get_by_role("button", name="1 highlight", exact=True)).to_be_visible()


def test_a_tap_opens_the_sheet_at_the_highlight_and_notes_are_written_there(
    session: Session, phone_reader: Person
) -> None:
    article = make_article(session, phone_reader, TEXT)
    start = article.canonical_text.index("a pencil in hand")
    phone_reader.highlight(article, start, start + 16, "blue")
    reading = phone_reader.open(article)
    reading.expect_painted(("a pencil in hand", "blue"))
    reading.page.touchscreen.tap(*reading.edges("pencil")["middle"])
    sheet = reading.page.get_by_role("complementary", name="Highlights and notes")
    expect(sheet.locator("[aria-current=true]")).to_be_in_viewport()
    sheet.get_by_role("button", name="Write a note").tap()
    reading.page.get_by_role("textbox", name="Note").fill("from the train")
    expect(reading.page.get_by_text("Saved", exact=True)).to_be_visible()
    sheet.get_by_role("button", name="Close highlights").tap()
    expect(sheet).to_be_hidden()


@pytest.mark.heavy
def test_a_tap_on_a_stack_lists_it_before_the_sheet_covers_the_text(
    session: Session, phone_reader: Person
) -> None:
    article = make_article(session, phone_reader, TEXT)
    for passage in ("a pencil in hand", "pencil"):
        start = article.canonical_text.index(passage)
        phone_reader.highlight(article, start, start + len(passage), "blue")
    reading = phone_reader.open(article)
    pill = reading.page.get_by_role("button", name="2 highlights", exact=True)
    expect(pill).to_be_visible()
    reading.page.touchscreen.tap(*reading.edges("pencil")["middle"])
    listed = reading.page.get_by_role("region", name="2 highlights overlap here")
    expect(listed).to_be_in_viewport(ratio=1)
    expect(pill).to_be_visible()
    listed.get_by_role("button", name="a pencil in hand").tap()
    expect(listed).to_be_hidden()
    expect(reading.cards.locator("[aria-current=true]")).to_contain_text("a pencil in hand")


@pytest.mark.heavy
def test_code_is_allowed_by_a_tap(session: Session, phone_reader: Person) -> None:
    reading = phone_reader.open(make_article(session, phone_reader, TEXT))
    reading.settle()
    with finger_on(reading.page, *reading.edges("some_code")["middle"]):
        expect(reading.bar).to_be_visible()
    allow = reading.bar.get_by_role("button", name="Allow highlights in code")
    expect(allow).to_be_in_viewport(ratio=1)
    allow.tap()
    reading.bar.get_by_role("button", name="Highlight in pink").tap()
    reading.expect_painted(("some_code", "pink"))


@pytest.mark.heavy
def test_the_buttons_of_a_card_stay_together(session: Session, phone_reader: Person) -> None:
    article = make_article(session, phone_reader, TEXT)
    phone_reader.highlight(article, 0, 7, "blue")
    reading = phone_reader.open(article)
    reading.page.get_by_role("button", name="1 highlight", exact=True).tap()
    reading.cards.get_by_role("button").first.tap()
    for width in (320, 360, 390, 430):
        reading.page.set_viewport_size({"width": width, "height": 640})
        reading.settle()
        tops = [
            box["y"]
            for name in ("Write a note", "Choose another passage", "Delete highlight")
            if (box := reading.cards.get_by_role("button", name=name).bounding_box())
        ]
        assert tops == [tops[0]] * 3


@pytest.mark.heavy
def test_an_article_on_its_way_keeps_its_distance_from_the_edge(
    session: Session, phone_reader: Person
) -> None:
    article = make_article(session, phone_reader, TEXT)
    page = phone_reader.page()
    # The file of the view does not come, so what stands in for it stays.
    page.route(re.compile(r"/assets/ReaderPage.*\.js"), lambda route: None)
    page.goto(f"{phone_reader.nexus.origin}/read/{article.media_id}")
    lines = page.get_by_role("status").filter(has_text="Loading").locator("div")
    expect(lines.first).to_be_visible()
    box = lines.first.bounding_box()
    assert box is not None
    assert min(box["x"], box["y"]) >= 16
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.heavy
def test_nothing_is_wider_than_the_screen(session: Session, phone_reader: Person) -> None:
    reading = phone_reader.open(make_article(session, phone_reader, TEXT))
    widths = "() => [document.documentElement.scrollWidth, window.innerWidth]"
    scroll_width, width = reading.page.evaluate(widths)
    assert scroll_width <= width == 320
    # What is wider scrolls by itself, and the keyboard can reach it.
    expect(reading.page.get_by_role("region", name="Scrollable table")).to_have_attribute(
        "tabindex", "0"
    )
    expect(reading.page.get_by_role("region", name="Scrollable code")).to_be_visible()
    reading.page.goto(f"{phone_reader.nexus.origin}/highlights")
    expect(reading.page.get_by_role("heading", name="Highlights", exact=True)).to_be_visible()
    scroll_width, width = reading.page.evaluate(widths)
    assert scroll_width <= width == 320
