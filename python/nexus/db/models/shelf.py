"""Each person's own shelf: what they can read, how far they are, and how they keep it in order."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    REAL,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Text,
    TextClause,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasId, checked_enum, words_of_one_person
from nexus.db.enums import MediaKind, ReadingState

# What has no such value comes last in its order.
_OPENED = "COALESCE(opened_at, '-infinity'::timestamp with time zone)"
_TITLE = "COALESCE(title_key, '\U0010ffff'::text)"
_LENGTH = "COALESCE(length, 2147483647)"
_VISIBLE = text("visible")


def _order(name: str, *columns: str | TextClause) -> Index:
    keys = ("user_id", "archived", *columns, "media_id")
    return Index(f"ix_shelf_items_{name}", *keys, postgresql_where=_VISIBLE)


class ShelfItem(Base):
    """One person and one item they can read, or could.

    Triggers on `library_media`, `memberships` and `media` keep the rows: who can read what since
    when, and the columns copied from the item for lists to sort and filter by. The rest is the
    person's own and stays while the item is out of their sight.
    """

    __tablename__ = "shelf_items"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    visible: Mapped[bool] = mapped_column(server_default=true())
    saved_at: Mapped[datetime]
    """When it was first put into a library of the person."""
    archived: Mapped[bool] = mapped_column(server_default=false())
    favourite: Mapped[bool] = mapped_column(server_default=false())
    state: Mapped[ReadingState] = mapped_column(
        checked_enum(ReadingState, name="state"), server_default=text("'unread'")
    )
    progress: Mapped[float] = mapped_column(REAL, server_default=text("0"))
    opened_at: Mapped[datetime | None]
    given_title: Mapped[str | None]
    """What an import called the item; shown until its page has been read."""
    given_excerpt: Mapped[str | None]

    kind: Mapped[MediaKind] = mapped_column(checked_enum(MediaKind, name="kind"))
    title_key: Mapped[str | None] = mapped_column(Text(collation="C"))
    """The folded title; null while the item is named only by an address, which is private."""
    length: Mapped[int | None]
    words: Mapped[str | None] = mapped_column(TSVECTOR, deferred=True)
    """What the item is called and its tags; triggers copy them (`shelf_words`)."""

    __table_args__ = (
        CheckConstraint("progress BETWEEN 0 AND 1", name="progress_is_a_part"),
        # Each order of a list, within what is archived and what is not.
        _order("saved", "saved_at"),
        _order("opened", text(_OPENED), "saved_at"),
        _order("title", text(_TITLE)),
        _order("length", text(_LENGTH)),
        # What few items have is found by these.
        Index("ix_shelf_items_kind", "user_id", "kind", "saved_at", postgresql_where=_VISIBLE),
        Index("ix_shelf_items_state", "user_id", "state", "saved_at", postgresql_where=_VISIBLE),
        Index(
            "ix_shelf_items_favourite",
            "user_id",
            "favourite",
            "saved_at",
            postgresql_where=_VISIBLE,
        ),
        words_of_one_person("shelf_items"),
    )


class Tag(HasId, Base):
    """A name a person gave to some of their items. Spellings that differ in case are one tag."""

    __tablename__ = "tags"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    key: Mapped[str]
    words: Mapped[str | None] = mapped_column(TSVECTOR, deferred=True)

    __table_args__ = (
        UniqueConstraint("user_id", "key"),
        CheckConstraint("char_length(name) BETWEEN 1 AND 100", name="name_length"),
    )


class ItemTag(Base):
    """A tag on an item of the person's shelf."""

    __tablename__ = "item_tags"

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    media_id: Mapped[UUID] = mapped_column(primary_key=True)
    tag_id: Mapped[UUID] = mapped_column(
        ForeignKey("tags.id", ondelete="CASCADE"), primary_key=True
    )

    __table_args__ = (
        # To the shelf, not to the item: a tag is written under the lock of the former alone.
        ForeignKeyConstraint(
            ["user_id", "media_id"],
            ["shelf_items.user_id", "shelf_items.media_id"],
            ondelete="CASCADE",
        ),
        Index(None, "tag_id", "media_id"),
    )
