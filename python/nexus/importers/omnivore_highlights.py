"""The highlights of one item as Omnivore writes them: Markdown, in which not all can be told apart.

A paragraph that begins with ">" is a highlight; lines of it may not. What follows is its labels, if
it is nothing but words with "#", and then its note. Text before the first is about the whole item.
"""

import re

from nexus.importers.items import highlight
from nexus.importers.records import ImportedHighlight

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_LABELS = re.compile(r"#\S+(?:[ \t]+#\S+)*[ \t]*")


def highlights_of(markdown: str) -> list[ImportedHighlight]:
    found: list[ImportedHighlight] = []
    quote, labels, note = "", [], []  # type: tuple[str, list[str], list[str]]
    paragraphs = _PARAGRAPHS.split(markdown.replace("\r\n", "\n").lstrip("\ufeff"))
    for paragraph in map(str.strip, paragraphs):
        if paragraph.startswith(">"):
            found += highlight(quote, "\n\n".join(note), tags=labels)
            quote, labels, note = _quoted(paragraph), [], []
        elif _LABELS.fullmatch(paragraph) and quote and not labels and not note:
            labels = [word.removeprefix("#") for word in paragraph.split()]
        elif paragraph:
            note.append(paragraph)
    return found + highlight(quote, "\n\n".join(note), tags=labels)


def _quoted(paragraph: str) -> str:
    lines = (line.removeprefix(">").strip() for line in paragraph.split("\n"))
    return "\n".join(lines).strip()
