"""Real pages in a real browser: its canonical text is the server's, and highlights draw exactly
the text that is stored with them."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.pages import corpus_pages, fixture_pages
from bench.painted import COLORS, PAINTED, expected_pieces, letters, random_spans
from playwright.sync_api import Browser, Page

from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from tests.browser import REPOSITORY
from tests.canonical.twin import WEB
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.heavy

PER_PAGE = 200

# The article as the reader puts it on the page, less the framework around it.
OPEN = """(html) => {
  globalThis.article?.destroy();
  const template = document.createElement("template");
  template.innerHTML = html;
  NexusReader.prepareArticle(template.content, []);
  const root = document.querySelector("section");
  root.replaceChildren(template.content);
  globalThis.article = new NexusReader.ArticleText(root);
  return article.map.text;
}"""
DRAW = f"([spans, colors]) => {{ article.setHighlights(spans); return ({PAINTED})(colors); }}"
DRAW_EACH = f"""([spans, colors]) => spans.map((span) => {{
  article.setHighlights([span]);
  return ({PAINTED})(colors);
}})"""


@pytest.fixture(scope="module")
def text_page(browser: Browser) -> Iterator[Page]:
    """A page with the reader's text module."""
    bundler = REPOSITORY / "bench" / "bundle-reader.mjs"
    command = ["node", str(bundler), "src/features/reader/text/index.ts"]
    script = subprocess.run(
        command, cwd=WEB, check=True, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    ).stdout
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_content("<!DOCTYPE html><article><section></section></article>")
    page.evaluate(f"{script}; globalThis.NexusReader = NexusReader;")
    yield page
    context.close()


@pytest.mark.parametrize("path", fixture_pages() + corpus_pages(), ids=lambda path: path.stem)
def test_every_highlight_is_drawn_as_it_is_stored(text_page: Page, path: Path) -> None:
    html = sanitize_html(path.read_text(errors="replace"), f"https://example.org/{path.name}")
    text = canonicalize(html)
    assert text_page.evaluate(OPEN, html) == text
    made = stored_highlights(text, seed=len(path.stem))
    assert len(made) == PER_PAGE or len(letters(text)) < PER_PAGE
    spans = [
        {
            "id": one["id"],
            "start": one["start_offset"],
            "end": one["end_offset"],
            "color": one["color"],
            "createdAt": one["created_at"],
        }
        for one in made
    ]
    drawn = [piece for piece in text_page.evaluate(DRAW, [spans, COLORS]) if piece[0]]
    assert drawn == expected_pieces(text, made)
    alone = text_page.evaluate(DRAW_EACH, [spans, COLORS])
    for one, pieces in zip(made, alone, strict=True):
        assert "".join(piece for piece, _ in pieces) == letters(one["exact"])
        assert {color for piece, color in pieces if piece} == {one["color"]}


def stored_highlights(text: str, *, seed: int) -> list[dict[str, Any]]:
    """Highlights as the server answers them."""
    return [
        {
            "id": f"{number:08}-0000-4000-8000-000000000000",
            "start_offset": start,
            "end_offset": end,
            "exact": text[start:end],
            "color": COLORS[number % len(COLORS)],
            "created_at": f"2026-01-01T00:00:{number * 37 % 60:02}.{number % 7:06}Z",
        }
        for number, (start, end) in enumerate(random_spans(text, PER_PAGE, seed=seed))
    ]
