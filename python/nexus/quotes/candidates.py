"""Places where a quote may be, best first."""

from collections.abc import Iterator
from dataclasses import dataclass

from nexus.quotes.distance import Location, alignment, beginning, distance, image, places
from nexus.quotes.document import Document
from nexus.quotes.folding import fold
from nexus.quotes.records import Quote

SHORTEST_WITH_ERRORS = 12
"""Shorter ones are in every text, if some letters may differ."""

# More than this of a quote is not compared letter by letter with the whole document.
_MAX_PATTERN = 500
_PROBE = 250
# Longer ones are found only without errors: comparing them would take too long.
_MAX_COMPARED = 20_000
_MAX_OCCURRENCES = 20_000
_MAX_PLACES = 200
_ROUNDS = 4
# Of the context, what is next to the quote says most.
_MAX_CONTEXT = 64


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of the folded document, and how well it fits: errors in the quote and around it."""

    start: int
    end: int
    errors: int
    before: int
    after: int


class Pattern:
    """A quote, folded as the document is."""

    def __init__(self, quote: Quote) -> None:
        self.quote = quote
        self.text = fold(quote.text)
        self.prefix = fold(quote.prefix)[-_MAX_CONTEXT:]
        self.suffix = fold(quote.suffix)[:_MAX_CONTEXT]
        self.context = len(self.prefix) + len(self.suffix)

    def measure(self, document: Document, start: int, end: int, errors: int) -> Candidate:
        """How well the quote fits there, its context included."""
        first, last = document.bounds(start)
        before = document.text[max(first, start - 2 * len(self.prefix)) : start]
        after = document.text[end : min(last, end + 2 * len(self.suffix))]
        return Candidate(
            start,
            end,
            errors,
            beginning(self.prefix[::-1], before[::-1]),
            beginning(self.suffix, after),
        )

    def most_errors(self) -> int:
        """No place with more is worth looking at, whatever stands around it."""
        return len(self.text) * 3 // 10


def candidates(document: Document, quote: Quote) -> list[Candidate]:
    """All places that a quote may be at; among them those that are nearly as good as the best."""
    pattern = Pattern(quote)
    if not pattern.text:
        return []
    found = {(one.start, one.end): one for one in _exact(document, pattern) if _fits(document, one)}
    if not _is_settled(pattern, list(found.values())):
        for one in (*_approximate(document, pattern), *_in_context(document, pattern)):
            if _fits(document, one):
                found.setdefault((one.start, one.end), one)
    return list(found.values())


def _fits(document: Document, one: Candidate) -> bool:
    return document.within(one.start, one.end)


def _is_settled(pattern: Pattern, exact: list[Candidate]) -> bool:
    """Whether what is there without errors is all that need be looked at."""
    if not pattern.context:
        return bool(exact)
    return any(2 * (one.before + one.after) < pattern.context for one in exact)


def _exact(document: Document, pattern: Pattern) -> Iterator[Candidate]:
    text = pattern.text
    if document.text.count(text) > _MAX_OCCURRENCES:
        return
    start = document.text.find(text)
    while start >= 0:
        yield pattern.measure(document, start, start + len(text), 0)
        start = document.text.find(text, start + 1)


def _approximate(document: Document, pattern: Pattern) -> Iterator[Candidate]:
    """By the quote alone: the best places, and those that are nearly as good."""
    if not SHORTEST_WITH_ERRORS <= len(pattern.text) <= _MAX_COMPARED:
        return
    if len(pattern.text) > _MAX_PATTERN:
        yield from _long(document, pattern)
        return
    text, wanted, at_most = document.image, image(pattern.text), pattern.most_errors()
    for _ in range(_ROUNDS):
        errors, found = places(wanted, text, at_most=at_most)
        if not found:
            return
        at_most = min(at_most, errors + max(3, len(pattern.text) // 10))
        for place in _distinct(found):
            for start, end in (place, *_overlapping(document, wanted, place, at_most)):
                if document.within(start, end):
                    really = distance(pattern.text, document.text[start:end])
                    yield pattern.measure(document, start, end, really)
        text = _without(text, found, wanted)


def _overlapping(
    document: Document, wanted: bytes, place: Location, at_most: int
) -> Iterator[Location]:
    """In a text that repeats itself, the quote may be there a little earlier or later as well."""
    (start, end), length = place, len(wanted)
    step = min(length // 2, at_most + 2)
    around = slice(max(0, start - length), end - step), slice(start + step, end + length)
    for part in around:
        _, found = places(wanted, document.image[part], at_most=at_most)
        for first, last in _distinct(found):
            yield part.start + first, part.start + last


def _in_context(document: Document, pattern: Pattern) -> Iterator[Candidate]:
    """By the quote and what stands around it."""
    whole = pattern.prefix + pattern.text[:_MAX_PATTERN] + pattern.suffix
    if pattern.context < 16 or len(pattern.text) > _MAX_PATTERN:
        return
    _, found = places(image(whole), document.image, at_most=len(whole) * 3 // 10)
    for start, end in _distinct(found):
        if not document.within(start, end):
            continue
        aligned = alignment(whole, document.text[start:end])
        first = start + aligned[len(pattern.prefix)]
        last = start + aligned[len(pattern.prefix) + len(pattern.text)]
        if first < last:
            errors = distance(pattern.text, document.text[first:last])
            yield pattern.measure(document, first, last, errors)


def _long(document: Document, pattern: Pattern) -> Iterator[Candidate]:
    """By beginning and end of a long quote, then as a whole around there."""
    text, length, at_most = pattern.text, len(pattern.text), pattern.most_errors()
    wanted = image(text)
    seen: list[int] = []
    for probe, ahead in ((text[:_PROBE], 0), (text[-_PROBE:], length - _PROBE)):
        _, found = places(image(probe), document.image, at_most=_PROBE * 3 // 10)
        for start, _ in _distinct(found):
            first = max(0, start - ahead - at_most)
            if any(abs(first - other) < length // 2 for other in seen):
                continue
            seen.append(first)
            window = document.image[first : start - ahead + length + at_most]
            _, inside = places(wanted, window, at_most=at_most)
            for begin, end in _distinct(inside):
                span = (first + begin, first + end)
                errors = distance(text, document.text[slice(*span)])
                yield pattern.measure(document, *span, errors)


def _distinct(found: list[Location]) -> list[Location]:
    """Of places that differ by a letter or two only one, the middle one."""
    groups: list[list[Location]] = []
    for start, end in sorted(found, key=lambda place: place[1])[:_MAX_PLACES]:
        if groups and end - groups[-1][-1][1] <= 2:
            groups[-1].append((start, end))
        else:
            groups.append([(start, end)])
    return [group[len(group) // 2] for group in groups]


def _without(text: bytes, found: list[Location], wanted: bytes) -> bytes:
    """The text with something else at these places."""
    blank = bytes({*range(256)} - {*wanted})[:1] or b"\0"
    left = bytearray(text)
    for start, end in found:
        left[start:end] = blank * (end - start)
    return bytes(left)
