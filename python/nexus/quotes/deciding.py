"""Which of the places a quote may be at is the one, if that is sure."""

from collections.abc import Sequence

from nexus.quotes.candidates import SHORTEST_WITH_ERRORS, Candidate, Pattern, candidates
from nexus.quotes.distance import distance
from nexus.quotes.document import Document
from nexus.quotes.edges import exact_span
from nexus.quotes.records import How, Match, Quote, Range
from nexus.quotes.surface import surface

_SHORTEST_ALONE = 10
# In more letters than this, more quotes that are not there are nearly there.
_LONG_DOCUMENT = 100_000
_MAX_SURFACE = 2_000


class Search:
    """The places of one quote in a document, from which to choose now or when more is known."""

    def __init__(self, document: Document, quote: Quote) -> None:
        self._document = document
        self._pattern = Pattern(quote)
        found = candidates(document, quote)
        self._ranked = sorted((self._cost(one), one.start, one.end, one) for one in found)

    def choose(self, likely: Sequence[Range] = ()) -> Match | None:
        """The place, if one is good enough and clearly the best, or the only good one of these."""
        if not self._pattern.text:
            return self._only_signs()
        good = [(cost, one) for cost, *_, one in self._ranked if self._is_good(one)]
        if not good:
            return None
        cost, best = good[0]
        rivals = [one for other, *_, one in self._ranked if other - cost < self._margin(best)]
        rivals = [one for one in rivals if one is best or not _same_place(one, best)]
        if len(rivals) > 1:
            there = [one for one in rivals if self._is_in(one, likely) and self._is_good(one)]
            if len(there) != 1:
                return None
            best = there[0]
        return self._match(best)

    def _only_signs(self) -> Match | None:
        """A quote without a letter has nothing to compare but itself."""
        quote = self._pattern.quote.text.strip()
        found = [
            (number, text.find(quote))
            for number, text in enumerate(self._document.fragments)
            if quote and quote in text
        ]
        if len(found) != 1:
            return None
        fragment, start = found[0]
        if self._document.fragments[fragment].find(quote, start + 1) >= 0:
            return None
        return Match(fragment, start, start + len(quote), "exact")

    def _cost(self, one: Candidate) -> float:
        pattern = self._pattern
        context = min(one.before, 0.6 * len(pattern.prefix)) + min(
            one.after, 0.6 * len(pattern.suffix)
        )
        return one.errors + 0.5 * context + 0.5 * max(0, self._unlike(one) - one.errors)

    def _unlike(self, one: Candidate) -> int:
        """How much it differs to the eye."""
        if len(self._pattern.quote.text) > _MAX_SURFACE:
            return one.errors
        place = self._document.source(one.start, one.end)
        found = self._document.fragments[place.fragment][place.start : place.end]
        quote = self._pattern.quote.text
        return min(4 + one.errors, distance(surface(quote), surface(found)))

    def _context_fits(self, one: Candidate) -> bool:
        return 5 * (one.before + one.after) < 2 * self._pattern.context

    def _is_good(self, one: Candidate) -> bool:
        """Whether the quote may be there at all, however it looks elsewhere."""
        length, context = len(self._pattern.text), self._pattern.context
        fits = context >= 12 and self._context_fits(one)
        if fits:
            return one.errors <= max(length * 3 // 10, min(2, length // 3))
        if one.errors == 0:
            return length >= _SHORTEST_ALONE or context < 12
        if length < SHORTEST_WITH_ERRORS:
            return False
        step = 5 if len(self._document.text) < _LONG_DOCUMENT else 6
        return one.errors <= min((length - 6) // step, length // 5)

    def _margin(self, best: Candidate) -> float:
        """How much worse all others must be."""
        if best.errors == 0 and self._unlike(best) == 0:
            return 1.0
        return max(2.0, 0.25 * best.errors)

    def _is_in(self, one: Candidate, likely: Sequence[Range]) -> bool:
        place = self._document.source(one.start, one.end)
        return any(
            place.fragment == part.fragment and part.start <= place.start < part.end
            for part in likely
        )

    def _match(self, one: Candidate) -> Match:
        place = exact_span(self._document, self._pattern, one)
        text = self._document.fragments[place.fragment][place.start : place.end]
        how: How = "approximate" if one.errors else "normalised"
        if text == self._pattern.quote.text.strip():
            how = "exact"
        return Match(*place, how)


def _same_place(one: Candidate, other: Candidate) -> bool:
    """Two ways to see one place, with other ends."""
    length = other.end - other.start
    reach = min(2 + min(one.errors, other.errors), length // 3)
    return abs(one.start - other.start) <= reach or abs(one.end - other.end) <= reach
