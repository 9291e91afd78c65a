"""Whose article is fetched next: people take turns, however many articles each of them has waiting.

A message in the queue only wakes a worker, which then asks here. Next is the person with the fewest
articles in progress, among those the one served longest ago; and of theirs, the article that has
waited longest. An article that a fault of ours cut off has no turn before its time. While there are
other accounts, nobody has more than their share of the workers. Imported pages come behind all of
these (`background_turns`).
"""

from collections.abc import Iterable
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Integer,
    Select,
    Subquery,
    Update,
    Uuid,
    bindparam,
    func,
    select,
    text,
    update,
)
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.direct import Direct
from nexus.db.models import Media, User
from nexus.services import media_lifecycle
from nexus.services.background_turns import (
    count_startable_in_background,
    start_in_background,
)

# Any number that nothing else locks.
TURN_LOCK = 8_420_003
# A bound for a person who has the installation to themselves.
_ALL_WORKERS = 1_000_000

_PERSON = bindparam("person", type_=Uuid())
# How many articles of one person may be in progress at once.
_SHARE = bindparam("share", type_=Integer())


def start_next(session: Session) -> Media | None:
    """Claim the article whose turn it is. None if nobody may have one fetched right now."""
    # One choice at a time, or two workers could both give a person the last place of their share.
    session.connection().execute(_turn_lock())
    for person in _people_in_turn(session):
        session.connection().execute(_served(), {"person": person})
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
    [(total,)] = _startable().rows(session, {"share": _share(session)})
    awaited = min(at_most, int(total))
    return awaited + count_startable_in_background(session, at_most=at_most - awaited)


def count_waiting(session: Session, *, user_id: UUID, at_most: int) -> int:
    """How many articles this person is waiting for, counted up to the limit."""
    session.flush()  # the latest may be theirs only since a moment ago
    [(count,)] = _waiting_for().rows(session, {"person": user_id, "at_most": at_most})
    return int(count)


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


def _people_in_turn(session: Session) -> Iterable[UUID | None]:
    rows = _in_turn().rows(session, {"share": _share(session)})
    return [person for (person,) in rows]


def _share(session: Session) -> int:
    [(accounts,)] = _few_accounts().rows(session, {})
    return _ALL_WORKERS if accounts < 2 else get_settings().articles_per_person


def _longest_waiting(session: Session, person: UUID | None, *, locked: bool) -> Media | None:
    query = _waiting_longest(nobody=person is None, locked=locked)
    return session.scalars(query, {"person": person}).one_or_none()


# Statements that every article needs. Each is built once: that takes longer than to run it.


@cache
def _turn_lock() -> Select[*tuple[Any, ...]]:
    return select(func.pg_advisory_xact_lock(TURN_LOCK))


@cache
def _served() -> Update:
    return update(User).where(User.id == _PERSON).values(served_at=func.clock_timestamp())


@cache
def _few_accounts() -> Direct:
    return Direct(select(func.count()).select_from(select(User.id).limit(2).subquery()))


@cache
def _in_turn() -> Direct:
    people = _waiting_people()
    return Direct(
        select(people.c.person)
        .where(people.c.places > 0)
        .order_by(people.c.busy, people.c.served_at.nulls_first(), people.c.since)
    )


@cache
def _startable() -> Direct:
    people = _waiting_people()
    each = func.least(people.c.waiting, people.c.places)
    return Direct(select(func.coalesce(func.sum(each), 0)).where(people.c.places > 0))


@cache
def _waiting_for() -> Direct:
    waiting = select(Media.id).where(
        Media.waits_to_be_fetched(), Media.queued_for_user_id == _PERSON
    )
    counted = waiting.limit(bindparam("at_most", type_=Integer())).subquery()
    return Direct(select(func.count()).select_from(counted))


def _waiting_people() -> Subquery:
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
            (_SHARE - reading).label("places"),
            User.served_at,
        )
        .outerjoin(busy, busy.c.person.is_not_distinct_from(waiting.c.person))
        .outerjoin(User, User.id == waiting.c.person)
        .subquery()
    )


@cache
def _waiting_longest(*, nobody: bool, locked: bool) -> Select[Media]:
    # Spelled out, because "is not distinct from" uses no index.
    whose = Media.queued_for_user_id
    query = (
        select(Media)
        .where(
            Media.waits_to_be_fetched(),
            Media.is_due(),
            whose.is_(None) if nobody else whose == _PERSON,
        )
        .order_by(Media.updated_at)
        .limit(1)
    )
    if locked:
        query = query.with_for_update(skip_locked=True)
        query = query.execution_options(populate_existing=True)
    return query
