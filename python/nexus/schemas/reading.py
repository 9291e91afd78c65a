"""How and where a person reads, as the API takes and gives it."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BeforeValidator, Field, Strict

from nexus.db.enums import ReadingFont, ReadingWidth, Theme
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel


def _read_moment(value: Any) -> datetime:
    """A moment as text, with its time zone, in a year that a living device can mean."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    if moment is None or moment.tzinfo is None or not 2000 <= moment.year <= 2200:
        raise ValueError("must be a moment such as 2026-01-31T12:00:00Z")
    return moment


# JSON has neither moments nor enumerations: a strict model still takes them from strings.
_Moment = Annotated[datetime, BeforeValidator(_read_moment)]


class PreferencesRequest(RequestModel):
    """All of them together, and when the person chose so by the clock of their device."""

    theme: Annotated[Theme, Strict(False)]
    font: Annotated[ReadingFont, Strict(False)]
    width: Annotated[ReadingWidth, Strict(False)]
    size: int = Field(ge=8, le=72)
    # Left out by an app that does not know it yet: then it stays as it is.
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
    changed_at: _Moment


class PositionOut(ResponseModel):
    fragment_id: UUID
    offset: int
    changed_at: datetime
