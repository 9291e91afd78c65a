"""Libraries, as the API takes and gives them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator

from nexus.db.enums import MembershipRole
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel
from nexus.text import collapse_name

MAX_NAME_LENGTH = 100


def _library_name(name: str) -> str:
    name = collapse_name(name)
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise ValueError(f"a library name has 1 to {MAX_NAME_LENGTH} characters")
    return name


LibraryName = Annotated[str, AfterValidator(_library_name)]


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
