"""What is painted is exactly what is stored, however highlights overlap."""

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from bench.pages import fixture_pages
from bench.painted import COLORS, expected_pieces, letters, random_spans
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor
from nexus.db.models import Fragment, Highlight
from tests.e2e.reading import Person, Reading, make_article
from tests.highlights import highlight_body

pytestmark = pytest.mark.heavy

# Cards this near to each other are pushed: the gap between them, and a pixel of rounding.
TOUCHING = 13
LONG = "".join(
    f"<h2>Part {n}</h2>" + f"<p>Words of part {n}, <em>some of them stressed</em>, follow.</p>" * 8
    for n in range(60)
)


def highlight_at_random(
    session: Session, reader: Person, article: Fragment, count: int, *, seed: int
) -> list[dict[str, Any]]:
    """Stored one after the other by the clock, all at once for the sake of time."""
    choose = random.Random(seed)
    text = article.canonical_text
    spans = random_spans(text, count, seed=seed)
    choose.shuffle(spans)
    first = datetime(2026, 1, 1, tzinfo=UTC)
    session.add_all(
        Highlight(
            user_id=reader.viewer.user_id,
            fragment_id=article.id,
            created_at=first + timedelta(microseconds=number),
            **highlight_body(text, start, end, color=HighlightColor(choose.choice(COLORS))),
        )
        for number, (start, end) in enumerate(spans)
    )
    session.commit()
    return reader.highlights(article)


@pytest.mark.parametrize("page", fixture_pages(), ids=lambda page: page.stem)
def test_two_hundred_random_highlights_paint_exactly_their_text(
    session: Session, reader: Person, page: Any
) -> None:
    reader.context.route("**/api/media/image**", lambda route: route.fulfill(status=204))
    article = make_article(session, reader, page.read_text())
    made = highlight_at_random(session, reader, article, 200, seed=len(page.stem))
    reading = reader.open(article)
    expect(reading.cards).to_have_count(200)
    text = reading.article.canonical_text
    reading.expect_painted(*expected_pieces(text, made))
    # Each one alone, as its card underlines it.
    active = "() => [...CSS.highlights.get('nexus-active')].map((piece) => { const range ="
    active += " document.createRange(); range.setStart(piece.startContainer, piece.startOffset);"
    active += " range.setEnd(piece.endContainer, piece.endOffset); return range.toString(); })"
    for one in random.Random(1).sample(made, 12):
        card = reading.page.locator(f"[data-highlight-id='{one['id']}'] > button")
        card.dispatch_event("click")
        expect(card).to_have_attribute("aria-current", "true")
        assert letters("".join(reading.page.evaluate(active))) == letters(one["exact"])
    reader.problems.clear()


def test_deleting_any_of_a_hundred_leaves_the_others_as_they_were(
    session: Session, reader: Person
) -> None:
    article = make_article(session, reader, LONG[:9000])
    made = highlight_at_random(session, reader, article, 100, seed=5)
    reading = reader.open(article)
    # Two hundred smooth scrolls are frames that nobody looks at.
    reading.page.emulate_media(reduced_motion="reduce")
    text = reading.article.canonical_text
    whole = expected_pieces(text, made)
    for gone in made:
        card = reading.page.locator(f"[data-highlight-id='{gone['id']}'] > button")
        card.dispatch_event("click")
        reading.page.keyboard.press("Delete")
        left = expected_pieces(text, [one for one in made if one is not gone])
        reading.expect_painted(*((passage, color) for passage, color in left))
        reading.page.get_by_role("button", name="Undo").last.dispatch_event("click")
        reading.expect_painted(*((passage, color) for passage, color in whole))


# The lines under covered highlights: their text, colour, lane and style, from the text downwards.
LINES = """() => [...CSS.highlights].filter(([name]) => name.startsWith("nexus-under-"))
  .flatMap(([name, pieces]) => [...pieces].map((piece) => {
    const range = document.createRange();
    range.setStart(piece.startContainer, piece.startOffset);
    range.setEnd(piece.endContainer, piece.endOffset);
    const style = getComputedStyle(piece.startContainer.parentElement, `::highlight(${name})`);
    const [, , lane, color] = name.split("-");
    return [range.toString(), color, Number(lane), style.textDecorationStyle,
      style.textDecorationLine];
  })).sort((a, b) => a[2] - b[2])"""


def test_covered_highlights_show_at_rest(session: Session, reader: Person) -> None:
    article = make_article(session, reader, "<p>Reading with a pencil in hand is thinking.</p>")
    passages = (
        ("pencil", "blue"),
        ("a pencil in", "pink"),
        ("with a pencil in hand", "purple"),
        ("Reading with a pencil in hand", "yellow"),
    )
    for passage, color in passages:
        start = article.canonical_text.index(passage)
        reader.highlight(article, start, start + len(passage), color)
    reading = reader.open(article)
    expect(reading.cards).to_have_count(4)
    # The newest colour is on top; whatever is under it has a line in its own colour and style.
    assert {color for _, color in reading.painted()} == {"yellow"}
    assert reading.page.evaluate(LINES) == [
        ["with a pencil in hand", "purple", 1, "solid", "underline"],
        ["a pencil in", "pink", 2, "dashed", "underline"],
        ["pencil", "blue", 3, "dotted", "underline"],
    ]
    start = article.canonical_text.index("encil")
    reader.highlight(article, start, start + 5, "green")
    reading.page.reload()
    expect(reading.cards).to_have_count(5)
    assert ["encil", "more", 3, "wavy", "underline"] in reading.page.evaluate(LINES)


