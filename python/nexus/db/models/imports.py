"""Files brought from elsewhere, line by line, and the pages of theirs that wait to be fetched."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Text, Uuid, false, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasId, HasTimestamps, checked_enum
from nexus.db.enums import ImportOutcome, ImportState


class Import(HasId, HasTimestamps, Base):
    """One file of one person. `services.imports.states` alone changes its state."""

    __tablename__ = "imports"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    format: Mapped[str]
    format_label: Mapped[str]
    state: Mapped[ImportState] = mapped_column(
        checked_enum(ImportState, name="state"),
        default=ImportState.PREVIEW,
        server_default=text("'preview'"),
    )
    unfinished: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether there are lines to be taken in, or taken back."""
    position: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    """The number of the last line that was dealt with."""
    library_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("libraries.id", ondelete="SET NULL"), index=True
    )
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list, server_default=text("'{}'"))
    storage_path: Mapped[str | None]
    """Where the file is kept, if documents inside it are still needed."""
    items: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    highlights: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    skipped: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    items_done: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    """Lines whose item is in the library; `items_failed` are those that could not be taken."""
    items_failed: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    highlights_done: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    samples: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    skipped_reasons: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=text("'{}'"))
    made_library_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid), default=list, server_default=text("'{}'")
    )
    made_tag_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid), default=list, server_default=text("'{}'")
    )
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        Index(None, "user_id", "created_at"),
        Index("ix_imports_unfinished", "updated_at", postgresql_where=text("unfinished")),
    )


class ImportRecord(Base):
    """One line of an imported file: what it says, and what became of it."""

    __tablename__ = "import_records"

    import_id: Mapped[UUID] = mapped_column(
        ForeignKey("imports.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    line: Mapped[int]
    record: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """As `nexus.importers.records` writes it."""
    outcome: Mapped[ImportOutcome] = mapped_column(
        checked_enum(ImportOutcome, name="outcome"), server_default=text("'waiting'")
    )
    reason: Mapped[str | None]
    media_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("media.id", ondelete="SET NULL"), index=True
    )
    added: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """What the import added to the item, so that exactly that can be taken back."""


class BackgroundSite(Base):
    """A site with pages that wait in the background for one person. A trigger adds the rows."""

    __tablename__ = "background_sites"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    site: Mapped[str] = mapped_column(primary_key=True, index=True)
    due_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
    """When the next page of this site may be fetched."""

    __table_args__ = (Index(None, "user_id", "due_at"),)
