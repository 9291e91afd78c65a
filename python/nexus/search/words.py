"""The words of a text, as they are found: folded, and where they are in code points.

1. A word is a run of letters, digits and marks of one kind of script. Everything else separates:
   spaces, hyphens, dots, underscores and apostrophes, so that "homme" is in "l'homme" and "Orwell"
   in "Orwell's". Invisible characters (soft hyphens, joiners) are no part of it nor separate.
2. It is folded: compatibility forms, case, accents and points do not matter. Marks that are vowels
   or tones (Devanagari, Thai) stay.
3. In scripts without spaces, and in Korean, each character is found together with the next one; the
   last of a run, alone. So a word of n characters has n places, and any part of it can be found.

The number of a word in the list is its position: a phrase is words with the same distances.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from nexus.search.characters import INVISIBLE, is_part_of_word, replacements, runs

MAX_WORD = 100
"""Of a longer word, nothing more is kept; nobody types it to the end."""

# Runs whose characters are all what they are folded to: almost all there are.
_PLAIN = re.compile(
    "[\u0e01-\u0e32\u0e34-\u0e3a\u0e40-\u0e4e\u3041-\u3096\u30a1-\u30fa\u30fc"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
)
# A character with what composes with it: sound marks of kana, vowels and finals of Hangul.
_UNIT = re.compile(
    f"\\S[\u1160-\u11ff\ud7b0-\ud7ff\uffc2-\uffdc\u3099\u309a\uff9e\uff9f{INVISIBLE}]*"
)


class Spelling(NamedTuple):
    """A word, or two characters of an unspaced script, wherever it is."""

    text: str
    """Folded."""
    form: str | None
    """As a dictionary takes it, with accents; None in unspaced scripts, which have no forms."""


class Word(NamedTuple):
    """The same, at its place in a text."""

    text: str
    form: str | None
    start: int
    end: int


def split_words(text: str) -> list[Word]:
    """All words of a text, in order."""
    return [Word(*word, start, end) for word, start, end in spellings(text)]


def spellings(text: str) -> Iterator[tuple[Spelling, int, int]]:
    """The words of a text that may be too long to have all of them at once, and their places."""
    for run in runs().finditer(text):
        start, end = run.span()
        if run.lastindex is not None:
            yield from _unspaced_words(run[0], start)
            continue
        word = _folded(run[0])
        if word.text:
            yield word, start, end


def query_words(text: str) -> list[tuple[int, Word]]:
    """The words of a query and their positions, without those that say nothing new.

    The last character of a run is part of the pair before it. If it is all there is, `form` is None
    and `text` one character: it is found as the beginning of a pair.
    """
    words = split_words(text)
    return [
        (position, word)
        for position, word in enumerate(words)
        if not (position and len(word.text) == 1 and words[position - 1].end == word.end)
    ]


def fold(text: str) -> str:
    """What different spellings have in common. Folding twice changes nothing."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text).translate(replacements()).casefold()
    text = unicodedata.normalize("NFKD", text).translate(replacements())
    return unicodedata.normalize("NFC", "".join(filter(is_part_of_word, text)))


@lru_cache(maxsize=1 << 16)
def _folded(run: str) -> Spelling:
    folded = fold(run[: 2 * MAX_WORD])[:MAX_WORD]
    if run.isascii():
        return Spelling(folded, folded)
    composed = unicodedata.normalize("NFKC", run[:MAX_WORD]).lower()
    return Spelling(folded, "".join(filter(is_part_of_word, composed))[:MAX_WORD])


def _unspaced_words(run: str, start: int) -> Iterator[tuple[Spelling, int, int]]:
    """Each character with the next one."""
    units = _plain_units(run, start) if _PLAIN.fullmatch(run) else _units(run, start)
    last = None
    for unit in units:
        if last is not None:
            yield Spelling(last[0] + unit[0], None), last[1], unit[2]
        last = unit
    if last is not None:
        yield Spelling(last[0], None), last[1], last[2]


def _plain_units(run: str, start: int) -> Iterator[tuple[str, int, int]]:
    end = start + len(run)
    return zip(run, range(start, end), range(start + 1, end + 1), strict=True)


def _units(run: str, start: int) -> Iterator[tuple[str, int, int]]:
    for unit in _UNIT.finditer(run):
        for char in fold(unit.group()):
            yield char, start + unit.start(), start + unit.end()
