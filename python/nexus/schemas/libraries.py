"""Requests and responses for libraries."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator

from nexus.db.enums import MembershipRole
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel, check_name

LibraryName = Annotated[str, AfterValidator(lambda name: check_name(name, "a library name"))]


class LibraryNameRequest(RequestModel):
    name: LibraryName


class AddMediaRequest(RequestModel):
    media_id: BodyUUID


class LibraryOut(ResponseModel):
    id: UUID
    name: str
    is_default: bool
    role: MembershipRole
    owner_user_id: UUID
    media_count: int
    created_at: datetime
    updated_at: datetime


class LibraryList(ResponseModel):
    libraries: list[LibraryOut]
    next_cursor: str | None


class LibraryMediaOut(ResponseModel):
    library_id: UUID
    media_id: UUID
