"""How many items there are in each state, for whoever watches over an installation."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media
from nexus.services.extractors import extractable_kinds

_UNFINISHED = (ProcessingStatus.PENDING, ProcessingStatus.EXTRACTING)


@dataclass(frozen=True, slots=True)
class MediaCount:
    """Items of one kind in one state; `error_code` says why failed ones failed."""

    kind: str
    status: str
    error_code: str | None
    count: int


def count_media(session: Session) -> Sequence[MediaCount]:
    """Items by kind, state and reason of failure."""
    columns = (Media.kind, Media.processing_status, Media.last_error_code)
    rows = session.execute(select(*columns, func.count()).group_by(*columns))
    return [MediaCount(kind.value, status.value, code, count) for kind, status, code, count in rows]


def longest_untouched_seconds(session: Session) -> float:
    """How long nobody touched the most neglected item that workers should finish; else 0."""
    since = session.scalar(
        select(func.extract("epoch", func.clock_timestamp() - func.min(Media.updated_at))).where(
            Media.processing_status.in_(_UNFINISHED), Media.kind.in_(extractable_kinds())
        )
    )
    return max(0.0, float(since or 0))
