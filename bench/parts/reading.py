"""Long articles in the reader: how long the page's main thread is busy at a stretch."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from uuid import UUID

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from bench.chromium import launch_options
from bench.figures import Figure
from bench.front import Reader, front, signed_up
from bench.painted import COLORS, random_spans
from bench.phone_library import store_article
from bench.ports import free_port
from bench.run import Run
from bench.stack import Stack, nexus_stack
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from nexus.services.highlight_span import span_at

# Longer than this, and a person notices.
_LONGEST_MS = 50.0
# A search may take longer: nothing moves meanwhile.
_LONGEST_FIND_MS = 1_000.0
_TIMEOUT_MS = 120_000
_PART = "".join(
    f"<h2>Part {n}</h2>" + f"<p>Words of part {n}, <em>some of them stressed</em>, follow.</p>" * 8
    for n in range(60)
)
_WORDS = "Tides follow the moon, and harbours follow the tides, day after day, naïvely. "

_SCROLL_THROUGH = """async () => {
  const end = document.documentElement.scrollHeight;
  for (let at = 0; at < end; at += 300) {
    window.scrollTo({ top: at, behavior: "instant" });
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}"""
# Selects the first words of the paragraph after a heading, in the middle of the window.
_SELECT = """(heading) => {
  heading.scrollIntoView({ block: "center", behavior: "instant" });
  const text = heading.nextElementSibling.firstChild;
  document.getSelection().setBaseAndExtent(text, 0, text, 9);
}"""
_SETTLED = """async () => {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}"""


def measure(bench: Run) -> list[Figure]:
    """The longest task while somebody scrolls, highlights or finds; its own time, in milliseconds.

    Its own, because other programs on the machine cost it nothing then.
    """
    few, many = bench.size(500, 100), bench.size(1_000, 200)
    matches = bench.size(13_000, 1_300)
    with (
        nexus_stack(redis=True, port=free_port()) as stack,
        stack.api(),
        front(stack) as origin,
        signed_up(origin) as reader,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options())
        bench.say(f"reading: {few:,} highlights")
        scrolling = _scrolling(_opened(browser, stack, reader, _PART, few))
        bench.say(f"reading: {many:,} cards")
        adding = _adding(_opened(browser, stack, reader, _PART * 2, many))
        bench.say("reading: finding")
        paragraphs = f"<p>{_WORDS * 10}</p>" * (matches // 10)
        finding = _finding(_opened(browser, stack, reader, paragraphs, 0), matches)
        browser.close()
    return [
        Figure(
            f"scrolling through {few:,} highlights: longest task",
            max(scrolling),
            "ms",
            at_most=_LONGEST_MS,
        ),
        Figure(
            f"one more beside {many:,} cards: longest task",
            max(adding),
            "ms",
            at_most=_LONGEST_MS,
        ),
        Figure(
            f"finding a word that is there {matches:,} times: longest task",
            max(finding),
            "ms",
            at_most=_LONGEST_FIND_MS,
        ),
    ]


def _scrolling(page: Page) -> list[float]:
    with _tasks_of(page) as tasks:
        page.evaluate(_SCROLL_THROUGH)
    return tasks


def _adding(page: Page) -> list[float]:
    """The cards near the top make way for it, and so do those far below."""
    found: list[float] = []
    for part in (3, 30):
        page.get_by_role("heading", name=f"Part {part}", exact=True).first.evaluate(_SELECT)
        page.get_by_role("toolbar", name="Selected passage").wait_for()
        page.evaluate(_SETTLED)
        before = _cards(page).count()
        with _tasks_of(page) as tasks:
            page.keyboard.press("2")
            expect(_cards(page)).to_have_count(before + 1)
            page.evaluate(_SETTLED)
        found += tasks
    return found


def _finding(page: Page, matches: int) -> list[float]:
    page.keyboard.press("f")
    field = page.get_by_role("searchbox", name="Find")
    status = page.get_by_role("search").get_by_role("status")
    with _tasks_of(page) as tasks:
        field.fill("naively")
        expect(status).to_contain_text(f"1 of {matches:,}")
        page.evaluate(_SETTLED)
    return tasks


def _opened(browser: Browser, stack: Stack, reader: Reader, html: str, count: int) -> Page:
    """An article with so many highlights, drawn."""
    clean = sanitize_html(html, "https://example.org/long")
    text = canonicalize(clean)
    (library,) = reader.get("/libraries")["libraries"]
    media_id, fragment_id = store_article(stack, library["id"], title="Long", html=clean, text=text)
    _highlight(reader, fragment_id, text, count)
    page = reader.tab(browser)
    page.set_default_timeout(_TIMEOUT_MS)
    page.goto(f"/read/{media_id}")
    expect(_cards(page)).to_have_count(count, timeout=_TIMEOUT_MS)
    page.locator("article section > *").first.wait_for()
    page.evaluate(_SETTLED)
    return page


def _highlight(reader: Reader, fragment_id: UUID, text: str, count: int) -> None:
    chance = random.Random(3)
    for start, end in random_spans(text, count, seed=3) if count else []:
        body = {**asdict(span_at(text, start, end)), "color": chance.choice(COLORS)}
        reader.post(f"/fragments/{fragment_id}/highlights", body)


def _cards(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Highlights and notes").locator("li")


@contextmanager
def _tasks_of(page: Page) -> Iterator[list[float]]:
    """The tasks of the page's main thread during the block; known after it."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline"])
    tasks: list[float] = []
    yield tasks
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main_threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks += [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "RunTask"
        and (event["pid"], event["tid"]) in main_threads
        and "tdur" in event  # not cut off by the end of the trace
    ]
    if not tasks:
        raise RuntimeError("the trace has no tasks to look at")
