"""The tags and texts of an HTML file as they come, however long and broken it is.

Lists of bookmarks are not documents: they leave tags open and put lists where none belong, so
nothing is made of the tags here. A quote too many ends with the line, not with the next quote
somewhere in the file.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from nexus.importers.text import text_chunks

# Browsers put pictures of sites into attributes, some of them large.
_MAX_TAG = 1024 * 1024

# None of these can match the same text in two ways, so that no file takes long to refuse.
_VALUE = r"""(?:"(?:[^"\n]|\n(?!\s*<))*+"|'(?:[^'\n]|\n(?!\s*<))*+')"""
_OPEN_VALUE = r"""(?:"(?:[^"\n]|\n(?!\s*<))*+|'(?:[^'\n]|\n(?!\s*<))*+)"""
_START = r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)"
_WHOLE = re.compile(rf"{_START}((?:[^<>\"']|{_VALUE})*+)>")
# For a tag with broken quotes.
_LOOSE = re.compile(rf"{_START}([^<>\n]*+)>")
_PARTIAL = re.compile(rf"<(?:/?(?:[a-zA-Z][a-zA-Z0-9]*+(?:[^<>\"']|{_VALUE})*+{_OPEN_VALUE}?)?)\Z")
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")


@dataclass(frozen=True, slots=True)
class Tag:
    line: int
    name: str
    """In small letters."""
    is_end: bool = False
    attributes: dict[str, str] = field(default_factory=dict)
    """By their names in small letters; the first of a name counts."""


def html_events(file: IO[bytes]) -> Iterator[Tag | str]:
    """Tags, and the text between them in one or more pieces."""
    buffer, line = "", 1
    chunks = text_chunks(file)
    at_end = False
    while not at_end:
        chunk = next(chunks, None)
        at_end = chunk is None
        buffer += chunk or ""
        position = 0
        while position < len(buffer):
            start = buffer.find("<", position)
            text = buffer[position : start if start >= 0 else len(buffer)]
            if text:
                # A reference such as "&amp;" may go on in the next chunk.
                cut = text.rfind("&", -32) if start < 0 and not at_end else -1
                if cut == 0 and len(text) < 32:
                    break
                text = text[:cut] if cut > 0 else text
                yield html.unescape(text)
                line += text.count("\n")
                position += len(text)
                continue
            found = _WHOLE.match(buffer, start) or _LOOSE.match(buffer, start)
            if found is not None:
                yield Tag(line, found[2].lower(), found[1] == "/", _attributes(found[3]))
                line += found[0].count("\n")
                position = found.end()
            elif not at_end and len(buffer) - start < _MAX_TAG and _PARTIAL.match(buffer, start):
                break
            else:
                yield "<"
                position = start + 1
        buffer = buffer[position:]


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), html.unescape(value.strip("\"'")))
    return found
