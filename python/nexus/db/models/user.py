"""People, whatever issuer vouches for them."""

from datetime import datetime

from sqlalchemy.orm import Mapped

from nexus.db.base import Base, HasCreatedAt, HasId


class User(HasId, HasCreatedAt, Base):
    """One reader. `id` is the `sub` of their token; the e-mail is for display only."""

    __tablename__ = "users"

    email: Mapped[str | None]
    served_at: Mapped[datetime | None]
    """When a worker last took one of their articles from the queue."""
    background_served_at: Mapped[datetime | None]
    """When a worker last took one of their imported pages, which wait behind all others."""
