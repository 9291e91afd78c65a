"""Where highlights from elsewhere belong in the text of an item. Needs no database, but time."""

import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from nexus.quotes import Document, Match, Quote, Range, Search
from nexus.quotes.cut import find_cut

Place = tuple[int, int]
"""Index of a fragment, and an offset in it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A quote and what its source says about its place."""

    id: UUID
    quote: Quote
    position: int | None = None
    page: str | None = None
    exact: Range | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an item, its pages, and which positions of the source are known to be where."""

    fragments: Sequence[str]
    pages: Sequence[Mapping[str, Any]] = ()
    known: Mapping[int, Place] = field(default_factory=dict)


def search(
    text: Text, wanted: Iterable[Wanted], *, seconds: float = float("inf")
) -> dict[UUID, Match | None]:
    """The place of each, or None. What is not reached in time is not in the result."""
    found: dict[UUID, Match | None] = {}
    undecided: list[tuple[Wanted, Search]] = []
    known = dict(text.known)
    document, deadline = None, 0.0
    for one in wanted:
        match = _given(text, one)
        if match is None:
            if document is None:
                document = Document(text.fragments)
                deadline = time.monotonic() + seconds
            elif time.monotonic() > deadline:
                break
            places = Search(document, one.quote)
            match = places.choose(_on_page(text, one.page)) or find_cut(document, one.quote)
            if match is None and one.position is not None:
                undecided.append((one, places))
        found[one.id] = match
        if match is not None and one.position is not None:
            known[one.position] = match.fragment, match.start
    for one, places in undecided:
        found[one.id] = places.choose(_between(text, known, one.position or 0))
    return found


def _given(text: Text, one: Wanted) -> Match | None:
    """The place that our own archive names, if the text is the same."""
    if one.exact is None or not 0 <= one.exact.fragment < len(text.fragments):
        return None
    fragment, start, end = one.exact
    if not 0 <= start < end or text.fragments[fragment][start:end] != one.quote.text:
        return None
    return Match(fragment, start, end, "exact")


def _on_page(text: Text, label: str | None) -> list[Range]:
    """The pages that are called so."""
    if label is None:
        return []
    starts = sorted((page["fragment_idx"], page["offset"]) for page in text.pages)
    ranges = []
    for page in text.pages:
        if page["label"].strip().casefold() == label.strip().casefold():
            start = (page["fragment_idx"], page["offset"])
            after = bisect_left(starts, (start[0], start[1] + 1))
            end = starts[after] if after < len(starts) else _end(text)
            ranges += _ranges(text, start, end)
    return ranges


def _between(text: Text, known: Mapping[int, Place], position: int) -> list[Range]:
    """From the last highlight before this position to the first one after it."""
    positions = sorted(known)
    at = bisect_left(positions, position)
    before = known[positions[at - 1]] if at else (0, 0)
    end = known[positions[at]] if at < len(positions) else _end(text)
    return _ranges(text, before, end)


def _ranges(text: Text, start: Place, end: Place) -> list[Range]:
    """From one place to another, through all fragments between them."""
    ranges = []
    for fragment in range(start[0], min(end[0], len(text.fragments) - 1) + 1):
        first = start[1] if fragment == start[0] else 0
        last = end[1] if fragment == end[0] else len(text.fragments[fragment])
        if first < last:
            ranges.append(Range(fragment, first, last))
    return ranges


def _end(text: Text) -> Place:
    last = len(text.fragments) - 1
    return last, len(text.fragments[last]) if text.fragments else 0
