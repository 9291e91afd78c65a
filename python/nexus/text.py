"""What text may hold, and what a name is."""

import re
import unicodedata

_NOT_STORABLE = re.compile("[\\x00\\ud800-\\udfff]")


def is_storable(text: str) -> bool:
    """Postgres text holds every character but NUL; lone surrogates are not characters at all."""
    return _NOT_STORABLE.search(text) is None


def storable(text: str) -> str:
    """The text without what cannot be stored."""
    return _NOT_STORABLE.sub("", text)


def collapse_name(name: str) -> str:
    """A name as people mean it: composed, no control characters, single spaces, no edges."""
    if name.isascii() and name.isprintable():
        return " ".join(name.split())  # which is most names, and a tenth of the time
    visible = "".join(
        " " if unicodedata.category(char) in {"Cc", "Zl", "Zp", "Zs"} else char
        for char in unicodedata.normalize("NFC", name)
    )
    return " ".join(visible.split())


# Scripts that put no space between words: each of their characters counts as one.
_UNSPACED = re.compile(
    "[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)
_WORD = re.compile(r"\w+(?:['’.,-]\w+)*")


def count_words(text: str) -> int:
    """How much there is to read: words, or characters where a script does not separate words."""
    spaced, unspaced = (text, 0) if text.isascii() else _UNSPACED.subn(" ", text)
    return unspaced + len(_WORD.findall(spaced))
