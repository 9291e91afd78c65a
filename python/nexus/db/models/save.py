"""What is each person's own about an item that several may share."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasCreatedAt, checked_enum
from nexus.db.enums import MediaKind


class SavedAddress(HasCreatedAt, Base):
    """An address by which a person saved an item, or at which it was found.

    It leads nobody else to the item: where an address redirects to may change, and the address
    itself may contain a secret.
    """

    __tablename__ = "saved_addresses"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[MediaKind] = mapped_column(checked_enum(MediaKind, name="kind"), primary_key=True)
    lookup_key: Mapped[str] = mapped_column(primary_key=True)
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), index=True)
    requested_url: Mapped[str | None]
    """As the person gave it; null for items saved before this was recorded."""
    words: Mapped[str | None] = mapped_column(TSVECTOR, deferred=True)

    __table_args__ = (Index(None, "user_id", "media_id"),)


class RemovedMedia(Base):
    """An item a person removed moments ago, with all that was theirs, so that it can be undone."""

    __tablename__ = "removed_media"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    kept: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """Rows by table name."""
    removed_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
