"""How much of an article is kept, and how much beside it: our extraction and plain Readability."""

import json
import subprocess
from pathlib import Path

from bench.figures import Figure
from bench.pages import Site, corpus_pages, serve
from bench.run import Run
from bench.shingles import Likeness, average, compare
from nexus.config import PROJECT_ROOT, Settings
from nexus.extractors.web_article import node_client as node_ingest
from nexus.html.cleaning import clean_page

_OWN = PROJECT_ROOT / "bench" / "quality"


def measure(bench: Run) -> list[Figure]:
    """Own pages against their known text; the corpus, which has none, side by side."""
    pages = sorted(_OWN.glob("*.html"))
    bench.say(f"quality: {len(pages)} pages with known text")
    ours, plain = _ours(pages), _plain(pages)
    wanted = [page.with_suffix(".txt").read_text() for page in pages]
    figures = _beside_readability(
        average([compare(*pair) for pair in zip(wanted, ours, strict=True)]),
        average([compare(*pair) for pair in zip(wanted, plain, strict=True)]),
        note=f"{len(pages)} own pages",
    )
    corpus = corpus_pages()
    if corpus:
        bench.say(f"quality: {len(corpus)} pages of the corpus")
        alike = average(
            [compare(*pair) for pair in zip(_plain(corpus), _ours(corpus), strict=True)]
        )
        note = f"{len(corpus)} pages (corpus), which have no known text"
        figures += [
            Figure("of Readability's text, also in ours", alike.recall, "", note=note),
            Figure("of our text, also in Readability's", alike.precision, "", note=note),
        ]
    return figures


def _beside_readability(ours: Likeness, plain: Likeness, *, note: str) -> list[Figure]:
    return [
        Figure("F1", ours.f1, "", at_least=0.966, note=note),
        Figure("precision: of our text, wanted", ours.precision, ""),
        Figure("recall: of the wanted text, ours", ours.recall, ""),
        Figure("F1, ours / plain Readability", ours.f1 / plain.f1, "×", at_least=1),
        Figure("F1 of plain Readability", plain.f1, ""),
        Figure("precision of plain Readability", plain.precision, ""),
        Figure("recall of plain Readability", plain.recall, ""),
    ]


def _ours(pages: list[Path]) -> list[str]:
    with serve(pages) as site:
        settings = Settings(ingest_mode="serve", allow_private_hosts=(site.host,))
        try:
            return [_text(page, site, settings) for page in pages]
        finally:
            node_ingest.stop()


def _text(page: Path, site: Site, settings: Settings) -> str:
    article = node_ingest.extract(f"{site.origin}/quality/{page.name}", settings=settings)
    return clean_page(article.content_html, article.base_url).text


def _plain(pages: list[Path]) -> list[str]:
    command = ["node", str(PROJECT_ROOT / "bench" / "readability.mjs"), *map(str, pages)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    contents = [json.loads(line) for line in done.stdout.splitlines()]
    return [clean_page(html, "http://127.0.0.1/page").text if html else "" for html in contents]
