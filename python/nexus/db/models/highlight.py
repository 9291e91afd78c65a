"""Highlights over a fragment's canonical text, and their notes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql.elements import conv

from nexus.db.base import Base, HasId, HasTimestamps, checked_enum, words_of_one_person
from nexus.db.enums import HighlightColor


class Highlight(HasId, HasTimestamps, Base):
    """A half-open span `[start_offset, end_offset)` in code points. Spans may overlap."""

    __tablename__ = "highlights"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    fragment_id: Mapped[UUID] = mapped_column(
        ForeignKey("fragments.id", ondelete="CASCADE"), index=True
    )
    start_offset: Mapped[int]
    end_offset: Mapped[int]
    color: Mapped[HighlightColor] = mapped_column(checked_enum(HighlightColor, name="color"))
    exact: Mapped[str]
    prefix: Mapped[str]
    suffix: Mapped[str]
    words: Mapped[str | None] = mapped_column(TSVECTOR, deferred=True)
    """Null until the words of the item are indexed."""

    __table_args__ = (
        CheckConstraint(
            "start_offset >= 0 AND end_offset > start_offset", name=conv("chk_offsets_valid")
        ),
        Index(
            "uix_highlights_user_fragment_offsets",
            "user_id",
            "fragment_id",
            "start_offset",
            "end_offset",
            unique=True,
        ),
        # "All my highlights, newest first" pages through this.
        Index(None, "user_id", "created_at", "id"),
        words_of_one_person("highlights"),
    )


class Annotation(HasId, HasTimestamps, Base):
    """A plain-text note: at most one per highlight."""

    __tablename__ = "annotations"

    highlight_id: Mapped[UUID] = mapped_column(ForeignKey("highlights.id", ondelete="CASCADE"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    body: Mapped[str]
    words: Mapped[str | None] = mapped_column(TSVECTOR, deferred=True)

    __table_args__ = (
        UniqueConstraint("highlight_id", name="uix_annotations_one_per_highlight"),
        CheckConstraint("char_length(body) BETWEEN 1 AND 10000", name="body_length"),
        words_of_one_person("annotations"),
    )


class DeletedHighlight(Base):
    """A highlight that was deleted; its id is never used again.

    For a moment it is here whole with its note, so that the deletion can be undone.
    """

    __tablename__ = "deleted_highlights"

    highlight_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    fragment_id: Mapped[UUID] = mapped_column(
        ForeignKey("fragments.id", ondelete="CASCADE"), index=True
    )
    highlight: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    annotation: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    deleted_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        # What is still here whole, for the chore that empties it.
        Index(None, "deleted_at", postgresql_where=text("highlight IS NOT NULL")),
    )
