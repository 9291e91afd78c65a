"""Where exactly a highlight begins and ends, once its place is known."""

import unicodedata

from nexus.quotes.candidates import Candidate, Pattern
from nexus.quotes.distance import beginning, distance
from nexus.quotes.document import Document
from nexus.quotes.folding import fold
from nexus.quotes.records import Range
from nexus.quotes.surface import surface

# How far errors at its ends can have moved them, and how much of the quote tells.
_REACH = 4
_LONGEST_REST = 12
_END = 48
# A word that is cut off by so little was cut by mistake.
_CUT = 2
_MAX_SIGNS = 200


def exact_span(document: Document, pattern: Pattern, found: Candidate) -> Range:
    """The span in the source: by the letters first, then with the signs at both ends."""
    start, end = found.start, found.end
    if found.errors:
        end = _end(document, pattern, found)
        start = _start(document, pattern, found)
        if start >= end:
            start, end = found.start, found.end
    place = document.source(start, end)
    text = document.fragments[place.fragment]
    if found.errors:
        place = _whole_words(text, place)
    return _with_signs(text, place, pattern.quote.text.strip())


def _end(document: Document, pattern: Pattern, found: Candidate) -> int:
    """By the last letters of the quote and what follows them; whole words rather than parts."""
    text = document.text
    _, last = document.bounds(found.start)
    cut = max(found.start, found.end - _END)
    tail = _last_part(pattern.text, text[found.start : found.end], found.end - cut)

    def badness(end: int) -> tuple[int, int, int]:
        after = text[end : min(last, end + 2 * len(pattern.suffix))]
        errors = distance(tail, text[cut:end]) + beginning(pattern.suffix, after)
        # Part of a word is as bad as one error more.
        unlike = abs(end - cut - len(tail))
        return errors + (not _ends_word(document, end)), unlike, abs(end - found.end)

    near = range(max(cut + 1, found.end - _REACH), min(last, found.end + _REACH) + 1)
    further = range(found.end, min(last, found.end + _LONGEST_REST) + 1)
    words = [end for end in further if _ends_word(document, end)]
    options: list[int] = [*near, *words]
    return min(options, key=badness)


def _start(document: Document, pattern: Pattern, found: Candidate) -> int:
    text = document.text
    first, _ = document.bounds(found.start)
    cut = min(found.end, found.start + _END)
    whole = text[found.start : found.end]
    head = _last_part(pattern.text[::-1], whole[::-1], cut - found.start)[::-1]

    def badness(start: int) -> tuple[int, int, int]:
        before = text[max(first, start - 2 * len(pattern.prefix)) : start]
        errors = distance(head, text[start:cut]) + beginning(pattern.prefix[::-1], before[::-1])
        unlike = abs(cut - start - len(head))
        return errors + (not _starts_word(document, start)), unlike, abs(start - found.start)

    near = range(max(first, found.start - _REACH), min(cut - 1, found.start + _REACH) + 1)
    further = range(found.start, max(first, found.start - _LONGEST_REST) - 1, -1)
    words = [start for start in further if _starts_word(document, start)]
    options: list[int] = [*near, *words]
    return min(options, key=badness)


def _last_part(quote: str, text: str, length: int) -> str:
    """The end of the quote that belongs to so many last characters of the text."""
    if length >= len(text):
        return quote
    reversed_end = text[-length:][::-1]
    lengths = range(max(1, length - 12), min(len(quote), length + 12) + 1)
    return quote[-min(lengths, key=lambda one: distance(quote[-one:][::-1], reversed_end)) :]


def _ends_word(document: Document, end: int) -> bool:
    place = document.source(end - 1, end)
    text = document.fragments[place.fragment]
    return not _joined(text[place.end - 1 : place.end + 1])


def _starts_word(document: Document, start: int) -> bool:
    place = document.source(start, start + 1)
    text = document.fragments[place.fragment]
    return not _joined(text[max(0, place.start - 1) : place.start + 1])


def _joined(pair: str) -> bool:
    """Whether two characters are of one word, in a script that separates words."""
    return len(pair) == 2 and all(char.isalnum() and _is_spaced(char) for char in pair)


def _is_spaced(char: str) -> bool:
    code = ord(char)
    unspaced = 0xE00 <= code < 0xF00 or 0x1000 <= code < 0x10A0 or 0x1780 <= code < 0x1800
    return not (unspaced or 0x2E80 <= code < 0xAC00 or 0xF900 <= code < 0xFB00 or code >= 0x1B000)


def _whole_words(text: str, place: Range) -> Range:
    """Errors at an end often are letters that were lost there."""
    start, end = place.start, place.end
    longest = [start - step for step in range(_CUT + 1)]
    starts = [at for at in longest if at == 0 or (at > 0 and not _joined(text[at - 1 : at + 1]))]
    ends = [
        end + step
        for step in range(_CUT + 1)
        if end + step <= len(text) and not _joined(text[end + step - 1 : end + step + 1])
    ]
    return Range(place.fragment, starts[0] if starts else start, ends[0] if ends else end)


def _with_signs(text: str, place: Range, quote: str) -> Range:
    """With the punctuation that the quote begins and ends with, where the text has it too."""
    before, after = _signs(quote)
    start = place.start - _reach(text[: place.start][: -_MAX_SIGNS - 1 : -1], before[::-1])
    end = place.end + _reach(text[place.end : place.end + _MAX_SIGNS], after)
    while text[start:end] != quote and _is_mark(text[end : end + 1]):
        end += 1
    return Range(place.fragment, start, end)


def _reach(text: str, signs: str) -> int:
    """How far the text has these signs, whatever spaces are between them."""
    wanted = iter(surface(signs).replace(" ", ""))
    sign, reached = next(wanted, ""), 0
    for place, char in enumerate(text):
        plain = surface(char)
        if plain and plain != sign:
            break
        if plain:
            sign, reached = next(wanted, ""), place + 1
    return reached


def _signs(quote: str) -> tuple[str, str]:
    """What the quote has before its first and after its last letter."""
    first = next((place for place, char in enumerate(quote) if fold(char)), 0)
    after = next((place for place, char in enumerate(reversed(quote)) if fold(char)), 0)
    return quote[:first], quote[len(quote) - after :]


def _is_mark(char: str) -> bool:
    """Whether it belongs to the letter before it."""
    return bool(char) and (unicodedata.category(char)[0] == "M" or "🏻" <= char <= "🏿")
