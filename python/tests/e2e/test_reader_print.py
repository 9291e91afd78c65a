"""An article on paper: what is on it, and what is not."""

import re
import zlib

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from tests.e2e.reading import Person, Reading, make_article

TEXT = """<p>Reading with a pencil in hand is a way of thinking. The margin keeps it.</p>
<h2>Second part</h2>
<pre>a_line_of_code = "that is much longer than any sheet of paper, so it has to break"</pre>
<p>Nothing is merged, moved or lost.</p>"""


def annotated(session: Session, reader: Person) -> Reading:
    """An article with two notes, written in the order that is not the reading order."""
    article = make_article(session, reader, TEXT, title="On margins")
    for passage, color, note in (
        ("moved or lost", "green", "And found again."),
        ("a pencil in hand", "yellow", "Softer than ink.\nAlways."),
        ("The margin", "blue", ""),
    ):
        start = article.canonical_text.index(passage)
        made = reader.highlight(article, start, start + len(passage), color)
        if note:
            reader.client.put(f"/api/highlights/{made['id']}/annotation", json={"body": note})
    reading = reader.open(article)
    expect(reading.cards).to_have_count(3)
    return reading


def is_dark(color: str) -> bool:
    return sum(int(part) for part in re.findall(r"\d+", color)[:3]) < 3 * 90


@pytest.mark.parametrize(
    "theme",
    [
        pytest.param("light", marks=pytest.mark.heavy),
        "dark",
        pytest.param("sepia", marks=pytest.mark.heavy),
    ],
)
def test_paper_has_the_article_and_its_notes_and_nothing_else(
    session: Session, reader: Person, theme: str
) -> None:
    reader.context.add_init_script(f"localStorage.setItem('nexus.theme', '{theme}')")
    reading = annotated(session, reader)
    page = reading.page
    reading.click_text("a pencil")
    expect(page.get_by_role("textbox", name="Note")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="On margins")).to_be_visible()
    expect(page.get_by_text("https://example.org/article", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Notes", exact=True)).to_be_visible()
    notes = page.locator("article").get_by_role("listitem")
    expect(notes).to_have_text(
        [re.compile("a pencil in hand.*Softer than ink"), re.compile("moved or lost.*And found")]
    )
    expect(page.get_by_role("link", name=re.compile("Back"))).to_have_count(0)
    for gone in ("complementary", "navigation", "button", "textbox", "status"):
        expect(page.get_by_role(gone)).to_have_count(0)
    assert page.get_by_role("main").inner_text().startswith("On margins")
    ink, sheet = page.evaluate(
        """() => [getComputedStyle(document.querySelector("article p")).color,
          getComputedStyle(document.body).backgroundColor]"""
    )
    assert is_dark(ink)
    assert sheet == "rgb(255, 255, 255)"
    marked = page.evaluate(
        """() => { const style = getComputedStyle(document.querySelector("article section p"),
            "::highlight(nexus-yellow)");
          return [style.backgroundColor, style.textDecorationLine]; }"""
    )
    assert marked == ["rgb(255, 229, 138)", "underline"]
    widths = page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1]
    page.emulate_media(media="screen")
    expect(page.get_by_role("heading", name="Notes", exact=True)).to_have_count(0)
    expect(page.get_by_role("textbox", name="Note")).to_be_visible()


@pytest.mark.heavy
def test_a_long_article_is_printed_with_all_its_highlights(
    session: Session, reader: Person
) -> None:
    html = "".join(f"<p>Paragraph {n:03} of a long article.</p>" for n in range(500))
    article = make_article(session, reader, html)
    for n in range(500):
        start = article.canonical_text.index(f"Paragraph {n:03}")
        reader.highlight(article, start, start + 13, "pink")
    reading = reader.open(article)
    expect(reading.cards).to_have_count(500)
    reading.settle()
    # On the screen only what is near it is drawn; paper has all of it.
    assert 0 < len(reading.painted()) < 200
    reading.page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert len(reading.painted()) == 500
    reading.page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    assert len(reading.painted()) < 200


@pytest.mark.heavy
def test_the_sheets_come_out_of_the_browser(session: Session, reader: Person) -> None:
    reading = annotated(session, reader)
    reading.page.evaluate(
        """() => { window.printed = [];
          addEventListener("beforeprint", () =>
            window.printed.push(document.querySelector("article").innerText)); }"""
    )
    # As printers have it by default: without the colours that nobody asked for.
    sheets = reading.page.pdf(print_background=False)
    (text,) = reading.page.evaluate("() => window.printed")
    assert "Softer than ink." in text
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", sheets, re.DOTALL)
    drawn = b"".join(zlib.decompress(one) for one in streams if one[:1] == b"\x78")
    for shade in (b"1 .898 .5412 rg", b".7647 .9216 .7098 rg"):
        assert shade in drawn, "a highlight is not on the paper"
