"""Canonical text: the plain text that highlight offsets count in, one rule for server and browser.

Over the tree an HTML5 parser builds from sanitized HTML:

1. Text nodes are taken in document order, each in Unicode NFC. Those inside `script`, `style`,
   `mphantom`, `hidden` or `aria-hidden="true"` are left out.
2. Every character of `WHITESPACE` is a space; runs of spaces are one space, across nodes too.
3. Each start and each end of a block element is a newline, and so is each `br`.
4. In formulas a space stands around and between the parts of the elements in `SPACED`, so that a
   half is `1 2` and a matrix is not one long number.
5. Spaces at the edges of lines go; three or more newlines are two; the whole is trimmed.

The map says which code points `[start, end)` of the text each text node gave, in document order:

- Newlines belong to no node, and neither does a space of rule 4.
- A space made of whitespace from several nodes belongs to the first of them.
- A node that gave nothing has start = end = the end of the last node before it that gave
  something, or 0.

`apps/web/src/canonical` is the twin of this module; `canonical/cases.json` binds the two.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import normalize

from selectolax.lexbor import LexborNode

from nexus.html.sanitize import SanitizedHtml
from nexus.html.source import parse_html
from nexus.html.tags import names
from nexus.html.text import ANCHOR, HEADING, HEADING_END, WHITESPACE

BLOCKS = names(
    "p li ul ol h1 h2 h3 h4 h5 h6 blockquote pre div section article header footer nav aside"
    " table thead tbody tr th td hr figure figcaption dl dt dd caption tfoot details summary"
)
SPACED = names("mfrac mroot munder munderover mtable mtr")
_SKIPPED = names("script style mphantom")
# Every run but a single space, which is most of them and stays as it is.
_UNCOLLAPSED = re.compile(f"[{WHITESPACE.replace(' ', '')}][{WHITESPACE}]*| [{WHITESPACE}]+")


_MARK = re.compile(f"([{ANCHOR}{HEADING}{HEADING_END}])")


class EmptyArticleError(ValueError):
    """There is nothing to read: the canonical text is empty."""


@dataclass(frozen=True, slots=True)
class CanonicalMap:
    """Canonical text, and the range of it that came from each text node."""

    text: str
    nodes: list[tuple[int, int]]


def canonicalize(html: SanitizedHtml) -> str:
    """Return the canonical text of sanitized HTML; it may be empty."""
    builder = _Builder()
    _read(html, builder, builder.text_node)
    return builder.text()


def canonicalize_article(html: SanitizedHtml) -> str:
    """Return the canonical text, or raise EmptyArticleError if there is none."""
    text = canonicalize(html)
    if not text:
        raise EmptyArticleError("No article text was found on the page.")
    return text


def canonical_map(html: SanitizedHtml) -> CanonicalMap:
    """Return the canonical text and where each text node is in it."""
    builder = _Builder()
    _read(html, builder, builder.text_node)
    return builder.result()


def text_with_marks(html: str) -> tuple[str, list[tuple[str, int]]]:
    """The canonical text of HTML with marks in it, and where each is: at the end of what is before.

    The text is the same as without the marks.
    """
    builder = _Builder()
    marks: list[tuple[str, int]] = []

    def text_node(text: str) -> None:
        for piece in _MARK.split(text):
            if _MARK.match(piece):
                marks.append((piece, builder.length))
            elif piece:
                builder.text_node(piece)

    _read(html, builder, text_node)
    return builder.text(), marks


def start_of_text(text: str, offset: int) -> int:
    """The first character of text at or after an offset; the last one where none comes."""
    while offset < len(text) and text[offset] in " \n":
        offset += 1
    return offset if offset < len(text) else max(0, len(text) - 1)


# Elements by what their edges mean.
_PLAIN, _BLOCK, _SPACED = range(3)
_KINDS = dict.fromkeys(BLOCKS, _BLOCK) | dict.fromkeys(SPACED, _SPACED)


def _read(html: str, builder: "_Builder", text_node: Callable[[str], None]) -> None:
    """Walk the tree in document order: each text node, and the breaks between."""
    body = parse_html(html)
    if body is None:
        return
    hidden = _hidden(body)
    line_break, gap = builder.line_break, builder.gap
    # Each entry is an element being walked, its kind and the kind of its parent.
    open_elements: list[tuple[LexborNode, int, int]] = []
    parent_kind = _PLAIN
    node = body.child
    while node is not None or open_elements:
        if node is None:
            node, kind, parent_kind = open_elements.pop()
            if kind:
                (line_break if kind == _BLOCK else gap)()
        else:
            tag = node.tag
            if tag == "-text":
                text_node(node.text_content or "")
            elif tag == "br":
                if node.mem_id not in hidden:
                    line_break()
            elif tag not in _SKIPPED and not (hidden and node.mem_id in hidden):
                kind = _KINDS.get(tag or "", _PLAIN)
                if kind == _BLOCK:
                    line_break()
                elif parent_kind == _SPACED:
                    gap()
                open_elements.append((node, kind, parent_kind))
                parent_kind = kind
                node = node.child
                continue
        node = node.next


def _hidden(body: LexborNode) -> set[int]:
    return {
        node.mem_id
        for node in body.css("[hidden],[aria-hidden]")
        if "hidden" in node.attributes or _is_true(node.attributes.get("aria-hidden"))
    }


def _is_true(value: str | None) -> bool:
    return value is not None and value.strip(" \t\n\f\r").lower() == "true"


_NOBODY = -1  # there is no space
_FORMULA = -2  # a space that belongs to no node


class _Builder:
    """Joins text nodes and newlines; a space or newline is written when something follows it."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.length = 0
        self._newlines = 0
        self._space_from = _NOBODY  # the node a space not written yet belongs to
        self._starts: list[int] = []
        self._ends: list[int] = []

    def line_break(self) -> None:
        self._newlines += 1
        self._space_from = _NOBODY

    def gap(self) -> None:
        self._note_space(_FORMULA)

    def text_node(self, text: str) -> None:
        index = len(self._starts)
        self._starts.append(-1)
        self._ends.append(-1)
        words = text if text.isascii() else normalize("NFC", text)
        # All whitespace but the space itself is unprintable.
        if "  " in words or not words.isprintable():
            words = _UNCOLLAPSED.sub(" ", words)
        if words.startswith(" "):
            self._note_space(index)
            words = words[1:]
        if not words:
            return
        self._write_separator()
        if words.endswith(" "):
            words = words[:-1]
            self._space_from = index
        self._give(index, words)

    def _note_space(self, index: int) -> None:
        if self._space_from == _NOBODY and not self._newlines and self.length:
            self._space_from = index

    def _write_separator(self) -> None:
        if self._newlines and self.length:
            self._parts.append("\n" if self._newlines == 1 else "\n\n")
            self.length += len(self._parts[-1])
        elif self._space_from == _FORMULA:
            self._parts.append(" ")
            self.length += 1
        elif self._space_from != _NOBODY:
            self._give(self._space_from, " ")
        self._newlines = 0
        self._space_from = _NOBODY

    def _give(self, index: int, text: str) -> None:
        self._parts.append(text)
        if self._starts[index] < 0:
            self._starts[index] = self.length
        self.length += len(text)
        self._ends[index] = self.length

    def result(self) -> CanonicalMap:
        nodes: list[tuple[int, int]] = []
        last_end = 0
        for start, end in zip(self._starts, self._ends, strict=True):
            nodes.append((start, end) if start >= 0 else (last_end, last_end))
            last_end = max(last_end, end)
        return CanonicalMap(self.text(), nodes)

    def text(self) -> str:
        return "".join(self._parts)
