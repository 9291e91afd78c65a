"""Requests and responses for highlights and annotations."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID, uuid4

from pydantic import AfterValidator, Field, Strict

from nexus.db.enums import HighlightColor
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel

MAX_NOTE_LENGTH = 10_000

# JSON has no enums: even a strict model takes them from strings.
BodyColor = Annotated[HighlightColor, Strict(False)]


def _note(body: str) -> str:
    if not body.strip():
        raise ValueError("a note cannot be blank")
    if len(body) > MAX_NOTE_LENGTH:
        raise ValueError(f"a note has at most {MAX_NOTE_LENGTH:,} characters")
    return body


def _unguessable(id: UUID) -> UUID:
    # Other versions can be guessed, or come out the same on two devices.
    if id.version not in (4, 7):
        raise ValueError("an id is a UUID of version 4 or 7")
    return id


class CreateHighlightRequest(RequestModel):
    """The span in code points, and the text around it: the gate against drift.

    Clients that send an id can safely repeat the request: it creates one highlight at most.
    """

    id: Annotated[BodyUUID, AfterValidator(_unguessable)] = Field(default_factory=uuid4)
    start_offset: int
    end_offset: int
    color: BodyColor
    exact: str
    prefix: str
    suffix: str


class UpdateHighlightRequest(RequestModel):
    """Fields left out stay as they are; none of them can be `null`."""

    start_offset: int = 0
    end_offset: int = 0
    color: BodyColor = HighlightColor.YELLOW
    exact: str = ""
    prefix: str = ""
    suffix: str = ""


class AnnotationRequest(RequestModel):
    body: Annotated[str, AfterValidator(_note)]


class AnnotationOut(ResponseModel):
    id: UUID
    highlight_id: UUID
    body: str
    created_at: datetime
    updated_at: datetime


class PageOfText(ResponseModel):
    """A page of a paged document."""

    number: int
    """Counted from 1."""
    label: str
    """What the document calls it, for example "xii"; the number, if it has no name of its own."""


class HighlightOut(ResponseModel):
    id: UUID
    fragment_id: UUID
    start_offset: int
    end_offset: int
    color: HighlightColor
    exact: str
    prefix: str
    suffix: str
    created_at: datetime
    updated_at: datetime
    annotation: AnnotationOut | None
    page: PageOfText | None = None
    """The page on which it begins; `null` where the document has no pages."""
    end_page: PageOfText | None = None
    """The page on which it ends, if that is another one."""


class HighlightList(ResponseModel):
    highlights: list[HighlightOut]
    next_cursor: str | None = None


class HighlightOfMedia(HighlightOut):
    media_id: UUID
    media_title: str
    chapter: str | None
    """What the part of the document is called that it is in, where it has a name."""


class HighlightOfMediaList(ResponseModel):
    highlights: list[HighlightOfMedia]
    next_cursor: str | None


class CopyFormat(StrEnum):
    MARKDOWN = "markdown"
    TEXT = "text"


class CopiedHighlights(ResponseModel):
    """Highlights as text to paste elsewhere."""

    markdown: str
    """Or plain text, if that was asked for."""
    count: int
