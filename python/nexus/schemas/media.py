"""Media, as the API takes and gives it."""

from datetime import datetime
from uuid import UUID

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.schemas.base import RequestModel, ResponseModel


class Capabilities(ResponseModel):
    """What a reader can do with an item. The interface asks this, never the raw status."""

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
    capabilities: Capabilities
    duplicate: bool = False


class MediaList(ResponseModel):
    media: list[MediaOut]
    next_cursor: str | None


class FragmentOut(ResponseModel):
    id: UUID
    media_id: UUID
    idx: int
    html_sanitized: str
    canonical_text: str
    created_at: datetime


class FragmentList(ResponseModel):
    fragments: list[FragmentOut]
    next_cursor: str | None = None


class MediaFromUrlRequest(RequestModel):
    kind: str
    url: str


class MediaFromUrlOut(ResponseModel):
    media_id: UUID
    created: bool
    enqueued: bool


class RetryOut(ResponseModel):
    media_id: UUID
    enqueued: bool


class UploadRequest(RequestModel):
    """What is about to be uploaded."""

    filename: str
    content_type: str
    size_bytes: int


class UploadInitRequest(UploadRequest):
    kind: str


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
    enqueued: bool


class FileUrlOut(ResponseModel):
    url: str
    expires_at: datetime
