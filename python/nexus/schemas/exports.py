"""Requests and responses for exports."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, Strict

from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel

MAX_EXPORTED_BY_ID = 1_000
MAX_TEMPLATE_CHARACTERS = 20_000


class ExportFormat(StrEnum):
    NEXUS = "nexus"
    MARKDOWN = "markdown"
    READWISE = "readwise"
    W3C = "w3c"
    BOOKMARKS = "bookmarks"


class ExportRequest(RequestModel):
    """Without `media_ids`, everything the viewer can read."""

    format: Annotated[ExportFormat, Strict(False)]
    media_ids: (
        Annotated[list[BodyUUID], Field(min_length=1, max_length=MAX_EXPORTED_BY_ID)] | None
    ) = None
    template: Annotated[str, Field(min_length=1, max_length=MAX_TEMPLATE_CHARACTERS)] | None = None


class TemplateOut(ResponseModel):
    """The template by which Markdown is written unless another one is given."""

    template: str
