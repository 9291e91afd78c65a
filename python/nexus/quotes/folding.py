"""Text reduced to what every copy of it has in common, with the way back.

Spaces, punctuation, invisible characters, case, accents and ligatures are where copies of one text
differ: they are left out or made equal. What remains are letters, digits and symbols.
"""

import re
import unicodedata
from array import array
from bisect import bisect_right

_KEPT = frozenset({"Ll", "Lu", "Lt", "Lm", "Lo", "Nd", "Nl", "No", "Mc", "Me", "So", "Sm", "Sc"})
_folds: dict[int, str] = {}


class Folded:
    """A text as `fold` gives it; every character knows where it comes from."""

    def __init__(self, source: str) -> None:
        table = _table(source)
        self.text = source.translate(table)
        self._starts, self._sources = _runs(source, table)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that these characters come from."""
        return self._source(start), self._source(end - 1) + 1

    def _source(self, place: int) -> int:
        run = bisect_right(self._starts, place) - 1
        return self._sources[run] + place - self._starts[run]


def fold(text: str) -> str:
    return text.translate(_table(text))


def _table(text: str) -> dict[int, str]:
    return {code: _fold(code) for code in map(ord, set(text))}


def _fold(code: int) -> str:
    known = _folds.get(code)
    if known is None:
        char = unicodedata.normalize("NFKC", chr(code))
        folded = unicodedata.normalize("NFKD", char.casefold())
        known = unicodedata.normalize("NFC", "".join(filter(_is_kept, folded)))
        _folds[code] = known
    return known


def _is_kept(char: str) -> bool:
    category = unicodedata.category(char)
    if category == "Mn":
        # Accents and points go; vowels that stand above or below their letter stay.
        return not unicodedata.combining(char) and not "\ufe00" <= char <= "\ufe0f"
    return category in _KEPT


def _runs(source: str, table: dict[int, str]) -> tuple["array[int]", "array[int]"]:
    """Where runs of characters begin that correspond one to one, folded and in the source."""
    starts, sources = array("q", [0]), array("q", [0])
    others = [chr(code) for code, folded in table.items() if len(folded) != 1]
    if not others:
        return starts, sources
    longer = {chr(code): len(folded) for code, folded in table.items() if len(folded) > 1}
    start, at = 0, 0
    for run in re.finditer(f"[{''.join(map(re.escape, others))}]+", source):
        begin, end = run.span()
        start += begin - at
        if longer:
            for place in range(begin, end):
                for _ in range(longer.get(source[place], 0)):
                    starts.append(start)
                    sources.append(place)
                    start += 1
        starts.append(start)
        sources.append(end)
        at = end
    return starts, sources
