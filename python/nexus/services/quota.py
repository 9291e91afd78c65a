"""What a person may use: how many articles may wait for them, and hooks for more.

The hooks are called before and after work. They set no limits yet, and only record usage.
"""

from uuid import UUID

from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import UsageOperation
from nexus.db.models import UsageRecord
from nexus.errors import ApiError
from nexus.services.ingest_turns import count_waiting

_RETRY_AFTER_SECONDS = 60


def check_quota(
    session: Session,  # noqa: ARG001 - limits will be read from here
    *,
    user_id: UUID,  # noqa: ARG001
    operation: UsageOperation,  # noqa: ARG001
    amount: int,  # noqa: ARG001
) -> bool:
    """Whether the person may use this much; always true for now."""
    return True


def require_quota(
    session: Session, *, user_id: UUID, operation: UsageOperation, amount: int
) -> None:
    """Raise if the person has used up their quota."""
    if not check_quota(session, user_id=user_id, operation=operation, amount=amount):
        raise ApiError(
            "E_QUOTA_EXCEEDED", "You have used up your quota for now. Try again later.", status=429
        )


def require_room_in_queue(session: Session, *, user_id: UUID) -> None:
    """Raise if too many of the person's articles are waiting, including the latest."""
    limit = get_settings().waiting_per_person
    if count_waiting(session, user_id=user_id, at_most=limit + 1) > limit:
        raise ApiError(
            "E_QUOTA_EXCEEDED",
            f"{limit:,} of your articles are still waiting to be fetched. "
            "Save this one when some of them are ready.",
            status=429,
            headers={"Retry-After": str(_RETRY_AFTER_SECONDS)},
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
