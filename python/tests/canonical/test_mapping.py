"""Selections to offsets and back, on live nodes in Chromium."""

import random
from pathlib import Path
from typing import Any

import pytest

from nexus.html.canonicalize import canonicalize_article
from nexus.html.sanitize import SanitizedHtml, sanitize_html
from tests.browser import REPOSITORY
from tests.canonical.twin import Twin

PAGES = sorted((REPOSITORY / "python" / "tests" / "fixtures" / "pages").glob("*.html"))

# Each setup has the article in `root`, and says how the range is made.
SELECT = """
([html, select]) => {
  document.body.innerHTML = "<h1>Outside</h1><div id=root></div><p>After</p>";
  const root = document.getElementById("root");
  root.innerHTML = html;
  const map = NexusCanonical.canonicalize(root);
  const text = (selector) => root.querySelector(selector).firstChild;
  const range = document.createRange();
  new Function("root", "range", "text", select)(root, range, text);
  const offsets = NexusCanonical.rangeToOffsets(map, range);
  if (offsets === null) return null;
  const again = NexusCanonical.rangeToOffsets(map, NexusCanonical.offsetsToRange(map, offsets));
  return {
    text: NexusCanonical.textAt(map, offsets),
    offsets: [offsets.start, offsets.end],
    again: [again.start, again.end],
    code: NexusCanonical.touchesCode(map, range),
  };
}
"""
TWO = "<p>First one</p><p>Second two</p>"
SELECTIONS = {
    "inside a node": (
        TWO,
        "range.setStart(text('p'), 1); range.setEnd(text('p'), 5)",
        "irst",
    ),
    "triple click": (
        TWO,
        "range.setStart(text('p'), 0); range.setEnd(root.children[1], 0)",
        "First one",
    ),
    "triple click, ending in the next text": (
        TWO,
        "range.setStart(text('p'), 0); range.setEnd(text('p + p'), 0)",
        "First one",
    ),
    "all of the article": (TWO, "range.selectNodeContents(root)", "First one\n\nSecond two"),
    "all of the page": (
        TWO,
        "range.selectNodeContents(document.body)",
        "First one\n\nSecond two",
    ),
    "from outside": (
        TWO,
        "range.setStart(document.body.firstChild.firstChild, 2); range.setEnd(text('p'), 5)",
        "First",
    ),
    "outside": (TWO, "range.selectNodeContents(document.body.firstChild)", None),
    "after": (TWO, "range.selectNodeContents(document.body.lastChild)", None),
    "collapsed": (TWO, "range.setStart(text('p'), 2); range.collapse(true)", None),
    "an element by its index": (
        TWO,
        "range.setStart(root, 1); range.setEnd(root, 2)",
        "Second two",
    ),
    "only the gap between blocks": (
        TWO,
        "range.setStart(text('p'), 9); range.setEnd(text('p + p'), 0)",
        None,
    ),
    "spaces at the edges": (
        "<p>a   b <i> c </i> d</p>",
        "range.setStart(text('p'), 2); range.setEnd(text('i'), 3)",
        "b c",
    ),
    "only spaces": (
        "<p>a   b</p>",
        "range.setStart(text('p'), 1); range.setEnd(text('p'), 4)",
        None,
    ),
    "across an image": (
        '<p>a <img alt=""> b</p>',
        "range.setStart(text('p'), 0); range.setEnd(text('p').nextSibling.nextSibling, 2)",
        "a b",
    ),
    "only an image": (
        '<p>a <img alt=""> b</p>',
        "range.selectNode(root.querySelector('img'))",
        None,
    ),
    "across a table": (
        "<p>x</p><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>",
        "range.setStart(text('p'), 0); range.setEnd(root.querySelector('td + td'), 1)",
        "x\n\na\n\nb",
    ),
    "emoji": (
        "<p>😀😀 a😀b</p>",
        "range.setStart(text('p'), 2); range.setEnd(text('p'), 8)",
        "😀 a😀",
    ),
    "half an emoji": (
        "<p>a😀b</p>",
        "range.setStart(text('p'), 2); range.setEnd(text('p'), 4)",
        "😀b",
    ),
    "up to half an emoji": (
        "<p>a😀b</p>",
        "range.setStart(text('p'), 0); range.setEnd(text('p'), 2)",
        "a😀",
    ),
    "not in NFC": (
        "<p>xe\u0301y z</p>",
        "range.setStart(text('p'), 1); range.setEnd(text('p'), 3)",
        "\xe9",
    ),
    "hidden text": (
        "<p>a <b hidden>x</b> b</p>",
        "range.setStart(text('b'), 0); range.setEnd(root, 1)",
        "b",
    ),
    "right to left": (
        "<p>שלום <b>עולם</b></p>",
        "range.setStart(text('p'), 2); range.setEnd(text('b'), 2)",
        "ום עו",
    ),
    "empty article": ("", "range.selectNodeContents(document.body)", None),
}


@pytest.mark.parametrize(("html", "select", "expected"), SELECTIONS.values(), ids=SELECTIONS)
def test_selection(twin: Twin, html: str, select: str, expected: str | None) -> None:
    found = twin.page.evaluate(SELECT, [html, select])
    assert (found and found["text"]) == expected
    if found:
        assert found["again"] == found["offsets"]
        assert not found["code"]


