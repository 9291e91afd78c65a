"""Where the words of a query are in a text."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from nexus.search.words import MAX_WORD, Word, fold, split_words

CLUSTER = 200
"""Hits further apart than so many code points are not one passage."""
_AROUND = 160
_MOST_FOUND = 200
_ENDING = 3
"""Letters at the end of a stem that its words may spell differently, as "fli" is from "fly"."""
_ASCII_WORD = re.compile("[a-z0-9]*")
# Alphabets whose letters have accents that are dropped.
_ACCENTED = ((0xC0, 0x24F), (0x386, 0x3FF), (0x400, 0x4FF), (0x1E00, 0x1FFF))


class Wanted(NamedTuple):
    """One word of a query, by the lexemes it is found by."""

    lexemes: frozenset[str]
    prefix: str | None = None


class Hit(NamedTuple):
    start: int
    end: int
    number: int
    """Of the word of the query."""


@dataclass(frozen=True)
class Matcher:
    """Finds the words of a query in texts."""

    wanted: Sequence[Wanted]

    def words_near(self, text: str) -> list[Word]:
        """The words that may match around the place where most of the query seems to be.

        Found quickly, by how the words begin: to split a long text into words takes its time.
        """
        place = densest(sorted(self._beginnings(text)))
        if not place:
            return []
        start = max(0, place[0].start - _AROUND)
        end = min(len(text), place[-1].end + _AROUND)
        # What the edges cut through is not a word.
        return [
            word._replace(start=word.start + start, end=word.end + start)
            for word in self.words_alike(text[start:end])
            if (word.start > 0 or start == 0) and (word.end < end - start or end == len(text))
        ]

    def words_alike(self, text: str) -> Iterator[Word]:
        """The words that begin like one that is wanted: most forms differ in endings alone."""
        if not text.isascii():
            yield from (word for word in split_words(text) if word.text.startswith(self._starts))
            return
        # The same words, without splitting off all others.
        lowered = text.lower()
        for start, end in sorted(self._ascii_words(lowered)):
            folded = lowered[start:end][:MAX_WORD]
            yield Word(folded, folded, start, end)

    def is_wanted(self, word: Word) -> bool:
        """Whether the word itself is wanted, whatever its stems are."""
        return word.text in self._numbers

    def hits(self, words: Iterable[Word], lexemes: Mapping[str, Sequence[str]]) -> list[Hit]:
        """The words that are wanted, in order. `lexemes` are those of their forms, if any."""
        return [
            Hit(word.start, word.end, number)
            for word in words
            if (number := self._number(word, lexemes)) is not None
        ]

    def _number(self, word: Word, lexemes: Mapping[str, Sequence[str]]) -> int | None:
        for lexeme in (word.text, *lexemes.get(word.form or "", ())):
            if lexeme in self._numbers:
                return self._numbers[lexeme]
        for number, wanted in enumerate(self.wanted):
            if wanted.prefix is not None and word.text.startswith(wanted.prefix):
                return number
        return None

    @cached_property
    def _numbers(self) -> dict[str, int]:
        pairs = [(lexeme, at) for at, wanted in enumerate(self.wanted) for lexeme in wanted.lexemes]
        return dict(reversed(pairs))

    @cached_property
    def _starts(self) -> tuple[str, ...]:
        """How words begin that may match."""
        starts = {wanted.prefix for wanted in self.wanted if wanted.prefix is not None}
        starts |= {lexeme[: max(2, len(lexeme) - _ENDING)] for lexeme in self._numbers}
        return tuple(_shortest(starts))

    def _ascii_words(self, text: str) -> Iterator[tuple[int, int]]:
        # A pattern made for each query would take longer to compile than to use.
        for beginning in self._starts:
            start = text.find(beginning)
            while start >= 0:
                if start == 0 or not text[start - 1].isalnum():
                    word = _ASCII_WORD.match(text, start)
                    assert word is not None
                    yield word.span()
                start = text.find(beginning, start + 1)

    @cached_property
    def _roots(self) -> list[tuple[int, str]]:
        """What the lexemes of each word begin with: of two with one beginning, the shorter."""
        return [
            (number, lexeme)
            for number, wanted in enumerate(self.wanted)
            for lexeme in _shortest(wanted.lexemes)
        ]

    def _beginnings(self, text: str) -> Iterator[Hit]:
        """Where the words seem to begin."""
        spelled = (text if text.isascii() else text.translate(_plain_letters())).lower()
        if len(spelled) != len(text):
            return  # rare letters that are two in lower case
        for number, root in self._roots:
            spaced = root.isascii()
            found = spelled.find(root)
            for _ in range(_MOST_FOUND):
                if found < 0:
                    break
                if not spaced or found == 0 or not spelled[found - 1].isalnum():
                    yield Hit(found, found + len(root), number)
                found = spelled.find(root, found + 1)


def _shortest(beginnings: AbstractSet[str]) -> list[str]:
    """Those that find what the others find, too."""
    return [
        each
        for each in beginnings
        if not any(each != other and each.startswith(other) for other in beginnings)
    ]


def densest(hits: Sequence[Hit]) -> list[Hit]:
    """The hits close together that are of most different words; of these, the shortest passage."""
    best, best_key = slice(0, 0), (0, 0)
    counts: dict[int, int] = {}
    first = 0
    for last, hit in enumerate(hits):
        counts[hit.number] = counts.get(hit.number, 0) + 1
        while first < last and (
            hit.end - hits[first].start > CLUSTER or counts[hits[first].number] > 1
        ):
            number = hits[first].number
            counts[number] -= 1
            if not counts[number]:
                del counts[number]
            first += 1
        key = (len(counts), hits[first].start - hit.end)
        if not best.stop or key > best_key:
            best, best_key = slice(first, last + 1), key
    return list(hits[best])


def merged(hits: Iterable[Hit]) -> Iterator[tuple[int, int]]:
    """The ranges of hits; pairs of characters that overlap are one."""
    start, end = -1, -1
    for hit in hits:
        if hit.start > end:
            if end >= 0:
                yield start, end
            start, end = hit.start, hit.end
        else:
            end = max(end, hit.end)
    if end >= 0:
        yield start, end


@cache
def _plain_letters() -> dict[int, str]:
    """Letters without their accents, where that is one letter: places stay what they are."""
    return {
        code: folded
        for first, last in _ACCENTED
        for code in range(first, last + 1)
        if unicodedata.category(chr(code)).startswith("L") and len(folded := fold(chr(code))) == 1
    }
