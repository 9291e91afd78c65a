"""Characters: what counts as whitespace, what may not stay, and how text is escaped."""

import re
from unicodedata import normalize

MAX_ATTRIBUTE_CHARACTERS = 1000

# Python's own idea of whitespace has U+001C–001F and lacks U+FEFF; a browser's `\s` differs again.
WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def clean_text(text: str) -> str:
    """Drop control characters and turn CR into LF."""
    if _CONTROLS.search(text):
        text = _CONTROLS.sub("", text)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def escape_text(text: str) -> str:
    """Escape a text node exactly as browsers serialize it."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    return text.replace("<", "&lt;").replace(">", "&gt;").replace("\xa0", "&nbsp;")


def escape_attribute(value: str) -> str:
    """Escape an attribute value exactly as browsers serialize it."""
    return escape_text(value).replace('"', "&quot;")


def clean_attribute(value: str) -> str:
    """Tidy and escape an attribute value that people read."""
    value = " ".join(clean_text(value).split())[:MAX_ATTRIBUTE_CHARACTERS].rstrip()
    return escape_attribute(value if value.isascii() else normalize("NFC", value))