CODE = "<p>a <code>b</code> c</p><pre>d</pre><p>e</p>"
CODE_SELECTIONS = {
    "beside code": ("range.setStart(text('p'), 0); range.setEnd(text('p'), 2)", False),
    "up to code": ("range.setStart(text('p'), 0); range.setEnd(text('code'), 0)", False),
    "code": ("range.selectNodeContents(root.querySelector('code'))", True),
    "across code": ("range.selectNodeContents(root.firstChild)", True),
    "triple click before pre": (
        "range.setStart(text('code').parentNode.nextSibling, 1);"
        "range.setEnd(root.querySelector('pre'), 0)",
        False,
    ),
    "pre": ("range.selectNode(root.querySelector('pre'))", True),
    "everything": ("range.selectNodeContents(root)", True),
    "after pre": ("range.selectNodeContents(root.lastChild)", False),
}


@pytest.mark.parametrize(("select", "expected"), CODE_SELECTIONS.values(), ids=CODE_SELECTIONS)
def test_touching_code(twin: Twin, select: str, expected: bool) -> None:
    assert twin.page.evaluate(SELECT, [CODE, select])["code"] is expected


# What segments hold is compared as a reader sees it: whitespace collapsed, newlines gone.
DRAW = """
([html, spans]) => {
  document.body.innerHTML = "";
  document.body.innerHTML = html;
  const map = NexusCanonical.canonicalize(document.body);
  return spans.map(([start, end]) => {
    const segments = NexusCanonical.offsetsToSegments(map, { start, end });
    const back = NexusCanonical.rangeToOffsets(
      map, NexusCanonical.offsetsToRange(map, { start, end }));
    return {
      drawn: segments.map(({ node, start, end }) => node.data.slice(start, end)),
      exact: NexusCanonical.textAt(map, { start, end }),
      back: [back.start, back.end],
    };
  });
}
"""


def random_spans(text: str, count: int, seed: int) -> list[tuple[int, int]]:
    """Spans that begin and end on something visible."""
    chance = random.Random(seed)
    visible = [index for index, character in enumerate(text) if character not in " \n"]
    pairs = [sorted(chance.choices(visible, k=2)) for _ in range(count)]
    return [(start, end + 1) for start, end in pairs]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_an_article_in_both_languages(twin: Twin, path: Path) -> None:
    html = sanitize_html(path.read_text(), "https://example.org/a/")
    text = canonicalize_article(html)
    reading = twin.read([html])[0]
    assert (reading.text, reading.as_part, reading.as_document) == (text, html, html)
    check_spans(twin, html, text)


def check_spans(twin: Twin, html: SanitizedHtml, text: str) -> None:
    spans = random_spans(text, 200, seed=7)
    answers: list[dict[str, Any]] = twin.page.evaluate(DRAW, [html, spans])
    for (start, end), answer in zip(spans, answers, strict=True):
        assert answer["exact"] == text[start:end]
        assert answer["back"] == [start, end]
        assert squeezed("".join(answer["drawn"])) == squeezed(text[start:end])


# Counts how often the tree and the texts in it are looked at, and the pieces of the map.
COUNT = """
(html) => {
  document.body.innerHTML = html;
  let looks = 0;
  const counted = [
    [Node.prototype, ["firstChild", "nextSibling", "parentNode"]],
    [CharacterData.prototype, ["data"]],
  ].flatMap(([prototype, names]) => names.map((name) => {
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    const get = function () { looks += 1; return found.get.call(this); };
    Object.defineProperty(prototype, name, { ...found, get });
    return [prototype, name, found];
  }));
  const map = NexusCanonical.canonicalize(document.body);
  for (const [prototype, name, found] of counted) Object.defineProperty(prototype, name, found);
  let reads = 0;
  const seen = { get(array, key) { reads += 1; return array[key]; } };
  const pieces = Object.entries(map.pieces).map(([name, part]) =>
    [name, typeof part === "number" ? part : new Proxy(part, seen)]);
  const observed = { ...map, pieces: Object.fromEntries(pieces) };
  const length = map.codePoints.length;
  let most = 0;
  for (let i = 0; i < 1000; i += 1) {
    const start = Math.floor(((length - 500) * i) / 1000);
    reads = 0;
    NexusCanonical.offsetsToSegments(observed, { start, end: start + 400 });
    most = Math.max(most, reads);
  }
  return { length, nodes: map.nodes.length, pieces: map.pieces.count, looks, most };
}
"""


def test_a_long_article_is_gone_through_once(twin: Twin) -> None:
    paragraph = "<p>" + "some <b>words</b> 😀 of <i>text</i> and  more " * 10 + "</p>"
    html = sanitize_html(paragraph * 1400, "https://example.org/")
    counted: dict[str, int] = twin.page.evaluate(COUNT, html)
    assert counted["length"] > 400_000
    assert counted["nodes"] > 50_000
    # A text costs a look at it and its next; an element one in, one out and one up.
    assert counted["looks"] < 5 * counted["nodes"]
    # A passage is found by halving, and so is each of its texts: a walk reads every piece.
    assert counted["pieces"] > 90_000
    assert counted["most"] < 2_000
