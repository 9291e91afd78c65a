"""Requests and responses for files that are brought from elsewhere."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from nexus.db.enums import ImportState
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel
from nexus.schemas.shelf import MAX_TAGS_PER_ITEM, TagName

MAX_IMPORT_BYTES = 200 * 1024 * 1024


class StartImportRequest(RequestModel):
    """Where the items go, beside the default library and the folders of the file."""

    library_id: BodyUUID | None = None
    tags: Annotated[list[TagName], Field(max_length=MAX_TAGS_PER_ITEM)] = Field(
        default_factory=list
    )


class ImportCounts(ResponseModel):
    items: int
    highlights: int
    skipped: int
    """Lines that are not taken, each with a reason in the report."""
    items_done: int
    """Items that are in the library, whether or not their page has been fetched yet."""
    items_failed: int
    """Lines that could not be taken, and pages that could not be fetched."""
    items_waiting: int
    """Of those done, how many pages wait to be fetched or are being fetched."""
    highlights_placed: int
    highlights_waiting: int
    """Highlights whose text is not there yet."""
    highlights_not_found: int


class ImportSample(ResponseModel):
    title: str | None
    url: str | None
    tags: list[str]
    folders: list[str]
    highlights: int


class ImportOut(ResponseModel):
    id: UUID
    name: str
    """The name of the file."""
    format: str
    format_label: str
    """What people call the format."""
    state: ImportState
    unfinished: bool
    """Whether lines are being taken in, or taken back after an undo."""
    counts: ImportCounts
    samples: list[ImportSample]
    """The first items of the file."""
    skipped_reasons: dict[str, int]
    """How many lines are skipped for each reason."""
    library_id: UUID | None
    tags: list[str]
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


class ImportList(ResponseModel):
    imports: list[ImportOut]
    """The newest first."""
