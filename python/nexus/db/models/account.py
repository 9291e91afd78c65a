"""How a person signs in here: local account, browser sessions, personal API tokens."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasCreatedAt, HasId, HasTimestamps


class Account(HasTimestamps, Base):
    """A local e-mail address and password. Users of an external issuer have none."""

    __tablename__ = "accounts"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    email: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]

    __table_args__ = (CheckConstraint("email = lower(email)", name="email_lowercase"),)


class UserSession(HasCreatedAt, Base):
    """A signed-in browser. Only the hash of its cookie is stored."""

    __tablename__ = "sessions"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    # Identifies it in the list of sessions: the hash never leaves the server.
    id: Mapped[UUID] = mapped_column(server_default=text("gen_random_uuid()"), unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    user_agent: Mapped[str | None]
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime] = mapped_column(index=True)


class ApiToken(HasId, HasCreatedAt, Base):
    """A personal API token (`nxs_…`). Only its hash is stored; `prefix` tells tokens apart."""

    __tablename__ = "api_tokens"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    prefix: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    last_used_at: Mapped[datetime | None]

    __table_args__ = (Index(None, "user_id", "created_at"),)
