"""Reads untrusted HTML into a tree, with the limits that keep a hostile page from costing more
than a large honest one.

An HTML5 parser is quadratic in three places: it searches the whole stack of open elements for each
block, it copies every open formatting element into each new paragraph, and it compares each
attribute of an element with all before it. All are bounded here, before parsing: tags beyond a
depth that no honest page reaches are removed (browsers themselves stop nesting at 512), and a page
with more attributes on one element than anybody writes is refused.
"""

import re
from dataclasses import dataclass
from itertools import starmap

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nexus.html.tags import names

MAX_CHARACTERS = 10_000_000
MAX_TAGS = 250_000


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """How large one file may be, before and after it is cleaned."""

    characters: int = MAX_CHARACTERS
    tags: int = MAX_TAGS


OF_A_PAGE = SizeLimits()
# This few tags cannot cost much however they nest, and most pages have fewer.
HARMLESS_TAGS = 1000
MAX_ATTRIBUTES = 256
MAX_DEPTH = 512
MAX_FORMATTING_DEPTH = 10

_FORMATTING = names("b big code em font i nobr s small strike strong tt u")
_LEAVES_NO_EDGE = _FORMATTING | {"span"}
# `a` closes the one before it; the others end by themselves or have no content.
_NEVER_DEEP = (
    "a|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|caption|colgroup|col|rb|rt|rp|rtc"
    "|html|head|body|area|base|br|embed|hr|img|input|link|meta|param|source|track|wbr"
)
_NESTING_TAG = re.compile(rf"<(/?)(?!(?:{_NEVER_DEEP})[\s/>])([a-z][^\s/>]*)[^>]*>?", re.I)
# Comments, declarations and scripts would be dropped anyway; in here they could hide tags.
_NOT_ELEMENTS = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<[?!][^>]*>?|<(script|style)[\s>].*?(?:</\1[^>]*>?|\Z)",
    re.I | re.S,
)
# A tag ends at the first ">" at the earliest, so no tag that a parser sees begins inside a match.
# The lookahead reads on as the parser would, quotes and all, until there are too many attributes.
_ATTRIBUTE = (
    r"[\s/]*+[^\s/>][^\s/>=]*+"
    r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
)
_OVERLOADED_TAG = re.compile(
    rf"<[a-z](?:(?=[^\s/>]*+(?:{_ATTRIBUTE}){{{MAX_ATTRIBUTES + 1}}})()|)[^>]*+>?", re.I
)

# A doctype keeps the parser out of quirks mode, and an open body takes fragments and whole
# documents alike.
_PROLOGUE = "<!DOCTYPE html><body>"


class SanitizationError(ValueError):
    """The page cannot be turned into safe HTML; the message says why, for a person."""


def check_size(html: str, limits: SizeLimits = OF_A_PAGE) -> None:
    """Raise SanitizationError for a page that is too large to read or store."""
    if len(html) > limits.characters:
        raise SanitizationError(
            f"The page is too large: {len(html):,} characters, "
            f"at most {limits.characters:,} are kept."
        )
    tags = html.count("<")
    if tags > limits.tags:
        raise SanitizationError(
            f"The page has too many elements: {tags:,} tags, at most {limits.tags:,} are kept."
        )


def parse_html(html: str) -> LexborNode | None:
    """Return the body of the HTML5 tree of `html`, a fragment or a whole document."""
    return LexborHTMLParser(_PROLOGUE + html).body


def parse_untrusted_html(html: str, limits: SizeLimits = OF_A_PAGE) -> LexborNode | None:
    """Like `parse_html`, for a page from anywhere: size and nesting are bounded."""
    check_size(html, limits)
    if _has_overloaded_tag(html):
        html = _NOT_ELEMENTS.sub("", html)  # a script can look like one
        if _has_overloaded_tag(html):
            raise SanitizationError(
                f"An element of the page has more than {MAX_ATTRIBUTES} attributes."
            )
    if html.count("<") > HARMLESS_TAGS:
        html = _bounded(html)
    return parse_html(_without_lone_surrogates(html))


def _has_overloaded_tag(html: str) -> bool:
    return any(tag.lastindex for tag in _OVERLOADED_TAG.finditer(html))


def _without_lone_surrogates(html: str) -> str:
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return html


def _bounded(html: str) -> str:
    html = _NOT_ELEMENTS.sub("", html)
    if not any(starmap(_Nesting().is_beyond, _NESTING_TAG.findall(html))):
        return html  # as nearly every page, and looking costs half of cutting
    return _NESTING_TAG.sub(_Nesting().keep_or_cut, html)


class _Nesting:
    """Follows the open tags of a page and cuts those beyond the limits.

    An end tag counts only if it closes the tag opened last, which is so in everything a browser
    serializes. On other pages the depth is overestimated, never underestimated.
    """

    def __init__(self) -> None:
        self._open: list[str] = []
        self._formatting = 0

    def keep_or_cut(self, match: re.Match[str]) -> str:
        closing, tag = match.groups()
        if not self.is_beyond(closing, tag):
            return match[0]
        # A paragraph mark replaces the tag, so that the words on either side stay apart.
        return "" if tag.lower() in _LEAVES_NO_EDGE else "<p>"

    def is_beyond(self, closing: str, tag: str) -> bool:
        """Follow one more tag, and tell whether it is to be cut."""
        tag = tag.lower()
        if closing and (not self._open or self._open[-1] != tag):
            return False
        is_formatting = tag in _FORMATTING
        if closing:
            self._open.pop()
            self._formatting -= is_formatting
        beyond = len(self._open) >= MAX_DEPTH or (
            is_formatting and self._formatting >= MAX_FORMATTING_DEPTH
        )
        if not closing:
            self._open.append(tag)
            self._formatting += is_formatting
        return beyond
