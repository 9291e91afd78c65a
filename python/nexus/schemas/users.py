"""The response that describes the viewer."""

from datetime import datetime
from uuid import UUID

from nexus.schemas.base import ResponseModel


class MeOut(ResponseModel):
    id: UUID
    email: str | None
    default_library_id: UUID
    created_at: datetime
