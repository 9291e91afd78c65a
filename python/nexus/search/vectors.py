"""Words as Postgres stores them: the text form of a `tsvector`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

from nexus.search.stems import Lexemes
from nexus.search.words import Spelling, Word

Weight = Literal["A", "B", "C", "D"]

MAX_POSITION = 16_383
# Postgres drops what is beyond.
_MOST_POSITIONS = 255


def vector(
    words: Iterable[Word | Spelling],
    lexemes: Mapping[str, Lexemes],
    *,
    first_position: int = 1,
    weight: Weight = "D",
) -> str:
    """What casts to a `tsvector`: every word, and its stems at the same position.

    Vectors are added by writing one after the other.
    """
    positions: defaultdict[str, list[str]] = defaultdict(list)
    # As text from the beginning, once for all lexemes of a word. What is beyond is left out.
    places = map(str, range(first_position, MAX_POSITION + 1))
    for word, place in zip(words, places, strict=False):
        for lexeme in lexemes.get(word.form or "", (word.text,)):
            positions[lexeme].append(place)
    letter = "" if weight == "D" else weight
    between = f"{letter},"
    # Lexemes consist of letters, digits and marks: nothing in them needs to be escaped.
    return " ".join(
        f"'{lexeme}':{between.join(found[:_MOST_POSITIONS])}{letter}"
        for lexeme, found in positions.items()
    )
