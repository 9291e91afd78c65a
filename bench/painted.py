"""Highlights that a page paints, against what the rule says of them."""

import random
import re
import unicodedata
from datetime import datetime
from typing import Any

COLORS = ("yellow", "green", "blue", "pink", "purple")

# What the browser paints, read back from its own registry in document order.
PAINTED = """(colors) => {
  const drawn = colors.flatMap((color) =>
    [...(CSS.highlights.get(`nexus-${color}`) ?? [])].map((piece) => {
      const range = document.createRange();
      range.setStart(piece.startContainer, piece.startOffset);
      range.setEnd(piece.endContainer, piece.endOffset);
      return { color, range };
    }));
  drawn.sort((a, b) => a.range.compareBoundaryPoints(Range.START_TO_START, b.range));
  return drawn.map(({ color, range }) => [range.toString().replace(/\\s+/g, ""), color]);
}"""


def letters(text: str) -> str:
    """A text without its whitespace, which is laid out and not painted."""
    return re.sub(r"\s+", "", text)


def random_spans(
    text: str, count: int, *, seed: int, longest: int = 400, whole_letters: bool = False
) -> list[tuple[int, int]]:
    """Different spans that begin and end at a character, never at whitespace.

    As many as there are, where the text is too short for `count`. `whole_letters` parts no letter
    from its marks: a font may have one glyph for both.
    """
    choose = random.Random(seed)

    def may_be(start: int, end: int) -> bool:
        cut = text[start] + text[end : end + 1]
        return not (whole_letters and any(map(unicodedata.combining, cut)))

    visible = [at for at, character in enumerate(text) if character.strip()]
    if len(visible) < count:
        every = [
            (start, end + 1)
            for start in visible
            for end in visible
            if start <= end < start + longest and may_be(start, end + 1)
        ]
        return sorted(choose.sample(every, min(count, len(every))))
    spans: set[tuple[int, int]] = set()
    while len(spans) < count:
        start = choose.randrange(len(text))
        end = min(len(text), start + 1 + choose.randrange(longest))
        if text[start].strip() and text[end - 1].strip() and may_be(start, end):
            spans.add((start, end))
    return sorted(spans)


def expected_pieces(text: str, highlights: list[dict[str, Any]]) -> list[list[str]]:
    """What must be painted, from the rule itself: offset by offset, the newest colour wins."""
    newest_first = sorted(highlights, key=lambda one: one["id"])
    newest_first.sort(key=lambda one: datetime.fromisoformat(one["created_at"]), reverse=True)
    here: list[list[dict[str, Any]]] = [[] for _ in text]
    for one in newest_first:
        for offset in range(one["start_offset"], one["end_offset"]):
            here[offset].append(one)
    pieces: list[list[str]] = []
    before: list[dict[str, Any]] = []
    for character, active in zip(text, here, strict=True):
        if active:
            if active != before:
                pieces.append(["", active[0]["color"]])
            pieces[-1][0] += letters(character)
        before = active
    return [piece for piece in pieces if piece[0]]
