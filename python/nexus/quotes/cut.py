"""Quotes from which something was left out: "It began … and so it ended"."""

import re

from nexus.quotes.deciding import Search
from nexus.quotes.document import Document
from nexus.quotes.folding import fold
from nexus.quotes.records import Match, Quote, Range

_OMISSION = re.compile(r"\s*(?:[\[(]\s*(?:…|\.{3})\s*[\])]|…|\.{3,})\s*")
_SHORTEST_PART = 12
_MAX_OMITTED = 2_000


def find_cut(document: Document, quote: Quote) -> Match | None:
    """From the beginning to the end of such a quote, if both are there and not far apart."""
    parts = [part for part in _OMISSION.split(quote.text) if part]
    if len(parts) < 2 or any(len(fold(part)) < _SHORTEST_PART for part in (parts[0], parts[-1])):
        return None
    head = Search(document, Quote(parts[0], prefix=quote.prefix)).choose()
    if head is None:
        return None
    following = Range(head.fragment, head.end, head.end + _MAX_OMITTED)
    tail = Search(document, Quote(parts[-1], suffix=quote.suffix)).choose([following])
    if tail is None or tail.fragment != head.fragment:
        return None
    if not following.start <= tail.start < following.end:
        return None
    return Match(head.fragment, head.start, tail.end, "approximate")
