"""Media, as the API takes and gives it."""

from datetime import datetime
from uuid import UUID

from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.schemas.base import ResponseModel


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
