"""Quotes taken from a text at random, as other programs and people would give them."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

from nexus.quotes import Document, Match, Quote
from nexus.quotes.distance import image, places
from nexus.quotes.folding import fold

CONTEXT = 32
_LETTERS = "abcdefghijklmnopqrstuvwxyz ,.-0123456789"
_MIN, _MAX = 20, 400
# Fewer letters are hardly a quote: a row of dots, a formula.
_MIN_LETTERS = 8


@dataclass(frozen=True, slots=True)
class Taken:
    """A passage and where it was taken."""

    fragment: int
    start: int
    end: int
    text: str
    before: str
    after: str


def passages(fragments: Sequence[str], count: int, chance: random.Random) -> Iterator[Taken]:
    """Three of four begin and end with a word, the others anywhere."""
    parts = [number for number, text in enumerate(fragments) if len(text) > _MIN]
    if not parts:
        return
    weights = [len(fragments[part]) for part in parts]
    for part in chance.choices(parts, weights, k=count):
        text = fragments[part]
        length = chance.randint(_MIN, min(_MAX, len(text)))
        start = chance.randint(0, len(text) - length)
        start, end = _trimmed(text, start, start + length, words=chance.random() < 0.75)
        if len(fold(text[start:end])) >= _MIN_LETTERS:
            before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
            yield Taken(part, start, end, text[start:end], before, after)


def quoted(taken: Taken, chance: random.Random, *, damage: float, context: bool) -> Quote:
    """The passage with so many of its characters changed, in the style of some program."""

    def changed(text: str) -> str:
        return _in_some_style(damaged(text, chance, damage), chance)

    if not context:
        return Quote(changed(taken.text))
    return Quote(changed(taken.text), changed(taken.before), changed(taken.after))


def is_right(document: Document, taken: Taken, match: Match, *, damage: float) -> bool:
    """Whether it is that passage; damage at its ends may have moved them by some letters."""
    if match.fragment != taken.fragment or min(match.end, taken.end) <= max(
        match.start, taken.start
    ):
        return False
    text = document.fragments[match.fragment]
    allowed = max(4, len(taken.text) // 20) if damage else 0
    ends = ((match.start, taken.start), (match.end, taken.end))
    return all(len(fold(text[min(pair) : max(pair)])) <= allowed for pair in ends)


def is_there(document: Document, taken: Taken) -> bool:
    """Whether a document has the passage too, or nearly: placeholder text, boilerplate."""
    letters = fold(taken.text)
    _, found = places(image(letters), document.image, at_most=len(letters) // 5)
    return bool(found)


def is_repeated(document: Document, taken: Taken) -> bool:
    """Whether the document has the same words twice, so that only the context can tell."""
    letters = fold(taken.text)
    return document.text.find(letters, document.text.find(letters) + 1) >= 0


def damaged(text: str, chance: random.Random, share: float) -> str:
    """The text with this share of its characters replaced, left out or doubled by others."""
    changed = list(text)
    for place in sorted(chance.sample(range(len(text)), round(share * len(text))), reverse=True):
        kind = chance.choice(("replaced", "lost", "added"))
        if kind == "replaced":
            changed[place] = chance.choice([each for each in _LETTERS if each != text[place]])
        elif kind == "lost":
            del changed[place]
        else:
            changed.insert(place, chance.choice(_LETTERS))
    return "".join(changed)


def _in_some_style(text: str, chance: random.Random) -> str:
    styles = (
        lambda: text,
        lambda: " ".join(text.split()),
        lambda: text.replace(" ", "\u00a0").replace('"', "“").replace("'", "’"),
        lambda: text.translate(str.maketrans("“”’‘–", "\"\"''-")).replace("—", "--"),
        lambda: text.replace(" ", "\n", 3) + " ",
        lambda: re.sub(r"(\w{3})(\w{3})", r"\1-\n\2", text, count=1),
        lambda: re.sub(r"(\w{3})(\w{3})", "\\1\u00ad\\2", text, count=2).replace("fi", "ﬁ"),
        lambda: f"“{text.strip()}” ",
    )
    return chance.choice(styles)()


def _trimmed(text: str, start: int, end: int, *, words: bool) -> tuple[int, int]:
    if words:
        while start and text[start - 1].isalnum() and text[start].isalnum():
            start -= 1
        while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
            end += 1
    # Nobody selects half of what looks like one character.
    while start and category(text[start])[0] == "M":
        start -= 1
    while end < len(text) and category(text[end])[0] == "M":
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
