"""A long article mapped in Chromium and highlights drawn on it, by the reader's own module."""

import random
import statistics
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.chromium import launch_options
from bench.figures import Figure, not_measured
from bench.run import Run
from bench.text import words
from nexus.config import PROJECT_ROOT

_WEB = PROJECT_ROOT / "apps" / "web"
_MODULE = "src/features/reader/text/articleText.ts"
_STYLES = _WEB / "src" / "features" / "reader" / "highlights.css"
_BUNDLER = Path(__file__).parents[1] / "bundle-reader.mjs"
_COLORS = ("yellow", "green", "blue", "pink", "purple")
_DRAW_TARGET_MS = 100.0
_ADD_TARGET_MS = 16.0
_MAP_TARGET_MS = 100.0

# Resolves once the browser has put two more frames on the screen: the text near the screen is
# found in the first, and what was drawn on it is shown by the second.
_SETUP = """
globalThis.painted = () => new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = resolve;
  requestAnimationFrame(() => requestAnimationFrame(() => channel.port2.postMessage(null)));
});
globalThis.drawnRanges = () => [...CSS.highlights.values()].reduce((sum, h) => sum + h.size, 0);
"""
_OPEN = """
(html) => {
  globalThis.article?.destroy();
  const root = document.querySelector("article");
  root.innerHTML = html;
  const started = performance.now();
  globalThis.article = new NexusReader.ArticleText(root);
  const ms = performance.now() - started;
  return { ms, length: globalThis.article.map.text.length };
}
"""
_SHOW = """
async (spans) => {
  const started = performance.now();
  article.setHighlights(spans);
  await painted();
  return { ms: performance.now() - started, ranges: drawnRanges() };
}
"""


def measure(bench: Run) -> list[Figure]:
    """The time the page's main thread is busy: script, style, layout and paint."""
    length_in_words = bench.size(100_000, 20_000)
    name = f"drawing 1,000 highlights, {length_in_words:,} words"
    if not (_WEB / _MODULE).exists():
        return [not_measured(name, "the reader is not built: there is no " + _MODULE)]
    bench.say("drawing: bundling the reader")
    script, html = _bundle(), _article(length_in_words)
    mapped, drawn, added, elapsed = [], [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_content(f"<style>{_STYLES.read_text()}</style><article></article>")
        page.evaluate(f"{script}; globalThis.NexusReader = NexusReader; {_SETUP}")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        for number in range(bench.size(7, 2)):
            bench.say(f"drawing: round {number + 1}")
            opened = page.evaluate(_OPEN, html)
            mapped.append(opened["ms"])
            page.evaluate("painted()")
            spans = _spans(opened["length"], 1_001)
            busy, shown = _busy_ms(page, session, spans[:1_000])
            drawn.append(busy)
            elapsed.append(shown)
            added.append(_busy_ms(page, session, spans)[0])
        browser.close()
    note = f"on the screen after {statistics.median(elapsed):.0f} ms"
    mapping = f"mapping {length_in_words:,} words"
    return [
        Figure(mapping, statistics.median(mapped), "ms", at_most=_MAP_TARGET_MS),
        Figure(name, statistics.median(drawn), "ms", at_most=_DRAW_TARGET_MS, note=note),
        Figure("adding one more", statistics.median(added), "ms", at_most=_ADD_TARGET_MS),
    ]


def _busy_ms(page: Page, session: CDPSession, spans: list[dict[str, Any]]) -> tuple[float, float]:
    """Milliseconds the main thread worked, and until everything was on the screen."""
    # Handed over beforehand: in the reader they are there already.
    page.evaluate("(spans) => { globalThis.spans = spans; }", spans)
    before = _task_seconds(session)
    response = page.evaluate(f"({_SHOW})(globalThis.spans)")
    busy = (_task_seconds(session) - before) * 1000
    if response["ranges"] == 0:
        raise RuntimeError("nothing was drawn")
    return busy, response["ms"]


def _task_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def _article(count: int) -> str:
    """Paragraphs of a hundred words, with headings, links and emphasis."""
    chance = random.Random(9)
    paragraphs = []
    for number in range(count // 100):
        before, inside, after = words(chance, 60), words(chance, 10), words(chance, 30)
        mark = ("em", "strong", "code", "sub")[number % 4]
        paragraphs.append(f"<p>{before} <{mark}>{inside}</{mark}> {after}</p>")
        if number % 20 == 0:
            paragraphs.append(f"<h2>{words(chance, 5)}</h2>")
    return "".join(paragraphs)


def _spans(length: int, count: int) -> list[dict[str, Any]]:
    """Passages twice as long as the way from one to the next; a third of them at the beginning."""
    chance = random.Random(10)
    spans = []
    for number in range(count):
        place = chance.randrange(3_000) if number % 3 == 0 else number * (length - 3_000) // count
        end = place + 2 * length // count
        made = f"2026-01-01T00:{number // 60 % 60:02}:{number % 60:02}.{number:06}Z"
        color = _COLORS[number % 5]
        identity = f"{number:08}-0000-4000-8000-000000000000"
        spans.append(
            {"id": identity, "start": place, "end": end, "color": color, "createdAt": made}
        )
    return spans


def _bundle() -> str:
    return subprocess.run(
        ["node", str(_BUNDLER), _MODULE],
        cwd=_WEB,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout
