"""What full text search looks through. All of it is derived, and not part of a backup."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, literal_column
from sqlalchemy.dialects.postgresql import ARRAY, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Uuid

from nexus.db.base import Base

BUCKET_BITS = 12
# Passages are numbered as they are stored. The bucket of a number is how new a passage is, as an
# array because the index is one of arrays. A literal, or the index would not be recognised.
PASSAGE_BUCKETS = literal_column(f"(ARRAY[id >> {BUCKET_BITS}])", ARRAY(BigInteger))


class SearchPassage(Base):
    """A piece of a fragment and its words; before them, what the item is called."""

    __tablename__ = "search_passages"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), index=True)
    fragment_id: Mapped[UUID] = mapped_column(
        ForeignKey("fragments.id", ondelete="CASCADE"), index=True
    )
    start_offset: Mapped[int]
    end_offset: Mapped[int]
    dictionary: Mapped[str]
    """The dictionary of Postgres that found the stems."""
    library_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    """Libraries by which people find the item, and perhaps some that held it; kept by triggers."""
    words: Mapped[str] = mapped_column(TSVECTOR, deferred=True)

    __table_args__ = (
        CheckConstraint(
            "start_offset >= 0 AND end_offset > start_offset", name="offsets_are_in_text"
        ),
        # All in one index: a search reads what is in the person's own libraries and nothing else,
        # and the newest of it first.
        Index(
            "ix_search_passages_words",
            "library_ids",
            "words",
            PASSAGE_BUCKETS,
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
    )


class SearchBacklog(Base):
    """An item to be indexed: it was stored by an earlier release or restored, or is in fewer
    libraries than before.

    Every other item is indexed in the transaction that stores its text.
    """

    __tablename__ = "search_backlog"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), unique=True)
    tried_at: Mapped[datetime | None]
    """Set before it is indexed: one that stops the worker is not tried again at once."""
