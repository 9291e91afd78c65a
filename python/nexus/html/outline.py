"""The headings of a text as a tree: its table of contents."""

import re
from dataclasses import dataclass, field

from nexus.html.canonicalize import text_with_marks
from nexus.html.text import HEADING, HEADING_END

MAX_ENTRIES = 2000
MAX_LABEL_CHARACTERS = 300

# Sanitized HTML has no ">" inside tags, and no heading inside a heading.
_HEADING = re.compile(r"(<h([1-6])[^>]*>)(.*?)(</h\2>)", re.S)
# The mark of a footnote, which leads to it.
_REFERENCE = re.compile(
    r"<sup[^>]*>\s*<a [^>]*>[^<]{1,8}</a>\s*</sup>|<a [^>]*>\s*<sup[^>]*>[^<]{1,8}</sup>\s*</a>"
    r"|<a [^>]*>\[[^<\]]{1,6}\]</a>"
)
# Links for editors and to the heading itself, which are no part of what it says.
# A number sign counts only if it stands alone: "C#" is a name.
_JUNK = re.compile(
    r"(?:\s*(?:\[\s*edit(?: source)?\s*\]|[¶§🔗]\ufe0f?|\s#))+$|^(?:(?:[¶🔗]\ufe0f?|#(?=\s))\s*)+",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, where its text begins in the canonical text, and those below it."""

    label: str
    offset: int
    children: list["Heading"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Marked:
    """A heading in HTML: its level, and what it says if it also refers to notes."""

    level: int
    without_references: str | None


def mark_headings(html: str) -> tuple[str, list[Marked]]:
    """The HTML with marks at both ends of each heading's content, and the headings."""
    found: list[Marked] = []

    def marked(match: re.Match[str]) -> str:
        rest, references = _REFERENCE.subn("", match[3])
        refers = references > 0 and len(found) < MAX_ENTRIES
        found.append(Marked(int(match[2]), text_with_marks(rest)[0] if refers else None))
        return f"{match[1]}{HEADING}{match[3]}{HEADING_END}{match[4]}"

    return _HEADING.sub(marked, html), found


def outline(text: str, marked: list[Marked], spans: list[tuple[int, int]]) -> list[Heading]:
    """The tree of the headings that have text; each is below the last one of a lower level."""
    top: list[Heading] = []
    open_headings: list[tuple[int, Heading]] = []
    count = 0
    for each, (start, end) in zip(marked, spans, strict=True):
        label = heading_label(each.without_references or text[start:end])
        if not label or count == MAX_ENTRIES:
            continue
        count += 1
        heading = Heading(label, start)
        while open_headings and open_headings[-1][0] >= each.level:
            open_headings.pop()
        (open_headings[-1][1].children if open_headings else top).append(heading)
        open_headings.append((each.level, heading))
    return top


def heading_label(text: str) -> str:
    """One line, without what only editors need."""
    label = _JUNK.sub("", " ".join(text.split()))
    if len(label) > MAX_LABEL_CHARACTERS:
        label = label[: MAX_LABEL_CHARACTERS - 1].rstrip() + "…"
    return label
