"""A text in pieces that a `tsvector` can hold, each large enough for most articles."""

from collections.abc import Iterator
from dataclasses import dataclass

from nexus.search.vectors import MAX_POSITION
from nexus.search.words import Word, iter_words

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
    words: list[Word]


def passages(text: str) -> Iterator[Passage]:
    """The pieces of a text, in order. A text without words has none."""
    found: list[Word] = []
    for word in iter_words(text):
        if found and (word.end - found[0].start > MAX_LENGTH or len(found) >= MAX_WORDS):
            yield Passage(found[0].start, found[-1].end, found)
            found = _before(word, found)
        found.append(word)
    if found:
        yield Passage(found[0].start, found[-1].end, found)


def _before(word: Word, words: list[Word]) -> list[Word]:
    """Those just before a word."""
    first = len(words)
    while first and words[first - 1].start >= word.start - OVERLAP:
        first -= 1
    return words[first:]
