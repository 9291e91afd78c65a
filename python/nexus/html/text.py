"""Characters: what counts as whitespace, what is dropped, and how text is escaped."""

import re
from functools import cache
from unicodedata import combining, normalize

MAX_ATTRIBUTE_CHARACTERS = 1000
# As in Unicode's stream-safe text (UAX #15). Normalizing takes quadratic time on longer runs, here
# and in browsers; no language comes near.
MAX_COMBINING_RUN = 30
# So many marks in a row are, or may become, more than are kept: decomposing turns a mark into two,
# and adds up to three to a letter.
_LONG_RUN = (MAX_COMBINING_RUN - 3) // 2

# Python's own idea of whitespace has U+001C–001F and lacks U+FEFF; a browser's `\s` differs again.
WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# Marks in text while it is worked on, never in what is stored. They are control characters, so
# that no page can bring them: `clean_text` drops those.
ANCHOR, HEADING, HEADING_END = "\x02", "\x03", "\x04"

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def clean_text(text: str) -> str:
    """Drop control characters and turn CR into LF."""
    if text.isprintable():
        return text  # as most text is, and this is the fastest way to know
    if _CONTROLS.search(text):
        text = _CONTROLS.sub("", text)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def node_text(text: str, *, starts_pre: bool) -> str:
    """The text of a whole text node as it is stored, with the anchors in it where they are."""
    if ANCHOR not in text:
        text = normal_text(text)
        # A parser drops the first newline there.
        return text.lstrip("\n") if starts_pre else text
    pieces = text.split(ANCHOR)
    plain = node_text("".join(pieces), starts_pre=starts_pre)
    marked = ANCHOR.join(normal_text(piece) for piece in pieces)
    # Where an anchor stands before a character that joins the one before it, it moves to the start.
    return marked if marked.replace(ANCHOR, "") == plain else ANCHOR * (len(pieces) - 1) + plain


def escape_text(text: str) -> str:
    """Escape a text node exactly as browsers serialize it."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text or ">" in text:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return text if text.isascii() else text.replace("\xa0", "&nbsp;")


def escape_attribute(value: str) -> str:
    """Escape an attribute value exactly as browsers serialize it."""
    return escape_text(value).replace('"', "&quot;")


def clean_attribute(value: str) -> str:
    """Tidy and escape an attribute value that people read."""
    value = " ".join(clean_text(value).split())[:MAX_ATTRIBUTE_CHARACTERS].rstrip()
    return escape_attribute(normal_text(value))


def normal_text(text: str) -> str:
    """The text in NFC, with no more combining marks in a row than any reader could tell apart."""
    if text.isascii():
        return text
    if not _has_long_run(text):
        return normalize("NFC", text)
    # Normalizing decomposes some marks, so that a run can be longer afterwards.
    return _without_long_runs(normalize("NFC", _without_long_runs(text)))


def _has_long_run(text: str) -> bool:
    # A long run has a mark at one of these places, and most texts have none at all.
    places = text[_LONG_RUN - 1 :: _LONG_RUN]
    return _mark().search(places) is not None and _long_run().search(text) is not None


def _without_long_runs(text: str) -> str:
    return _long_run().sub(lambda run: run[0][:MAX_COMBINING_RUN], text)


@cache
def _mark() -> re.Pattern[str]:
    return re.compile(f"[{_mark_ranges()}]")


@cache
def _long_run() -> re.Pattern[str]:
    return re.compile(f"[{_mark_ranges()}]{{{_LONG_RUN},}}")


@cache
def _mark_ranges() -> str:
    """All combining marks as a character class. There are none outside the range looked at."""
    marks = [code for code in range(0x300, 0x20000) if _is_mark(chr(code))]
    ranges: list[list[int]] = []
    for code in marks:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


# Not marks themselves, but nothing else once they are decomposed.
_MADE_OF_MARKS = frozenset("\u0f73\u0f75\u0f81")


def _is_mark(character: str) -> bool:
    return combining(character) > 0 or character in _MADE_OF_MARKS


def ends_with_newline(parts: list[str]) -> bool:
    """Whether the last text written before the end tags ends a line."""
    for part in reversed(parts):
        if not part.startswith("</"):
            return part.endswith("\n")
    return False
