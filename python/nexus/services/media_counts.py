"""How many items there are in each state, for monitoring."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
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


def count_unfinished(session: Session) -> Sequence[MediaCount]:
    """Items that wait or are in progress, by kind and state. Uses an index."""
    return _count(session, Media.processing_status.in_(_UNFINISHED))


def count_finished(session: Session) -> Sequence[MediaCount]:
    """All other items, by kind, state and reason of failure. Scans the whole table."""
    return _count(session, Media.processing_status.not_in(_UNFINISHED))


def _count(session: Session, condition: ColumnElement[bool]) -> Sequence[MediaCount]:
    columns = (Media.kind, Media.processing_status, Media.last_error_code)
    rows = session.execute(select(*columns, func.count()).where(condition).group_by(*columns))
    return [MediaCount(kind.value, status.value, code, count) for kind, status, code, count in rows]


def longest_untouched_seconds(session: Session) -> float:
    """Seconds since the most neglected unfinished item was touched; 0 if there is none."""
    since = session.scalar(
        select(func.extract("epoch", func.clock_timestamp() - func.min(Media.updated_at))).where(
            Media.processing_status.in_(_UNFINISHED),
            Media.kind.in_(extractable_kinds()),
            # Imported pages wait for hours, and are not neglected.
            Media.background_site.is_(None),
        )
    )
    return max(0.0, float(since or 0))
