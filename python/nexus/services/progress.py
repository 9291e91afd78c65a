"""How far a person is in an item: what they have seen of its text, and what that makes of it."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from nexus.db.enums import ReadingState
from nexus.db.models import Fragment, ShelfItem
from nexus.services.media_events import announce_mine

# While a person reads, positions come every few seconds; their lists need not move for each.
_OPENED_AGAIN_AFTER = timedelta(minutes=1)


class Place(NamedTuple):
    """Where the first text on the screen begins and the last one ends, and when that was."""

    fragment_id: UUID
    offset: int
    seen_to: int
    at: datetime


def note_progress(session: Session, *, user_id: UUID, media_id: UUID, place: Place) -> None:
    """Follow a stored position on the shelf, whose row the caller has locked."""
    before, whole = _lengths(session, media_id, place.fragment_id)
    row = session.get_one(ShelfItem, (user_id, media_id))
    state = row.state
    if state is ReadingState.UNREAD and before + place.offset > 0:
        state = ReadingState.READING
    if 0 < whole <= before + place.seen_to:
        state = ReadingState.FINISHED
    if state is not row.state:
        row.state = state
        announce_mine(session, user_id=user_id, media_ids=[media_id])
    row.progress = min((before + place.seen_to) / whole, 1.0) if whole else 0.0
    if row.opened_at is None or row.opened_at + _OPENED_AGAIN_AFTER <= place.at:
        row.opened_at = place.at
    session.flush()


def _lengths(session: Session, media_id: UUID, fragment_id: UUID) -> tuple[int, int]:
    """How much text there is before a fragment, and altogether."""
    idx = select(Fragment.idx).where(Fragment.id == fragment_id).scalar_subquery()
    earlier = func.sum(case((Fragment.idx < idx, Fragment.length), else_=0))
    query = select(earlier, func.sum(Fragment.length)).where(Fragment.media_id == media_id)
    before, whole = session.execute(query).one()
    return before, whole
