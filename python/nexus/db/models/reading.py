"""How and where a person reads, so that the next device continues from there."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, false
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, checked_enum
from nexus.db.enums import ReadingFont, ReadingWidth, Theme


class ReadingPreferences(Base):
    """How a person likes to read."""

    __tablename__ = "reading_preferences"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    theme: Mapped[Theme] = mapped_column(checked_enum(Theme, name="theme"))
    font: Mapped[ReadingFont] = mapped_column(checked_enum(ReadingFont, name="font"))
    width: Mapped[ReadingWidth] = mapped_column(checked_enum(ReadingWidth, name="width"))
    size: Mapped[int]
    highlight_code: Mapped[bool] = mapped_column(server_default=false())
    changed_at: Mapped[datetime]

    __table_args__ = (CheckConstraint("size BETWEEN 8 AND 72", name="size_is_readable"),)


class ReadingPosition(Base):
    """How far a person is in an item: the first text on their screen, in code points."""

    __tablename__ = "reading_positions"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    fragment_id: Mapped[UUID] = mapped_column(
        ForeignKey("fragments.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    text_offset: Mapped[int]
    changed_at: Mapped[datetime]

    __table_args__ = (CheckConstraint("text_offset >= 0", name="offset_is_in_text"),)


class WaitingPosition(Base):
    """A place in a text that is not there yet: one that came with a file in an archive."""

    __tablename__ = "waiting_positions"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    fragment_idx: Mapped[int] = mapped_column(primary_key=True)
    text_offset: Mapped[int]
    changed_at: Mapped[datetime]

    __table_args__ = (CheckConstraint("text_offset >= 0", name="offset_is_in_text"),)
