"""The person a request is made for."""

import time
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Viewer:
    user_id: UUID
    email: str | None
    default_library_id: UUID


class KnownViewers:
    """Remembers for a short while whose default library is which: it never changes.

    Only what is committed may be remembered.
    """

    def __init__(self, *, lifetime_seconds: float = 30, most: int = 10_000) -> None:
        self._lifetime = lifetime_seconds
        self._most = most
        self._known: dict[UUID, tuple[float, UUID]] = {}

    def default_library_id(self, user_id: UUID) -> UUID | None:
        until, library_id = self._known.get(user_id, (0.0, None))
        return library_id if time.monotonic() < until else None

    def remember(self, user_id: UUID, library_id: UUID) -> None:
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[user_id] = (time.monotonic() + self._lifetime, library_id)
