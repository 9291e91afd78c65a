"""Everything that is kept of one file of a document: HTML, text, anchors and headings."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from nexus.html.anchors import Place, finish_links
from nexus.html.canonicalize import start_of_text, text_with_marks
from nexus.html.outline import Heading, mark_headings, outline
from nexus.html.sanitize import SanitizedHtml, sanitize_file
from nexus.html.source import OF_A_PAGE, SizeLimits
from nexus.html.text import ANCHOR, HEADING


@dataclass(frozen=True, slots=True)
class FileText:
    """One file, whose links into the document still have numbers for addresses."""

    html: str
    text: str
    anchors: dict[str, int]
    """Offsets of the elements that are linked to, by name."""
    links: list[Place]
    headings: list[Heading]


@dataclass(frozen=True, slots=True)
class Page:
    """An article: a document of one file."""

    html: SanitizedHtml
    text: str
    anchors: dict[str, int]
    headings: list[Heading]


def read_file(
    html: str,
    base_url: str,
    own: Collection[str],
    others: Collection[str] = (),
    *,
    pictures: Collection[str] = (),
    limits: SizeLimits = OF_A_PAGE,
) -> FileText:
    """Clean one of the files of a document, known by its own addresses and those of the others."""
    marked = sanitize_file(html, base_url, own, others, pictures=pictures, limits=limits)
    with_headings, marked_headings = mark_headings(marked.html)
    text, marks = text_with_marks(with_headings)
    anchors = [start_of_text(text, offset) for mark, offset in marks if mark == ANCHOR]
    # What comes after the last text leads to its end.
    anchors += [start_of_text(text, len(text))] * (len(marked.names) - len(anchors))
    edges = [(mark, offset) for mark, offset in marks if mark != ANCHOR]
    spans = [
        (start_of_text(text, start), end)
        for (mark, start), (_, end) in pairwise(edges)
        if mark == HEADING
    ]
    return FileText(
        html=marked.html.replace(ANCHOR, ""),
        text=text,
        anchors=dict(zip(marked.names, anchors, strict=True)),
        links=marked.links,
        headings=outline(text, marked_headings, spans),
    )


def read_page(html: str, base_url: str, page_url: str = "") -> Page:
    """Clean an article; its links to places in itself lead to offsets in its text."""
    file = read_file(html, base_url, [url for url in (base_url, page_url) if url])

    def resolve(place: Place) -> tuple[int, int] | None:
        offset = file.anchors.get(place.name)
        return None if offset is None else (0, offset)

    finished = finish_links(file.html, file.links, resolve)
    return Page(SanitizedHtml(finished), file.text, file.anchors, file.headings)
