"""Requests and responses for highlights from elsewhere that have no place in the text yet."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from nexus.db.enums import HighlightColor
from nexus.schemas.base import BodyUUID, ResponseModel
from nexus.schemas.highlights import CreateHighlightRequest


class PlaceHighlightRequest(CreateHighlightRequest):
    """The span that the person chose."""

    fragment_id: BodyUUID


class UnplacedOut(ResponseModel):
    id: UUID
    media_id: UUID
    quote: str
    """Empty for a note on the item as a whole."""
    prefix: str
    suffix: str
    note: str | None
    color: HighlightColor | None
    page: str | None
    state: Literal["waiting", "not_found"]
    """`waiting`: the text is not there yet, or was not searched yet."""
    created_at: datetime


class UnplacedList(ResponseModel):
    unplaced: list[UnplacedOut]
