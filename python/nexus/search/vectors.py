"""Words as Postgres stores them: the text form of a `tsvector`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

from nexus.search.stems import Lexemes
from nexus.search.words import Word

Weight = Literal["A", "B", "C", "D"]

MAX_POSITION = 16_383
# Postgres drops what is beyond.
_MOST_POSITIONS = 255


def vector(
    words: Iterable[Word],
    lexemes: Mapping[str, Lexemes],
    *,
    first_position: int = 1,
    weight: Weight = "D",
) -> str:
    """What casts to a `tsvector`: every word, and its stems at the same position.

    Vectors are added by writing one after the other.
    """
    positions: defaultdict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(words, start=first_position):
        if position > MAX_POSITION:
            break
        for lexeme in lexemes.get(word.form or "", (word.text,)):
            positions[lexeme].append(position)
    letter = "" if weight == "D" else weight
    # Lexemes consist of letters, digits and marks: nothing in them needs to be escaped.
    return " ".join(
        f"'{lexeme}':" + ",".join(f"{position}{letter}" for position in found[:_MOST_POSITIONS])
        for lexeme, found in positions.items()
    )
