"""Highlights from elsewhere that have no place in the text yet."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasCreatedAt, HasId, checked_enum
from nexus.db.enums import HighlightColor, UnplacedState


class UnplacedHighlight(HasId, HasCreatedAt, Base):
    """A quote, or a note on the whole item if the quote is empty, with its source's dates.

    Once it is a highlight, or was deleted for good, only the row's key stays: running the same
    import again adds nothing.
    """

    __tablename__ = "unplaced_highlights"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), index=True)
    import_id: Mapped[UUID | None] = mapped_column(index=True)
    key: Mapped[str]
    quote: Mapped[str]
    prefix: Mapped[str]
    suffix: Mapped[str]
    note: Mapped[str | None]
    color: Mapped[HighlightColor | None] = mapped_column(checked_enum(HighlightColor, name="color"))
    page: Mapped[str | None]
    position: Mapped[int | None] = mapped_column(BigInteger)
    """Where it starts in the text of its source, in code points: orders those of one item."""
    fragment_idx: Mapped[int | None]
    start_offset: Mapped[int | None]
    end_offset: Mapped[int | None]
    """The place in our own text; only our own archives know it."""
    state: Mapped[UnplacedState] = mapped_column(checked_enum(UnplacedState, name="state"))
    highlight_id: Mapped[UUID | None]
    """The highlight that was created for it; null if it joined one that existed."""
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), sort_order=2)
    tried_at: Mapped[datetime | None] = mapped_column(sort_order=2)
    deleted_at: Mapped[datetime | None] = mapped_column(sort_order=2)

    __table_args__ = (
        UniqueConstraint("user_id", "media_id", "key"),
        CheckConstraint(
            "state = 'gone' OR state = 'placed' OR quote <> '' OR note IS NOT NULL",
            name="says_something",
        ),
        Index(
            "ix_unplaced_highlights_waiting",
            "media_id",
            postgresql_where=text("state = 'waiting' AND deleted_at IS NULL"),
        ),
        # What can still be brought back, for the chore that empties it.
        Index(
            None,
            "deleted_at",
            postgresql_where=text("deleted_at IS NOT NULL AND state <> 'gone'"),
        ),
    )
