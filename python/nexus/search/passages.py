"""A text in pieces that a `tsvector` can hold, each large enough for most articles."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from nexus.search.vectors import MAX_POSITION
from nexus.search.words import Spelling, spellings

HEAD_POSITIONS = 1_000
"""Kept free before the text of a passage for what the document is called."""
MAX_LENGTH = 16_000
MAX_WORDS = MAX_POSITION - HEAD_POSITIONS - 1
# A phrase over the end of a passage is whole in the next one.
OVERLAP = 300


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text in code points, with its words."""

    start: int
    end: int
    words: list[Spelling]


def passages(text: str) -> Iterator[Passage]:
    """The pieces of a text, in order. A text without words has none."""
    if len(text) <= MAX_LENGTH:
        found = list(spellings(text))
        if len(found) <= MAX_WORDS:
            # Most articles are one piece, and need not be watched word by word.
            if found:
                yield Passage(found[0][1], found[-1][2], [word for word, _, _ in found])
            return
    words: list[Spelling] = []
    starts: list[int] = []
    last = 0
    for word, start, end in spellings(text):
        if words and (end - starts[0] > MAX_LENGTH or len(words) >= MAX_WORDS):
            yield Passage(starts[0], last, words)
            kept = bisect_left(starts, start - OVERLAP)
            words, starts = words[kept:], starts[kept:]
        words.append(word)
        starts.append(start)
        last = end
    if words:
        yield Passage(starts[0], last, words)
