"""Whose article is fetched next: people take turns, however many articles each of them has waiting.

A message in the queue only wakes a worker, which then asks here. Next is the person with the fewest
articles in progress, among those the one served longest ago; and of theirs, the article that has
waited longest. An article that a fault of ours cut off has no turn before its time. While there are
other accounts, nobody has more than their share of the workers. Imported pages come behind all of
these (`background_turns`).
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Subquery, func, select, text, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.models import Media, User
from nexus.services import media_lifecycle
from nexus.services.background_turns import (
    count_startable_in_background,
    start_in_background,
)

# Any number that nothing else locks.
_TURN_LOCK = 8_420_003
# A bound for a person who has the installation to themselves.
_ALL_WORKERS = 1_000_000


def start_next(session: Session) -> Media | None:
    """Claim the article whose turn it is. None if nobody may have one fetched right now."""
    # One choice at a time, or two workers could both give a person the last place of their share.
    session.execute(select(func.pg_advisory_xact_lock(_TURN_LOCK)))
    for person in _people_in_turn(session):
        served = update(User).where(User.id == person).values(served_at=func.clock_timestamp())
        session.execute(served)
        media = _longest_waiting(session, person, locked=True)
        if media is not None:
            media_lifecycle.start_attempt(session, media)
            return media
    return start_in_background(session)


def next_in_turn(session: Session) -> Media | None:
    """The article that `start_next` would take now."""
    for person in _people_in_turn(session):
        media = _longest_waiting(session, person, locked=False)
        if media is not None:
            return media
    return None


def count_startable(session: Session, *, at_most: int) -> int:
    """How many workers could start an article right now."""
    startable = _waiting_people(session)
    each = func.least(startable.c.waiting, startable.c.places)
    total = session.scalar(select(func.coalesce(func.sum(each), 0)).where(startable.c.places > 0))
    awaited = min(at_most, int(total or 0))
    return awaited + count_startable_in_background(session, at_most=at_most - awaited)


def count_waiting(session: Session, *, user_id: UUID, at_most: int) -> int:
    """How many articles this person is waiting for, counted up to the limit."""
    waiting = select(Media.id).where(
        Media.waits_to_be_fetched(), Media.queued_for_user_id == user_id
    )
    counted = waiting.limit(at_most).subquery()
    return session.scalar(select(func.count()).select_from(counted)) or 0


def join_queue(session: Session, media: Media, *, user_id: UUID, awaited: bool = False) -> None:
    """Move a pending article to this person's turn, if that is shorter.

    It may be waiting in the long queue of somebody else, who saved it first; or nobody `awaited` it
    before.
    """
    current = media.queued_for_user_id
    if current is None or current == user_id or awaited:
        media.queued_for_user_id = user_id
        return
    longest = get_settings().waiting_per_person
    theirs = count_waiting(session, user_id=current, at_most=longest)
    # The article itself is one of theirs.
    if count_waiting(session, user_id=user_id, at_most=longest) < theirs - 1:
        media.queued_for_user_id = user_id


def _people_in_turn(session: Session) -> Sequence[UUID | None]:
    people = _waiting_people(session)
    query = (
        select(people.c.person)
        .where(people.c.places > 0)
        .order_by(people.c.busy, people.c.served_at.nulls_first(), people.c.since)
    )
    return list(session.scalars(query))


def _waiting_people(session: Session) -> Subquery:
    """Everyone with articles waiting: how many, and how many more of them may start now."""
    waiting = (
        select(
            Media.queued_for_user_id.label("person"),
            func.count().label("waiting"),
            func.min(Media.updated_at).label("since"),
        )
        .where(Media.waits_to_be_fetched(), Media.is_due())
        .group_by(Media.queued_for_user_id)
        .subquery()
    )
    busy = (
        select(Media.queued_for_user_id.label("person"), func.count().label("reading"))
        .where(
            text("processing_status = 'extracting'"),
            # A page that was imported takes nobody's place.
            Media.background_site.is_(None),
            # A worker that went silent is no longer working.
            Media.lease_expires_at > func.clock_timestamp(),
        )
        .group_by(Media.queued_for_user_id)
        .subquery()
    )
    reading = func.coalesce(busy.c.reading, 0)
    return (
        select(
            waiting.c.person,
            waiting.c.waiting,
            waiting.c.since,
            reading.label("busy"),
            (_share(session) - reading).label("places"),
            User.served_at,
        )
        .outerjoin(busy, busy.c.person.is_not_distinct_from(waiting.c.person))
        .outerjoin(User, User.id == waiting.c.person)
        .subquery()
    )


def _share(session: Session) -> int:
    """How many articles of one person may be in progress at once."""
    accounts = session.scalar(select(func.count()).select_from(select(User.id).limit(2).subquery()))
    return _ALL_WORKERS if (accounts or 0) < 2 else get_settings().articles_per_person


def _longest_waiting(session: Session, person: UUID | None, *, locked: bool) -> Media | None:
    # Spelled out, because "is not distinct from" uses no index.
    whose = Media.queued_for_user_id
    query = (
        select(Media)
        .where(
            Media.waits_to_be_fetched(),
            Media.is_due(),
            whose.is_(None) if person is None else whose == person,
        )
        .order_by(Media.updated_at)
        .limit(1)
    )
    if locked:
        query = query.with_for_update(skip_locked=True)
        query = query.execution_options(populate_existing=True)
    return session.scalars(query).one_or_none()
