"""The headings of a text as a tree: its table of contents."""

import re
from dataclasses import dataclass, field

from nexus.html.text import HEADING, HEADING_END

MAX_ENTRIES = 2000
MAX_LABEL_CHARACTERS = 300

# Sanitized HTML has no ">" inside tags, and no heading inside a heading.
_HEADING = re.compile(r"(<h([1-6])[^>]*>)(.*?)(</h\2>)", re.S)
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


def mark_headings(html: str) -> tuple[str, list[int]]:
    """The HTML with marks at both ends of each heading's content, and the headings' levels."""
    levels: list[int] = []

    def marked(match: re.Match[str]) -> str:
        levels.append(int(match[2]))
        return f"{match[1]}{HEADING}{match[3]}{HEADING_END}{match[4]}"

    return _HEADING.sub(marked, html), levels


def outline(text: str, levels: list[int], spans: list[tuple[int, int]]) -> list[Heading]:
    """The tree of the headings that have text; each is below the last one of a lower level."""
    top: list[Heading] = []
    open_headings: list[tuple[int, Heading]] = []
    count = 0
    for level, (start, end) in zip(levels, spans, strict=True):
        label = heading_label(text[start:end])
        if not label or count == MAX_ENTRIES:
            continue
        count += 1
        heading = Heading(label, start)
        while open_headings and open_headings[-1][0] >= level:
            open_headings.pop()
        (open_headings[-1][1].children if open_headings else top).append(heading)
        open_headings.append((level, heading))
    return top


def heading_label(text: str) -> str:
    """One line, without what only editors need."""
    label = _JUNK.sub("", " ".join(text.split()))
    if len(label) > MAX_LABEL_CHARACTERS:
        label = label[: MAX_LABEL_CHARACTERS - 1].rstrip() + "…"
    return label
