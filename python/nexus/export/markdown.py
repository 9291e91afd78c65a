"""Text as Markdown. Whatever the web put into titles and texts stays plain text.

Addresses in it may become links, where a program makes links of them.
"""

import json
import re
import unicodedata
from typing import Any

# What means something to some Markdown: HTML, links, tags, formulas, tables and comments included.
_MEANS_SOMETHING = re.compile(r"[\\`*_{}\[\]<>#|~&$%^]|=(?==)|:(?=:)")
_MEANS_SOMETHING_FIRST = re.compile(r"^([-+=:!]|\d+(?=[.)]))", re.ASCII)
_BARE_ADDRESS = re.compile(r"https?://[^\s<>\"\\]+")
_NOT_IN_HASHTAG = re.compile(r"[^\w/-]+")


def inline(text: str) -> str:
    """One line that is only text."""
    visible = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    escaped = _MEANS_SOMETHING.sub(r"\\\g<0>", " ".join(visible.split()))
    return _MEANS_SOMETHING_FIRST.sub(_hold_back, escaped)


def paragraphs(text: str) -> str:
    """Each line of the text a paragraph of its own."""
    return "\n\n".join(line for line in map(inline, text.splitlines()) if line)


def quote(text: str) -> str:
    """Each line of the text a paragraph of a quotation."""
    return "\n>\n".join(f"> {line}" for line in paragraphs(text).split("\n\n"))


def link(address: str) -> str:
    """A web address as a link; nothing, if it is none."""
    return f"<{address}>" if _BARE_ADDRESS.fullmatch(address) else ""


def hashtag(name: str) -> str:
    """A tag as note-taking programs allow them: without spaces and signs."""
    return _NOT_IN_HASHTAG.sub("-", name).strip("-")


def yaml(value: Any) -> str:
    """JSON is YAML, except for characters that YAML requires as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if _is_printable(c) else f"\\u{ord(c):04x}" for c in text)


def _hold_back(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def _is_printable(char: str) -> bool:
    if char in "\ufffe\uffff":
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} or ord(char) > 0xFFFF
