"""Requests and responses for reading preferences and positions."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BeforeValidator, Field, Strict

from nexus.db.enums import ReadingFont, ReadingWidth, Theme
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel


def _read_moment(value: Any) -> datetime:
    """A time as text, with its zone, in a year that a device today can mean."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    if moment is None or moment.tzinfo is None or not 2000 <= moment.year <= 2200:
        raise ValueError("must be a time such as 2026-01-31T12:00:00Z")
    return moment


# JSON has neither times nor enums: even a strict model takes them from strings.
_Moment = Annotated[datetime, BeforeValidator(_read_moment)]


class PreferencesRequest(RequestModel):
    """All preferences together, and when the person chose them by their device's clock."""

    theme: Annotated[Theme, Strict(False)]
    font: Annotated[ReadingFont, Strict(False)]
    width: Annotated[ReadingWidth, Strict(False)]
    size: int = Field(ge=8, le=72)
    # Older apps do not send it: then it stays as it is.
    highlight_code: bool = False
    changed_at: _Moment


class PreferencesOut(ResponseModel):
    theme: Theme
    font: ReadingFont
    width: ReadingWidth
    size: int
    highlight_code: bool
    changed_at: datetime


class PositionRequest(RequestModel):
    fragment_id: BodyUUID
    offset: int = Field(ge=0, le=2**31 - 1)
    seen_to: int | None = Field(
        default=None,
        ge=0,
        le=2**31 - 1,
        description="Where the last text on the screen ends, if that is in the same fragment.",
    )
    changed_at: _Moment


class PositionOut(ResponseModel):
    fragment_id: UUID
    offset: int
    changed_at: datetime
