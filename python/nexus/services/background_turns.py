"""Which imported page is fetched next: behind everything that somebody waits for.

People take turns here too, and so do their sites: of one site at most one page is fetched at a
time, with a pause in between. One worker is left for saves wherever there are several.
`background_sites` has a row for each person and site with pages waiting; a trigger on `media` adds
it, and it goes when none is left.
"""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import ProcessingStatus
from nexus.db.models import BackgroundSite, Media, User
from nexus.egress.url_parse import WebUrl
from nexus.services import media_lifecycle

PAUSE = timedelta(seconds=1)
"""Between two pages of one site."""
_MAX_SITE_LENGTH = 255
# Bounds one choice: sites whose pages are all gone, or may not be tried again yet.
_TRIES = 20


def site_of(url: WebUrl) -> str:
    return url.host.lower().removeprefix("www.")[:_MAX_SITE_LENGTH]


def start_in_background(session: Session) -> Media | None:
    """Claim the imported page whose turn it is. None if there is none, or no place for one.

    The caller holds the lock under which one choice is made at a time.
    """
    if _places(session) <= 0:
        return None
    busy = _busy_sites(session)
    for _ in range(_TRIES):
        chosen = _next_site(session, busy)
        if chosen is None:
            return None
        media = _longest_waiting(session, chosen)
        if media is None:
            _put_off(session, chosen)
        elif media_lifecycle.worker_start_attempt(session, media.id):
            rest_site(session, site=chosen.site)
            session.execute(
                update(User)
                .where(User.id == chosen.user_id)
                .values(background_served_at=func.clock_timestamp())
            )
            session.refresh(media)
            return media
    return None


def next_in_background(session: Session) -> tuple[Media, float] | None:
    """A page that may be fetched soon, and in how many seconds; None if no worker is free for it.

    Which one a worker takes then is decided when it does.
    """
    if _places(session) <= 0:
        return None
    wait = func.extract("epoch", BackgroundSite.due_at - func.clock_timestamp())
    query = (
        select(BackgroundSite, wait)
        .where(BackgroundSite.site.not_in(_busy_sites(session)))
        .order_by(BackgroundSite.due_at)
        .limit(1)
    )
    row = session.execute(query).one_or_none()
    media = None if row is None else _longest_waiting(session, row[0], locked=False)
    return None if media is None or row is None else (media, max(0.0, float(row[1])))


def count_startable_in_background(session: Session, *, at_most: int) -> int:
    """How many workers could start such a page right now."""
    places = min(at_most, _places(session))
    if places <= 0:
        return 0
    due = (
        select(BackgroundSite.site)
        .where(
            BackgroundSite.due_at <= func.clock_timestamp(),
            BackgroundSite.site.not_in(_busy_sites(session)),
        )
        .limit(places)
        .subquery()
    )
    return session.scalar(select(func.count()).select_from(due)) or 0


def rest_site(session: Session, *, site: str) -> None:
    """A page of this site was just asked for, or has just come: leave it alone for a moment."""
    session.execute(
        update(BackgroundSite)
        .where(BackgroundSite.site == site)
        .values(due_at=func.clock_timestamp() + PAUSE)
    )


def take_to_foreground(session: Session, media: Media) -> bool:
    """Somebody waits for this page now. True if nobody did before."""
    if media.background_site is None:
        return False
    media.background_site = None
    session.flush()
    return True


def take_over_orphans(session: Session) -> None:
    """Pages of an account that is gone, which others share, wait like all others."""
    session.execute(
        update(Media)
        .where(Media.waits_in_background(), Media.queued_for_user_id.is_(None))
        .values(background_site=None)
        .execution_options(synchronize_session=False)
    )


def _places(session: Session) -> int:
    """How many more pages may be fetched now: never the last free worker, if there are several."""
    workers = get_settings().worker_concurrency
    return max(1, workers - 1) - len(_at_work(session))


def _at_work(session: Session) -> Sequence[str | None]:
    """The site of each article in progress; null for what somebody waits for."""
    query = select(Media.background_site).where(
        Media.processing_status == ProcessingStatus.EXTRACTING,
        # A worker that went silent is no longer working.
        Media.lease_expires_at > func.clock_timestamp(),
    )
    return session.scalars(query).all()


def _busy_sites(session: Session) -> list[str]:
    return [site for site in _at_work(session) if site is not None]


def _next_site(session: Session, busy: list[str]) -> BackgroundSite | None:
    """Of the person served longest ago, the site that has waited longest."""
    due = (
        select(BackgroundSite)
        .where(
            BackgroundSite.due_at <= func.clock_timestamp(),
            BackgroundSite.site.not_in(busy),
        )
        .order_by(BackgroundSite.due_at)
        .limit(1)
    )
    people = (
        select(User.id)
        .where(due.where(BackgroundSite.user_id == User.id).correlate(User).exists())
        .order_by(User.background_served_at.nulls_first(), User.id)
        .limit(1)
    )
    person = session.scalar(people)
    if person is None:
        return None
    return session.scalars(due.where(BackgroundSite.user_id == person)).one_or_none()


def _longest_waiting(
    session: Session, chosen: BackgroundSite, *, locked: bool = True
) -> Media | None:
    query = (
        select(Media)
        .where(
            Media.waits_in_background(),
            Media.is_due(),
            Media.queued_for_user_id == chosen.user_id,
            Media.background_site == chosen.site,
        )
        .order_by(Media.updated_at)
        .limit(1)
    )
    if locked:
        query = query.with_for_update(skip_locked=True)
    return session.scalars(query).one_or_none()


def _put_off(session: Session, chosen: BackgroundSite) -> None:
    """None of its pages can be fetched now: come back later, or forget it if none is left."""
    key = (BackgroundSite.user_id == chosen.user_id) & (BackgroundSite.site == chosen.site)
    # A page that is being added holds a lock on the row, and would not be seen.
    query = select(BackgroundSite.site).where(key).with_for_update(skip_locked=True)
    held = session.scalar(query)
    waiting = select(Media.id).where(
        Media.waits_in_background(),
        Media.queued_for_user_id == chosen.user_id,
        Media.background_site == chosen.site,
    )
    if held is not None and session.scalar(waiting.limit(1)) is None:
        session.execute(delete(BackgroundSite).where(key))
    else:
        session.execute(
            update(BackgroundSite).where(key).values(due_at=func.clock_timestamp() + PAUSE)
        )
    session.expire_all()


def forget_person(session: Session, *, user_id: UUID) -> None:
    """Nothing of theirs waits any more."""
    session.execute(delete(BackgroundSite).where(BackgroundSite.user_id == user_id))
