"""The one table of kinds: how each is added, read and played.

The web app has the other one, `apps/web/src/shared/kinds`.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from nexus.db.enums import MediaKind
from nexus.extractors.file_types import FileType, starts_like_epub, starts_like_pdf
from nexus.extractors.interface import Document, Extract, Job

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Kind:
    kind: MediaKind
    by_address: bool = False
    """Whether it can be saved by its address."""
    file: FileType | None = None
    """The file that can be uploaded for it."""
    readable_as_file: bool = False
    """Whether the web app shows the file itself, before any text is extracted."""
    plays_elsewhere: bool = False
    """Whether its site plays it, with or without a transcript of ours."""
    seconds: float = 60.0
    """How long its extractor may take for one item."""
    extractor: str | None = None
    """The package whose `extract` reads it."""

    def extract(self, job: Job) -> Document:
        """Loaded when first used: only workers need what an extractor imports."""
        assert self.extractor is not None
        return cast(Extract, import_module(self.extractor).extract)(job)


KINDS = {
    kind.kind: kind
    for kind in (
        Kind(
            MediaKind.WEB_ARTICLE,
            by_address=True,
            # 40 for the page, after up to 20 for a browser to come; then it is cleaned.
            seconds=80.0,
            extractor="nexus.extractors.web_article",
        ),
        Kind(
            MediaKind.PDF,
            file=FileType("PDF", "pdf", "application/pdf", 100 * _MIB, starts_like_pdf),
            readable_as_file=True,
            # 60 to read it, after up to 20 for an extractor elsewhere to come; then it is cleaned.
            seconds=110.0,
            extractor="nexus.extractors.pdf",
        ),
        Kind(
            MediaKind.EPUB,
            file=FileType("EPUB", "epub", "application/epub+zip", 50 * _MIB, starts_like_epub),
            # 60 of the processor's for the text, and time to store the pictures.
            seconds=100.0,
            extractor="nexus.extractors.epub.extract",
        ),
        Kind(MediaKind.VIDEO, by_address=True, plays_elsewhere=True),
        Kind(MediaKind.PODCAST_EPISODE, plays_elsewhere=True),
    )
}

FILE_KINDS = frozenset(kind.kind for kind in KINDS.values() if kind.file is not None)
