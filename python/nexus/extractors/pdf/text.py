"""The text of a PDF as a document: its pages one after the other, divided into paragraphs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import ExtractionError, TransientExtractionError
from nexus.html.cleaning import CleaningFailed, CleaningInterrupted, CleanPage, clean_page
from nexus.html.outline import Heading
from nexus.html.sanitize import SanitizedHtml
from nexus.html.text import escape_text
from nexus.logging import get_logger

logger = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PdfText:
    html: SanitizedHtml
    text: str
    """The canonical text."""
    headings: list[Heading]


def page_offsets(pages: Iterable[str]) -> list[int]:
    """Where each page begins in the text of all: one character stands between two with text.

    A page without text is where the next text begins, or the end.
    """
    offsets, end = [], 0
    for page in pages:
        start = end + 1 if end and page else end
        offsets.append(start)
        end = start + len(page)
    # Nothing was known of what follows when an empty page was passed.
    following = end
    for index, page in reversed(list(enumerate(pages))):
        if page:
            following = offsets[index]
        else:
            offsets[index] = following
    return offsets


def read_text(pages: list[str], html: list[str]) -> PdfText:
    """Clean and check: the canonical text must be that of the pages, but for how it is divided."""
    wanted = " ".join(page for page in pages if page)
    cleaned = _joined([_clean(piece) for piece in html])
    if cleaned.text.replace("\n", " ") == wanted:
        return cleaned
    # A fault of the layout costs the paragraphs, not the document.
    logger.error("pdf_layout_differs", pages=len(pages))
    cleaned = _joined([_clean(piece) for piece in _by_page(pages)])
    if cleaned.text.replace("\n", " ") == wanted:
        return cleaned
    logger.error("pdf_text_differs", pages=len(pages))
    message = "The text of this PDF could not be prepared for reading."
    raise ExtractionError(message, code=FailureCode.SANITIZATION_FAILED)


def _by_page(pages: list[str]) -> Iterator[str]:
    """Every other page is an element: two of them would be two newlines apart."""
    for index, page in enumerate(page for page in pages if page):
        text = escape_text(page)
        yield text if index % 2 else f"<p>{text}</p>"


def _clean(piece: str) -> CleanPage:
    try:
        return clean_page(piece, "")
    except CleaningInterrupted as error:
        raise TransientExtractionError(str(error), code=FailureCode.SANITIZATION_FAILED) from error
    except CleaningFailed as error:
        raise ExtractionError(str(error), code=FailureCode.SANITIZATION_FAILED) from error


def _joined(pieces: list[CleanPage]) -> PdfText:
    offset, headings = 0, []
    for piece in pieces:
        headings += [_moved(heading, offset) for heading in piece.headings]
        offset += len(piece.text) + 1
    return PdfText(
        SanitizedHtml("".join(piece.html for piece in pieces)),
        "\n".join(piece.text for piece in pieces),
        headings,
    )


def _moved(heading: Heading, by: int) -> Heading:
    below = [_moved(each, by) for each in heading.children]
    return replace(heading, offset=heading.offset + by, children=below)
