"""What an extractor is given, what it returns, and how it reports failure."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from nexus.db.enums import FailureStage, MediaKind
from nexus.extractors.failures import SENTENCES, FailureCode
from nexus.html.image_sizes import Size
from nexus.html.sanitize import SanitizedHtml


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt at one item: its address, or where its file is stored, and until when."""

    media_id: UUID
    attempt: int
    kind: MediaKind
    url: str = ""
    storage_path: str = ""
    deadline: float = math.inf
    """By `time.monotonic()`."""

    def seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True, slots=True)
class FragmentText:
    """A part of a document. Only the sanitizer makes its HTML."""

    html_sanitized: SanitizedHtml
    canonical_text: str
    label: str | None = None
    """What this part is called, where a document has several."""


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """One line of the table of contents: a place in the canonical text of a fragment."""

    label: str
    fragment_idx: int
    offset: int
    children: tuple["ContentsEntry", ...] = ()


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where a page of a paged document begins."""

    number: int
    label: str
    fragment_idx: int
    offset: int


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page or file declares about itself. Plain text, validated by the extractor."""

    authors: tuple[str, ...] = ()
    site_name: str | None = None
    """The site, or the publisher of a book."""
    published_at: str | None = None
    """An ISO 8601 date, as exact as the source has it, or a date and time with its zone."""
    language: str | None = None
    """A BCP 47 tag."""
    excerpt: str | None = None
    lead_image_url: str | None = None
    """On the web, or the path of a stored picture."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A place in the canonical text of a fragment."""

    fragment_idx: int
    offset: int


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture of the document that the extractor has put into storage."""

    storage_path: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Document:
    """What was read, ready to be stored."""

    fragments: tuple[FragmentText, ...]
    title: str | None = None
    final_url: str | None = None
    """Where the address redirected to; the item is that page from then on."""
    image_sizes: dict[str, Size] = field(default_factory=dict)
    """The sizes the document declares for its images, by address."""
    metadata: Metadata = Metadata()
    contents: tuple[ContentsEntry, ...] = ()
    pages: tuple[PageStart, ...] = ()
    fingerprint: str | None = None
    """What the file calls itself, where its kind has such a thing."""
    extractor_version: str | None = None
    """What the text depends on, where another version might read it differently."""
    start: TextPlace | None = None
    """Where reading begins, if the document says so."""
    fixed_layout: bool = False
    """Whether it was made for pages whose layout is not kept."""
    pictures: tuple[StoredPicture, ...] = ()


Extract = Callable[[Job], Document]


class ExtractionError(Exception):
    """The item itself is the reason: trying again will not help.

    The message is for the person who saved the item. Without one, it is the sentence of the code.
    """

    def __init__(
        self,
        message: str = "",
        *,
        code: str = FailureCode.EXTRACTION_FAILED,
        stage: FailureStage = FailureStage.EXTRACT,
    ) -> None:
        super().__init__(message or SENTENCES.get(code, SENTENCES[FailureCode.EXTRACTION_FAILED]))
        self.code = str(code)
        self.stage = stage


class TransientExtractionError(ExtractionError):
    """A fault of ours: a process that died, a connection that was lost. It is tried again by us."""


class AddressIsFile(Exception):
    """The address leads to a file, not to a page; the message says so to a person."""

    def __init__(self, message: str, *, url: str) -> None:
        super().__init__(message)
        self.url = url
        """Where the file is, after redirects."""
