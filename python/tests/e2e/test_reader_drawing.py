"""What is painted is exactly what is stored, however highlights overlap."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from bench.pages import fixture_pages
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from tests.e2e.reading import (
    COLORS,
    Person,
    Reading,
    expected_pieces,
    letters,
    make_article,
    random_spans,
)

# Cards this near to each other are pushed: the gap between them, and a pixel of rounding.
TOUCHING = 13
LONG = "".join(
    f"<h2>Part {n}</h2>" + f"<p>Words of part {n}, <em>some of them stressed</em>, follow.</p>" * 8
    for n in range(60)
)


def highlight_at_random(
    reader: Person, reading: Reading, count: int, *, seed: int
) -> list[dict[str, Any]]:
    choose = random.Random(seed)
    spans = random_spans(reading.article.canonical_text, count, seed=seed)
    choose.shuffle(spans)
    for start, end in spans:
        reader.highlight(reading.article, start, end, choose.choice(COLORS))
    return reader.highlights(reading.article)


@pytest.mark.parametrize("page", fixture_pages(), ids=lambda page: page.stem)
def test_two_hundred_random_highlights_paint_exactly_their_text(
    session: Session, reader: Person, page: Any
) -> None:
    reader.context.route("**/api/media/image**", lambda route: route.fulfill(status=204))
    reading = reader.open(make_article(session, reader, page.read_text()))
    made = highlight_at_random(reader, reading, 200, seed=len(page.stem))
    reading.page.reload()
    expect(reading.cards).to_have_count(200)
    text = reading.article.canonical_text
    assert reading.painted() == expected_pieces(text, made)
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
    reading = reader.open(make_article(session, reader, LONG[:9000]))
    made = highlight_at_random(reader, reading, 100, seed=5)
    reading.page.reload()
    text = reading.article.canonical_text
    whole = expected_pieces(text, made)
    for gone in made:
        card = reading.page.locator(f"[data-highlight-id='{gone['id']}'] > button")
        card.dispatch_event("click")
        reading.page.keyboard.press("Delete")
        expect(reading.cards).to_have_count(len(made) - 1)
        left = [one for one in made if one is not gone]
        assert reading.painted() == expected_pieces(text, left)
        reading.page.get_by_role("button", name="Undo").last.dispatch_event("click")
        expect(reading.cards).to_have_count(len(made))
        assert reading.painted() == whole


def test_with_many_highlights_those_near_the_screen_are_painted(
    session: Session, reader: Person
) -> None:
    reading = reader.open(make_article(session, reader, LONG))
    made = highlight_at_random(reader, reading, 600, seed=9)
    reading.page.reload()
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
        reading.page.get_by_role("button", name="How it looks").click()
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


def test_five_hundred_highlights_scroll_without_long_tasks(
    session: Session, reader: Person
) -> None:
    reading = reader.open(make_article(session, reader, LONG))
    highlight_at_random(reader, reading, 500, seed=3)
    reading.page.reload()
    expect(reading.cards).to_have_count(500)
    reading.settle()
    browser = reader.context.browser
    assert browser is not None
    browser.start_tracing(page=reading.page, categories=["disabled-by-default-devtools.timeline"])
    reading.page.evaluate(SCROLL_THROUGH)
    assert longest_task_ms(json.loads(browser.stop_tracing())["traceEvents"]) <= 50


SCROLL_THROUGH = """async () => {
  const end = document.documentElement.scrollHeight;
  for (let at = 0; at < end; at += 300) {
    window.scrollTo({ top: at, behavior: "instant" });
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}"""


def longest_task_ms(events: list[dict[str, Any]]) -> float:
    """The longest task of a page's main thread, in its own time: other programs cost it nothing."""
    main_threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks: list[float] = [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in main_threads
    ]
    assert len(tasks) > 100, "the trace has no tasks to look at"
    return max(tasks)