COLORS_OF_THEME = """(colors) => {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  const each = (suffix) => colors.map((color) => read(`--hl-${color}${suffix}`));
  return { lines: each("-mark"), shades: [...each(""), read("--bg"), read("--code-bg")] };
}"""


def luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark", "sepia"])
def test_lines_can_be_seen_on_every_shade(session: Session, reader: Person, theme: str) -> None:
    reader.context.add_init_script(f"localStorage.setItem('nexus.theme', '{theme}')")
    reading = reader.open(make_article(session, reader, "<p>Some text.</p>"))
    found = reading.page.evaluate(COLORS_OF_THEME, COLORS)
    for line in found["lines"]:
        for shade in found["shades"]:
            low, high = sorted((luminance(line), luminance(shade)))
            assert (high + 0.05) / (low + 0.05) >= 3, (line, shade)


def test_with_many_highlights_those_near_the_screen_are_painted(
    session: Session, reader: Person
) -> None:
    article = make_article(session, reader, LONG)
    made = highlight_at_random(session, reader, article, 600, seed=9)
    reading = reader.open(article)
    expect(reading.cards).to_have_count(600)
    whole = expected_pieces(reading.article.canonical_text, made)
    for part in (5, 30, 55, 2):
        heading = reading.page.get_by_role("heading", name=f"Part {part}", exact=True)
        heading.evaluate("one => one.scrollIntoView({block: 'center', behavior: 'instant'})")
        reading.page.wait_for_function(DRAWN_IN, arg=f"Part {part}")
        painted = reading.painted()
        # What lies across the edge of what is drawn is cut there.
        inner = painted[1:-1]
        assert 20 < len(inner) < len(whole) / 2
        places = range(len(whole) - len(inner) + 1)
        assert any(whole[at : at + len(inner)] == inner for at in places)


# Whether something is painted in the paragraph after the heading with this text.
DRAWN_IN = """(title) => {
  const heading = [...document.querySelectorAll("article h2")].find(
    (one) => one.textContent === title);
  return [...CSS.highlights.entries()].some(([name, pieces]) =>
    !/active|hover/.test(name) &&
    [...pieces].some((one) => heading.nextElementSibling.contains(one.startContainer)));
}"""


def tops(reading: Reading) -> list[tuple[float, float, float]]:
    """Of each card: its top, its bottom, and the top of its highlight's first line."""
    found: list[tuple[float, float, float]] = reading.page.evaluate(
        """(spans) => spans.map(([id, text]) => {
          const card = document.querySelector(`[data-highlight-id='${id}']`);
          const box = card.getBoundingClientRect();
          const walker = document.createTreeWalker(
            document.querySelector("article section"), NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf(text);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + 1);
            return [box.top, box.bottom, range.getBoundingClientRect().top];
          }
        })""",
        [[one["id"], one["exact"]] for one in reading.person.highlights(reading.article)],
    )
    return found


@pytest.mark.parametrize("change", ["nothing", "resize", "larger letters", "focus", "image"])
def test_cards_stand_beside_their_lines_and_never_on_each_other(
    session: Session, reader: Person, change: str
) -> None:
    html = '<p><img src="https://example.org/a.png" alt=""></p>' + "".join(
        f"<p>Passage number {n:03} is here. " + "More words follow it. " * 12 + "</p>"
        for n in range(40)
    )
    pixel = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="700"/>'
    reader.context.route(
        "**/api/media/image**",
        lambda route: route.fulfill(body=pixel, content_type="image/svg+xml"),
    )
    article = make_article(session, reader, html)
    for n in [*range(0, 40, 3), 4, 5, 7]:
        start = article.canonical_text.index(f"Passage number {n:03}")
        made = reader.highlight(article, start, start + 18, COLORS[n % 5])
        if n % 2:
            reader.client.put(
                f"/api/highlights/{made['id']}/annotation", json={"body": "Why? " * n}
            )
    reading = reader.open(article)
    expect(reading.cards).to_have_count(17)
    if change == "resize":
        reading.page.set_viewport_size({"width": 1000, "height": 700})
    elif change == "larger letters":
        reading.page.get_by_role("button", name="Appearance").click()
        reading.page.get_by_role("button", name="Larger text").click()
        reading.page.keyboard.press("Escape")
    elif change == "focus":
        reading.page.locator("[data-highlight-id] > button").nth(4).click()
    elif change == "image":
        reading.page.locator("article img").scroll_into_view_if_needed()
        expect(reading.page.locator("article img")).to_have_attribute("data-loaded", "")
    reading.settle()
    boxes = sorted(tops(reading))
    gaps = [after[0] - before[1] for before, after in pairwise(boxes)]
    assert min(gaps) >= 0, "two cards overlap"
    for (top, _, line), above, below in zip(boxes, [99.0, *gaps], [*gaps, 99.0], strict=True):
        assert abs(top - line) <= 8 or min(above, below) <= TOUCHING
