"""Requests and responses for items."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Discriminator, Field, Tag

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus, ReadingState
from nexus.extractors.kinds import FILE_KINDS
from nexus.schemas.base import ExactModel, OutcomeFlag, RequestModel, ResponseModel


class Capabilities(ResponseModel):
    """What a reader can do with an item. The web app checks this, never the raw status."""

    can_read: bool
    can_highlight: bool
    can_quote: bool
    can_search: bool
    can_play: bool
    can_download_file: bool


class MediaOut(ResponseModel):
    id: UUID
    kind: MediaKind
    title: str
    requested_url: str | None
    canonical_url: str | None
    canonical_source_url: str | None
    external_playback_url: str | None
    provider: str | None
    provider_id: str | None
    processing_status: ProcessingStatus
    processing_attempts: int
    failure_stage: FailureStage | None
    last_error_code: str | None
    last_error_message: str | None
    processing_started_at: datetime | None
    processing_completed_at: datetime | None
    failed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    authors: list[str]
    site_name: str | None
    """The site, or the publisher of a book."""
    published_at: str | None
    """An ISO 8601 date, as exact as the source has it, or a date and time."""
    language: str | None
    excerpt: str | None
    lead_image_url: str | None
    """The path to show it from, like those of the images in the text."""
    word_count: int | None
    """Words; in scripts that do not separate words, characters."""
    page_count: int | None
    saved_at: datetime
    """When the viewer got the item; every other date is no earlier."""
    state: ReadingState
    """Whether the viewer has read it. This and what follows up to `tags` is the viewer's own."""
    progress: float
    """How much of the text the viewer has seen, from 0 to 1, whatever `state` says."""
    archived: bool
    favourite: bool
    opened_at: datetime | None
    """When the viewer last opened it."""
    tags: list[str]
    """In alphabetical order."""
    can_retry: bool
    """Whether the viewer may retry the item, and a retry can help."""
    capabilities: Capabilities
    duplicate: bool = False


class MediaListItem(MediaOut):
    highlight_count: int
    """The viewer's own highlights on this item."""


class MediaList(ResponseModel):
    media: list[MediaListItem]
    next_cursor: str | None


class ImageSizeOut(ResponseModel):
    """The size of an image in pixels, by the `src` it has in the text."""

    src: str
    width: int
    height: int


class FragmentOut(ResponseModel):
    id: UUID
    media_id: UUID
    idx: int
    html_sanitized: str
    canonical_text: str
    created_at: datetime
    images: list[ImageSizeOut] = Field(default_factory=list)
    """The images whose size is known. The list may grow; the text does not change."""


class FragmentInOutline(ResponseModel):
    id: UUID
    idx: int
    label: str | None
    length: int
    """Code points of the canonical text."""


class ContentsEntryOut(ResponseModel):
    """One line of the table of contents, and the place where its part begins."""

    label: str
    fragment_id: UUID
    offset: int
    children: list["ContentsEntryOut"]


class PageOut(ResponseModel):
    """Where a page of a paged document begins; in a scan there is no text for it to begin in."""

    number: int
    label: str
    fragment_id: UUID | None
    offset: int


class StartOut(ResponseModel):
    """Where a book's own text begins, behind its cover and copyright page."""

    fragment_id: UUID
    offset: int


class OutlineOut(ResponseModel):
    """The parts of an item without their text. Lists are empty where they do not apply."""

    fragments: list[FragmentInOutline]
    contents: list[ContentsEntryOut]
    pages: list[PageOut]
    start: StartOut | None
    fixed_layout: bool
    """Made for pages whose layout is not kept: only its text and pictures are shown."""


class HoldingLibraries(ResponseModel):
    """The viewer's libraries that hold an item."""

    library_ids: list[UUID]


class FragmentList(ResponseModel):
    fragments: list[FragmentOut]
    next_cursor: str | None = None


class FromUrlRequest(RequestModel):
    url: str


class FromUrlResponse(ResponseModel):
    media_id: UUID
    duplicate: bool
    processing_status: str
    ingest_enqueued: OutcomeFlag


class MediaFromUrlRequest(ExactModel):
    """The service checks both fields, because each has an error code of its own."""

    kind: str
    url: str


class MediaFromUrlOut(ResponseModel):
    media_id: UUID
    created: bool
    enqueued: OutcomeFlag


class RetryOut(ResponseModel):
    media_id: UUID
    enqueued: OutcomeFlag


class UploadRequest(RequestModel):
    """What is about to be uploaded."""

    filename: str
    content_type: str
    size_bytes: int


class UploadInitRequest(UploadRequest):
    kind: str


def _way_in(body: object) -> str:
    """Which of the two a body is meant to be, so that errors are about that one."""
    if isinstance(body, dict) and "url" not in body:
        is_file = UploadRequest.model_fields.keys() & body.keys()
        if is_file or any(body.get("kind") == kind for kind in FILE_KINDS):
            return "one-of[file]"
    return "one-of[address]"


CreateMediaRequest = Annotated[
    Annotated[MediaFromUrlRequest, Tag("one-of[address]")]
    | Annotated[UploadInitRequest, Tag("one-of[file]")],
    Discriminator(_way_in),
]


class UploadTarget(ResponseModel):
    """Where and how to PUT the bytes."""

    media_id: UUID
    storage_path: str
    upload_url: str
    upload_headers: dict[str, str]
    expires_at: datetime


class IngestOut(ResponseModel):
    media_id: UUID
    duplicate: bool
    processing_status: ProcessingStatus
    enqueued: OutcomeFlag


class FileUrlOut(ResponseModel):
    url: str
    expires_at: datetime
