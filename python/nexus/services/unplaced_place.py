"""Highlights from elsewhere become highlights of their item, by themselves or by hand."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, Highlight, Media, MediaOutline, UnplacedHighlight
from nexus.logging import get_logger
from nexus.quotes import Match, Quote, Range
from nexus.services.capabilities import READABLE
from nexus.services.highlight_span import span_at
from nexus.services.media_events import announce_mine
from nexus.services.stored_places import stored_pages
from nexus.services.unplaced import is_waiting
from nexus.services.unplaced_search import Text, Wanted, search
from nexus.services.unplaced_write import become_highlight, not_found

logger = get_logger(__name__)

Sessions = Callable[[], AbstractContextManager[Session]]

# An article that comes in meanwhile waits no longer than this, and only if no worker is free.
BATCH_SECONDS = 20.0
# What stopped a worker is not tried again before this has passed.
TRY_AGAIN_AFTER = timedelta(hours=1)
_SWEPT = 50


@dataclass(frozen=True, slots=True)
class Placed:
    """How many found their place, and how many have none in the text."""

    placed: int = 0
    not_found: int = 0


@dataclass(frozen=True, slots=True)
class _Work:
    """All that is needed to search, read from the database."""

    fragment_ids: Sequence[UUID]
    text: Text
    wanted: Sequence[Wanted]


def place(session: Session, *, user_id: UUID, media_id: UUID) -> Placed:
    """Place what waits for one person on a readable item."""
    work = _read(session, user_id=user_id, media_id=media_id)
    if work is None:
        return Placed()
    found = search(work.text, work.wanted)
    return _write(session, work, found, user_id=user_id, media_id=media_id)


def place_waiting(sessions: Sessions, *, media_id: UUID, seconds: float = BATCH_SECONDS) -> bool:
    """Place what waits on an item for anyone. True if some could not be reached in time.

    No transaction is open while the text is searched.
    """
    with sessions() as session:
        waiting = select(UnplacedHighlight.user_id).where(
            UnplacedHighlight.media_id == media_id, is_waiting()
        )
        people = sorted(session.scalars(waiting.distinct()))
    left = False
    for user_id in people:
        with sessions() as session:
            work = _read(session, user_id=user_id, media_id=media_id)
        if work is None:
            continue
        found = search(work.text, work.wanted, seconds=seconds)
        with sessions() as session:
            done = _write(session, work, found, user_id=user_id, media_id=media_id)
        logger.info("highlights_placed", placed=done.placed, not_found=done.not_found)
        left = left or len(found) < len(work.wanted)
    return left


def forgotten_items(session: Session) -> Sequence[UUID]:
    """Readable items with something that waits, though nobody has been told or has tried it."""
    untried = or_(
        UnplacedHighlight.tried_at.is_(None),
        UnplacedHighlight.tried_at < func.now() - TRY_AGAIN_AFTER,
    )
    query = (
        select(UnplacedHighlight.media_id)
        .join(Media, Media.id == UnplacedHighlight.media_id)
        .where(is_waiting(), untried, Media.processing_status.in_(READABLE))
        .distinct()
        .limit(_SWEPT)
    )
    return session.scalars(query).all()


def _read(session: Session, *, user_id: UUID, media_id: UUID) -> _Work | None:
    """What waits and the text to search; None if there is nothing to do."""
    status = select(Media.processing_status).where(Media.id == media_id)
    if session.scalar(status) not in READABLE:
        return None
    own = (UnplacedHighlight.user_id == user_id) & (UnplacedHighlight.media_id == media_id)
    taken = update(UnplacedHighlight).where(own, is_waiting()).values(tried_at=func.now())
    session.execute(taken.execution_options(synchronize_session=False))
    rows = session.scalars(
        select(UnplacedHighlight)
        .where(own, is_waiting())
        .order_by(UnplacedHighlight.position, UnplacedHighlight.created_at, UnplacedHighlight.id)
    ).all()
    if not rows:
        return None
    of_item = select(Fragment.id, Fragment.canonical_text).where(Fragment.media_id == media_id)
    fragments = session.execute(of_item.order_by(Fragment.idx)).all()
    pages = session.scalar(select(MediaOutline.pages).where(MediaOutline.media_id == media_id))
    known = (
        select(UnplacedHighlight.position, Fragment.idx, Highlight.start_offset)
        .join(Highlight, Highlight.id == UnplacedHighlight.highlight_id)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(own, Fragment.media_id == media_id)
    )
    return _Work(
        [fragment[0] for fragment in fragments],
        Text(
            [fragment[1] for fragment in fragments],
            stored_pages(pages),
            {row[0]: (row[1], row[2]) for row in session.execute(known) if row[0] is not None},
        ),
        [_wanted(row) for row in rows],
    )


def _wanted(row: UnplacedHighlight) -> Wanted:
    exact = None
    if row.fragment_idx is not None and row.start_offset is not None and row.end_offset is not None:
        exact = Range(row.fragment_idx, row.start_offset, row.end_offset)
    quote = Quote(row.quote, row.prefix, row.suffix)
    return Wanted(row.id, quote, row.position, row.page, exact)


def _write(
    session: Session,
    work: _Work,
    found: dict[UUID, Match | None],
    *,
    user_id: UUID,
    media_id: UUID,
) -> Placed:
    """Record what was found, of all that still waits; nothing if the text is another by now."""
    there = session.scalars(
        select(Fragment.id)
        .where(Fragment.media_id == media_id)
        .order_by(Fragment.idx)
        .with_for_update(read=True, key_share=True)
    ).all()
    if list(there) != list(work.fragment_ids):
        return Placed()
    rows = session.scalars(
        select(UnplacedHighlight)
        .where(UnplacedHighlight.id.in_(found), is_waiting())
        .order_by(UnplacedHighlight.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    placed = 0
    for row in rows:
        match = found[row.id]
        if match is None:
            not_found(row)
            continue
        text = work.text.fragments[match.fragment]
        span = span_at(text, match.start, match.end)
        placed += become_highlight(session, row, work.fragment_ids[match.fragment], span)
    session.flush()
    if rows:
        announce_mine(session, user_id=user_id, media_ids=[media_id])
    return Placed(placed, len(rows) - placed)
