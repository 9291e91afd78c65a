"""The person a request speaks for."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Viewer:
    user_id: UUID
    email: str | None
    default_library_id: UUID
