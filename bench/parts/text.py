"""sanitize + canonicalize against Bleach and html5lib doing the same with the same allowlist."""

import re
import time
from collections.abc import Callable
from unicodedata import normalize
from urllib.parse import quote, urljoin
from xml.etree.ElementTree import Element

import bleach
import html5lib

from bench.figures import Figure
from bench.pages import site
from bench.run import Run
from nexus.config import Settings
from nexus.extractors.web_article import node_client as node_ingest
from nexus.html.canonicalize import BLOCKS, canonicalize
from nexus.html.sanitize import ALLOWED_ATTRIBUTES, sanitize_html
from nexus.html.tags import ALLOWED_TAGS, REMOVED_WITH_CONTENT
from nexus.html.text import WHITESPACE
from nexus.html.urls import IMAGE_PROXY_PREFIX

_TARGET = 8.0
_LINK_ATTRIBUTES = {
    "rel": "noopener noreferrer",
    "target": "_blank",
    "referrerpolicy": "no-referrer",
}
_WHITESPACE_RUN = re.compile(f"[{WHITESPACE}]+")
_MANY_LINES = re.compile(r"\n{3,}")


def measure(bench: Run) -> list[Figure]:
    """Both over the same extracted articles, turn by turn; the best of some rounds for each."""
    articles = _articles(bench)
    rounds = bench.size(5, 2)
    best = {_ours: [float("inf")] * len(articles), _theirs: [float("inf")] * len(articles)}
    for number in range(rounds):
        bench.say(f"text: round {number + 1} of {rounds}")
        for place, article in enumerate(articles):
            for clean, seconds in best.items():
                seconds[place] = min(seconds[place], _seconds(article, clean))
    ours, theirs = sum(best[_ours]), sum(best[_theirs])
    each = 1000 / len(articles)
    note = f"{ours * each:.1f} ms against {theirs * each:.1f} ms, {len(articles)} articles"
    return [
        Figure(
            "sanitize + canonicalize, Bleach + html5lib / ours",
            theirs / ours,
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


def _seconds(article: tuple[str, str], clean: Callable[[str, str], str]) -> float:
    started = time.perf_counter()
    if not clean(*article):
        raise RuntimeError(f"no text came out of {article[1]}")
    return time.perf_counter() - started


def _ours(html: str, url: str) -> str:
    return canonicalize(sanitize_html(html, url))


def _theirs(html: str, url: str) -> str:
    """The same steps: addresses, hidden elements and links in the tree, allowlist, text."""
    tree = html5lib.parseFragment(html, namespaceHTMLElements=False)
    _prepare(tree, url)
    cleaned = bleach.clean(
        html5lib.serialize(tree),
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


def _prepare(tree: Element, url: str) -> None:
    for parent in list(tree.iter()):
        for child in list(parent):
            if (
                child.tag in REMOVED_WITH_CONTENT
                or "hidden" in child.attrib
                or child.attrib.get("aria-hidden") == "true"
            ):
                parent.remove(child)
            elif child.tag == "img" and "src" in child.attrib:
                absolute = urljoin(url, child.attrib["src"])
                child.attrib["src"] = IMAGE_PROXY_PREFIX + quote(absolute, safe="")
            elif child.tag == "a" and "href" in child.attrib:
                child.attrib["href"] = urljoin(url, child.attrib["href"])
                child.attrib.update(_LINK_ATTRIBUTES)


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
