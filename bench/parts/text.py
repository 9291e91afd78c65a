"""sanitize + canonicalize against Bleach and html5lib doing the same with the same allowlist."""

import re
import statistics
import time
from collections.abc import Callable
from unicodedata import normalize
from xml.etree.ElementTree import Element

import bleach
import html5lib

from bench.figures import Figure
from bench.pages import site
from bench.run import Run
from nexus.config import Settings
from nexus.services import node_ingest
from nexus.services.canonicalize import BLOCKS, canonicalize
from nexus.services.html_tags import ALLOWED_ATTRIBUTES, ALLOWED_TAGS
from nexus.services.html_text import WHITESPACE
from nexus.services.sanitize_html import sanitize_html

_TARGET = 8.0
_WHITESPACE_RUN = re.compile(f"[{WHITESPACE}]+")
_MANY_LINES = re.compile(r"\n{3,}")


def measure(bench: Run) -> list[Figure]:
    """Both over the same extracted articles, turn by turn."""
    articles = _articles(bench)
    rounds = bench.size(5, 2)
    ratios, ours, theirs = [], [], []
    for number in range(rounds):
        bench.say(f"text: round {number + 1} of {rounds}")
        ours.append(_seconds(articles, _ours))
        theirs.append(_seconds(articles, _theirs))
        ratios.append(theirs[-1] / ours[-1])
    each = 1000 / len(articles)
    note = (
        f"{statistics.median(ours) * each:.1f} ms against {statistics.median(theirs) * each:.1f} ms"
        f" an article, {len(articles)} articles"
    )
    return [
        Figure(
            "sanitize + canonicalize, Bleach + html5lib / ours",
            statistics.median(ratios),
            "×",
            at_least=_TARGET,
            note=note,
        )
    ]


def _articles(bench: Run) -> list[tuple[str, str]]:
    """What the extractor gives for each page, with its address."""
    bench.say("text: extracting the articles")
    with site() as pages:
        settings = Settings(allow_private_hosts=(pages.host,))
        try:
            found = [
                node_ingest.extract(url, settings=settings)
                for url in pages.urls(len(pages.names), mark="text")
            ]
        finally:
            node_ingest.stop()
    return [(article.content_html, article.base_url) for article in found]


def _seconds(articles: list[tuple[str, str]], clean: Callable[[str, str], str]) -> float:
    started = time.perf_counter()
    for html, url in articles:
        if not clean(html, url):
            raise RuntimeError(f"no text came out of {url}")
    return time.perf_counter() - started


def _ours(html: str, url: str) -> str:
    return canonicalize(sanitize_html(html, url))


def _theirs(html: str, _url: str) -> str:
    cleaned = bleach.clean(
        html,
        tags=ALLOWED_TAGS,
        attributes={tag: list(names) for tag, names in ALLOWED_ATTRIBUTES.items()},
        protocols={"http", "https", "mailto"},
        strip=True,
        strip_comments=True,
    )
    pieces: list[str] = []
    _walk(html5lib.parseFragment(cleaned, namespaceHTMLElements=False), pieces)
    lines = "".join(pieces).split("\n")
    return _MANY_LINES.sub("\n\n", "\n".join(line.strip(" ") for line in lines)).strip()


def _walk(element: Element, pieces: list[str]) -> None:
    """Text in document order, a newline at every edge of a block, runs of spaces as one."""
    is_block = element.tag in BLOCKS
    if is_block or element.tag == "br":
        pieces.append("\n")
    if element.text:
        pieces.append(_WHITESPACE_RUN.sub(" ", normalize("NFC", element.text)))
    for child in element:
        _walk(child, pieces)
        if child.tail:
            pieces.append(_WHITESPACE_RUN.sub(" ", normalize("NFC", child.tail)))
    if is_block:
        pieces.append("\n")
