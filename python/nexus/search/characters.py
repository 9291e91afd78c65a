"""What a character is to search: part of a word, of a script without spaces, a mark, or nothing."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_KOREAN = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uffa0-\uffdc"
# Their digits are digits like others, and not in here.
_NEVER_SPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    "\u3105-\u312f\u31a0-\u31bf"  # bopomofo
    "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
_UNSPACED = _NEVER_SPACED + _KOREAN
# Hyphens for line ends, joiners, directions, variants of a glyph.
INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"
)
# Unicode has it among the letters, but it stands for an apostrophe, and so it separates.
_APOSTROPHE = "\u02bc"

# Written onto letters of alphabets that are read without them just as well.
_DROPPED_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0897-\u089f\u08ca-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
# A line that lengthens Arabic words, and a turned comma in Hawaiian that few people type.
_DROPPED_LETTERS = "\u0640\u02bb" + _APOSTROPHE
_REPLACED = {
    # What people type for letters that Unicode does not decompose.
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ı": "i",
    "ł": "l",
    "ŧ": "t",
    "þ": "th",
    # Persian and Arabic keyboards have different characters for the same letter.
    "ی": "ي",
    "ى": "ي",
    "ک": "ك",
    "ة": "ه",
}
# Nothing is to be found in the large blocks of ideographs and syllables between these.
_WITH_MARKS = (range(0x300, 0x3100), range(0xA660, 0xAC00), range(0xFB00, 0x1FFFF))


@cache
def runs() -> re.Pattern[str]:
    """A word, or as the group a run of characters that are written without spaces."""
    letter = rf"[^\W_{_APOSTROPHE}{_UNSPACED}]"
    marks = "".join(map(chr, _marks()))
    # Most words end at a space or at ASCII punctuation, which needs no look at a table.
    after_mark = f"(?=[\u00ad\u0300-\U0010ffff])[{marks}{INVISIBLE}]+{letter}*"
    unspaced = f"[{_UNSPACED}{INVISIBLE}]"
    # A line end between two such characters is a space in the text, and nothing to the reader; and
    # what is copied from two lines is pasted as one.
    # Korean has spaces between its words.
    over_space = f"(?<=[{_NEVER_SPACED}])\\s+(?=[{_NEVER_SPACED}]){unspaced}+"
    return re.compile(f"{letter}+(?:{after_mark})*|([{_UNSPACED}]{unspaced}*(?:{over_space})*)")


@cache
def replacements() -> dict[int, str | None]:
    """For `str.translate`: what a decomposed character is folded to, if it changes."""
    dropped = map(ord, _members(_DROPPED_MARKS + _DROPPED_LETTERS + INVISIBLE))
    digits = (code for block in _WITH_MARKS for code in block if chr(code).isdecimal())
    return {
        **dict.fromkeys(dropped),
        **{code: str(unicodedata.decimal(chr(code))) for code in digits},
        **{ord(char): text for char, text in _REPLACED.items()},
    }


def is_part_of_word(char: str) -> bool:
    """Whether it is a letter, a digit or a mark."""
    return char.isalnum() or unicodedata.category(char).startswith("M")


def _marks() -> Iterator[int]:
    unspaced = set(map(ord, _members(_UNSPACED[: _UNSPACED.index("\u3400")])))
    for block in _WITH_MARKS:
        for code in block:
            if unicodedata.category(chr(code)).startswith("M") and code not in unspaced:
                yield code


def _members(inside: str) -> Iterator[str]:
    """The characters that the inside of a character class stands for."""
    for found in re.finditer("(.)-(.)|.", inside):
        first, last = found.group(1) or found.group(), found.group(2) or found.group()
        yield from map(chr, range(ord(first), ord(last) + 1))
