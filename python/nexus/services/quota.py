"""Quota hooks: asked before work, told after it. There are no limits yet, only records."""

from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.enums import UsageOperation
from nexus.db.models import UsageRecord
from nexus.errors import ApiError


def check_quota(
    session: Session,  # noqa: ARG001 - limits will be read from here
    *,
    user_id: UUID,  # noqa: ARG001
    operation: UsageOperation,  # noqa: ARG001
    amount: int,  # noqa: ARG001
) -> bool:
    """Whether the person may use this much. Always, for now."""
    return True


def require_quota(
    session: Session, *, user_id: UUID, operation: UsageOperation, amount: int
) -> None:
    """Raise when the person has used up what they may."""
    if not check_quota(session, user_id=user_id, operation=operation, amount=amount):
        raise ApiError(
            "E_QUOTA_EXCEEDED", "You have used up your quota for now. Try later.", status=429
        )


def record_usage(
    session: Session,
    *,
    user_id: UUID,
    operation: UsageOperation,
    amount: int,
    media_id: UUID | None,
) -> None:
    """Note what was used."""
    session.add(UsageRecord(user_id=user_id, operation=operation, amount=amount, media_id=media_id))
