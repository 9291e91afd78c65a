"""A document made ready for looking up many quotes in it."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from nexus.quotes.distance import image
from nexus.quotes.folding import Folded
from nexus.quotes.records import Range

# Nothing folds to this, so no quote goes from one fragment to the next unnoticed.
_BETWEEN = "\0"


class Document:
    """Fragments, folded and joined. Spans in `text` and `image` are of the whole document."""

    def __init__(self, fragments: Sequence[str]) -> None:
        self.fragments = fragments
        self._folded = [Folded(fragment) for fragment in fragments]
        self.text = _BETWEEN.join(folded.text for folded in self._folded)
        self.image = image(self.text)
        lengths = (len(folded.text) + 1 for folded in self._folded)
        self._starts = list(accumulate(lengths, initial=0))

    def fragment_at(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def within(self, start: int, end: int) -> bool:
        """Whether the span has characters, all of them of one fragment."""
        if not 0 <= start < end <= len(self.text):
            return False
        fragment = self.fragment_at(start)
        return end < self._starts[fragment + 1]

    def bounds(self, place: int) -> tuple[int, int]:
        """Where the fragment begins and ends that this place is in."""
        fragment = self.fragment_at(place)
        return self._starts[fragment], self._starts[fragment + 1] - 1

    def source(self, start: int, end: int) -> Range:
        """Where a span inside one fragment comes from."""
        fragment = self.fragment_at(start)
        first = self._starts[fragment]
        return Range(fragment, *self._folded[fragment].span(start - first, end - first))
