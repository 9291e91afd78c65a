"""A line of text around hits, to show what was found."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

LENGTH = 200
_CUT = "…"
_SPACE = re.compile(r"\s")
_ZERO_WIDTH_JOINER = "\u200d"
_SARA_AM = "\u0e33\u0eb3"


class Snippet(NamedTuple):
    text: str
    hits: list[tuple[int, int]]
    """Half-open ranges of `text`, in code points."""


def make_snippet(
    text: str, hits: Sequence[tuple[int, int]], around: tuple[int, int] | None = None
) -> Snippet:
    """The part of a text that has a range in it, cut between words, with the hits it contains."""
    first, last = around or ((hits[0][0], hits[-1][1]) if hits else (0, 0))
    spare = max(0, LENGTH - (last - first))
    start = max(0, min(first - spare // 2, len(text) - LENGTH))
    end = min(len(text), max(start + LENGTH, last))
    start, end = _word_start(text, start, first), _word_end(text, end, last)
    before, after = _CUT if start else "", _CUT if end < len(text) else ""
    shift = len(before) - start
    shown = _SPACE.sub(" ", text[start:end])
    return Snippet(
        f"{before}{shown}{after}",
        [(begin + shift, stop + shift) for begin, stop in hits if start <= begin and stop <= end],
    )


def _word_start(text: str, at: int, latest: int) -> int:
    """The first beginning of a word from here on, or where a character begins."""
    if at <= 0:
        return 0
    for place in range(at, min(latest, at + 30) + 1):
        if text[place - 1].isspace() and not text[place : place + 1].isspace():
            return place
    while at > 0 and not is_boundary(text, at):
        at -= 1
    return at


def _word_end(text: str, at: int, earliest: int) -> int:
    """The last end of a word up to here, or where a character ends."""
    if at >= len(text):
        return len(text)
    for place in range(at, max(earliest, at - 30) - 1, -1):
        if text[place].isspace() and not text[place - 1 : place].isspace():
            return place
    while at < len(text) and not is_boundary(text, at):
        at += 1
    return at


def is_boundary(text: str, at: int) -> bool:
    """Whether a text may be cut here without cutting through what people see as one character."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before == _ZERO_WIDTH_JOINER or _extends(after) or (before == "\r" and after == "\n"):
        return False
    if _is_flag(before) and _is_flag(after):
        # Flags are pairs of letters: an even number of them before this place is whole flags.
        run = 0
        while run < at and _is_flag(text[at - 1 - run]):
            run += 1
        return run % 2 == 0
    return True


def _extends(char: str) -> bool:
    """Whether the character is part of the one before it."""
    return (
        unicodedata.category(char) in {"Mn", "Mc", "Me"}
        or char in _ZERO_WIDTH_JOINER + _SARA_AM
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\u1160" <= char <= "\u11ff"
        or "\ud7b0" <= char <= "\ud7fb"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
