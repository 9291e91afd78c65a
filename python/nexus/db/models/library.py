"""Libraries, who may see them, and what they hold."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasCreatedAt, HasId, HasTimestamps, checked_enum
from nexus.db.enums import MembershipRole


class Library(HasId, HasTimestamps, Base):
    __tablename__ = "libraries"

    name: Mapped[str]
    owner_user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), index=True
    )
    is_default: Mapped[bool] = mapped_column(default=False, server_default=text("false"))

    __table_args__ = (
        CheckConstraint("char_length(name) BETWEEN 1 AND 100", name="name_length"),
        Index(
            "uq_libraries_one_default_per_owner",
            "owner_user_id",
            unique=True,
            postgresql_where=text("is_default"),
        ),
    )


class Membership(HasCreatedAt, Base):
    """Membership is what lets a person see a library; the role lets them change it."""

    __tablename__ = "memberships"

    library_id: Mapped[UUID] = mapped_column(
        ForeignKey("libraries.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[MembershipRole] = mapped_column(checked_enum(MembershipRole, name="role"))


class LibraryMedia(HasCreatedAt, Base):
    """An item in a library. `created_at` is when it was put there."""

    __tablename__ = "library_media"

    library_id: Mapped[UUID] = mapped_column(
        ForeignKey("libraries.id", ondelete="CASCADE"), primary_key=True
    )
    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True, index=True
    )

    # Lists are newest first with a keyset cursor: this index has that order.
    __table_args__ = (Index(None, "library_id", "created_at", "media_id"),)
