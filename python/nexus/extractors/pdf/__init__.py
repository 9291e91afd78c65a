"""PDFs: read by pdf.js in a Node process of its own, cleaned as articles are."""

from typing import Any

from nexus.config import get_settings
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import (
    ContentsEntry,
    Document,
    ExtractionError,
    FragmentText,
    Job,
    PageStart,
)
from nexus.extractors.pdf.declared import declared_metadata, declared_title
from nexus.extractors.pdf.found import FoundPdf, gather
from nexus.extractors.pdf.link import read_pdf
from nexus.extractors.pdf.text import PdfText, page_offsets, read_text
from nexus.html.canonicalize import start_of_text
from nexus.html.cleaning import warm_up
from nexus.html.outline import Heading, heading_label
from nexus.storage import get_storage_client
from nexus.text import collapse_name

# Of the job's time, what is left for cleaning and storing once the file is read.
_LATER_SECONDS = 30.0
_LABEL_CHARACTERS = 50


def extract(job: Job) -> Document:
    """The text of a stored PDF; a scan has pages and no text."""
    settings = get_settings()
    # The cleaner starts while the file is read.
    warm_up()
    storage = get_storage_client(settings)
    seconds = max(1.0, job.seconds_left() - _LATER_SECONDS)
    found = gather(read_pdf(storage, job.storage_path, settings, seconds=seconds))
    text = read_text(found.pages, found.html) if any(found.pages) else None
    if job.seconds_left() <= 0:
        raise ExtractionError(code=FailureCode.FILE_TOO_COMPLEX)
    offsets = page_offsets(found.pages)
    return Document(
        fragments=(FragmentText(text.html, text.text),) if text else (),
        title=declared_title(found.metadata),
        metadata=declared_metadata(found.metadata),
        contents=_contents(found, text, offsets) if text else (),
        pages=_pages(found, offsets),
        fingerprint=found.fingerprint or None,
        extractor_version=f"pdf.js {found.version}",
    )


def _pages(found: FoundPdf, offsets: list[int]) -> tuple[PageStart, ...]:
    labels = dict(enumerate(found.labels))
    return tuple(
        PageStart(index + 1, _label(labels.get(index)) or str(index + 1), 0, offset)
        for index, offset in enumerate(offsets)
    )


def _label(label: object) -> str:
    return collapse_name(label)[:_LABEL_CHARACTERS].strip() if isinstance(label, str) else ""


def _contents(found: FoundPdf, text: PdfText, offsets: list[int]) -> tuple[ContentsEntry, ...]:
    """The file's own outline, or the headings that its layout shows."""
    return _outlined(found.outline, text.text, offsets) or _headed(text.headings)


def _outlined(
    entries: list[dict[str, Any]], text: str, offsets: list[int]
) -> tuple[ContentsEntry, ...]:
    placed = []
    for entry in entries:
        children = _outlined(entry["children"], text, offsets)
        label = heading_label(collapse_name(entry["label"]))
        if entry["page"] and label:
            offset = start_of_text(text, offsets[entry["page"] - 1] + entry["offset"])
            placed.append(ContentsEntry(label, 0, offset, children))
        elif children and label:
            # It leads nowhere itself: to where the first of its parts is.
            placed.append(ContentsEntry(label, 0, children[0].offset, children))
        else:
            placed += children
    return tuple(placed)


def _headed(headings: list[Heading]) -> tuple[ContentsEntry, ...]:
    return tuple(
        ContentsEntry(each.label, 0, each.offset, _headed(each.children)) for each in headings
    )
