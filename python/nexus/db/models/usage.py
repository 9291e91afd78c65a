"""What each person used, for the quota hooks."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasCreatedAt, checked_enum
from nexus.db.enums import UsageOperation


class UsageRecord(HasCreatedAt, Base):
    __tablename__ = "usage_records"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    operation: Mapped[UsageOperation] = mapped_column(
        checked_enum(UsageOperation, name="operation")
    )
    amount: Mapped[int] = mapped_column(BigInteger)
    media_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("media.id", ondelete="SET NULL"), index=True
    )

    __table_args__ = (Index(None, "user_id", "operation", "created_at"),)
