"""One line of an import on its way into the library."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from nexus.db.enums import ImportOutcome
from nexus.importers.records import ImportedItem

# Earlier than any page; a date before it is a mistake.
_FIRST = datetime(1990, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Line:
    number: int
    item: ImportedItem
    media_id: UUID | None = None
    new: bool = False
    """Whether the item was not in the person's library before."""
    failed: bool = False
    notes: list[str] = field(default_factory=list)
    """What is worth saying about it in the report."""
    added: dict[str, Any] = field(default_factory=dict)
    """What an undo has to take back."""

    @property
    def outcome(self) -> ImportOutcome:
        if self.failed:
            return ImportOutcome.FAILED
        return ImportOutcome.ADDED if self.new else ImportOutcome.EXISTING

    def fail(self, reason: str) -> None:
        self.failed = True
        self.notes.append(reason)

    def saved_at(self, now: datetime) -> datetime:
        """When it was saved elsewhere, if that can be true."""
        moment = self.item.saved_at
        if moment is None:
            return now
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment if _FIRST <= moment <= now else now
