"""The table of formats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nexus.export import bookmarks, markdown_zip, nexus_archive, readwise, w3c
from nexus.export.job import ExportJob
from nexus.schemas.exports import ExportFormat


@dataclass(frozen=True, slots=True)
class Format:
    name: ExportFormat
    suffix: str
    content_type: str
    write: Callable[[ExportJob], Iterator[bytes]]
    """Yields the file; what it yields last makes it whole."""


FORMATS = {
    format.name: format
    for format in (
        Format(ExportFormat.NEXUS, "-nexus.zip", "application/zip", nexus_archive.write),
        Format(ExportFormat.MARKDOWN, "-markdown.zip", "application/zip", markdown_zip.write),
        Format(ExportFormat.READWISE, "-readwise.csv", "text/csv; charset=utf-8", readwise.write),
        Format(ExportFormat.W3C, "-annotations.jsonld", "application/ld+json", w3c.write),
        Format(
            ExportFormat.BOOKMARKS,
            "-bookmarks.html",
            "text/html; charset=utf-8",
            bookmarks.write,
        ),
    )
}
