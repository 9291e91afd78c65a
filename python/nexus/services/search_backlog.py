"""Items that search does not know yet: an earlier release stored them, or they were restored.

The rows are the work. Each is taken, indexed and removed in turn; nothing is lost if that is cut
off, and what stops the worker is not tried again before a day has passed.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from nexus.db.models import (
    Annotation,
    Fragment,
    Highlight,
    LibraryMedia,
    Media,
    SavedAddress,
    SearchBacklog,
    SearchPassage,
)
from nexus.logging import get_logger
from nexus.services.search_index import read_words, store_words
from nexus.services.search_marks import mark_words
from nexus.services.search_names import address_words

logger = get_logger(__name__)

Sessions = Callable[[], AbstractContextManager[Session]]

# An article that comes in meanwhile waits no longer than this, and only if no worker is free.
BATCH_SECONDS = 3.0
TRY_AGAIN_AFTER = timedelta(days=1)
# Longer than an item may take: it is not in progress any more.
_FAILED_AFTER = timedelta(minutes=5)
# Any number that nothing else locks.
_TURN_LOCK = 8_420_003


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many items have yet to be indexed, and how many could not be."""

    waiting: int
    failed: int


def count_backlog(session: Session) -> Backlog:
    """How far indexing has come."""
    failed = SearchBacklog.tried_at < func.now() - _FAILED_AFTER
    row = session.execute(
        select(func.count(), func.count().filter(failed)).select_from(SearchBacklog)
    ).one()
    return Backlog(waiting=row[0] - row[1], failed=row[1])


def index_some(sessions: Sessions, *, seconds: float = BATCH_SECONDS) -> bool:
    """Index items for a moment. True if there may be more, and it is up to us to continue."""
    deadline = time.monotonic() + seconds
    with sessions() as turn:
        # One at a time, so that of several workers all but one stay free for articles. The
        # transaction stays open meanwhile, but holds nothing except this lock.
        if not turn.scalar(select(func.pg_try_advisory_xact_lock(_TURN_LOCK))):
            return False
        while time.monotonic() < deadline:
            with sessions() as session:
                media_id = _take(session)
            if media_id is None:
                return False
            try:
                with sessions() as session:
                    index_item(session, media_id=media_id)
            except Exception:
                # The others must not wait for it.
                logger.exception("backlog_item_failed", media_id=str(media_id))
    return True


def _take(session: Session) -> UUID | None:
    """The next item, the oldest first: of many passages that match, search takes the newest."""
    due = or_(
        SearchBacklog.tried_at.is_(None), SearchBacklog.tried_at < func.now() - TRY_AGAIN_AFTER
    )
    item = session.scalar(select(SearchBacklog).where(due).order_by(SearchBacklog.id).limit(1))
    if item is None:
        return None
    item.tried_at = func.now()
    return item.media_id


def index_item(session: Session, *, media_id: UUID) -> None:
    """Index all that belongs to an item, for everyone who has it.

    One that nobody has is left alone: it is about to be deleted, or brought back.
    """
    if not session.scalar(select(exists().where(LibraryMedia.media_id == media_id))):
        session.execute(delete(SearchBacklog).where(SearchBacklog.media_id == media_id))
        return
    columns = (Fragment.id, Fragment.canonical_text)
    of_item = select(*columns).where(Fragment.media_id == media_id).order_by(Fragment.idx)
    fragments = session.execute(of_item).all()
    language = session.scalar(select(Media.language).where(Media.id == media_id))
    words = read_words(session, (fragment[1] for fragment in fragments), language=language)
    media = session.get(Media, media_id, with_for_update=True, populate_existing=True)
    if media is None:
        return
    session.execute(delete(SearchPassage).where(SearchPassage.media_id == media_id))
    with session.no_autoflush:
        store_words(session, media, [fragment[0] for fragment in fragments], words)
        # In the same update: the date stays, because nobody has changed the item.
        media.updated_at = Media.updated_at
    _index_marks(session, media_id=media_id)
    _index_addresses(session, media_id=media_id)
    session.execute(delete(SearchBacklog).where(SearchBacklog.media_id == media_id))


def _index_marks(session: Session, *, media_id: UUID) -> None:
    highlights = (
        select(Highlight.id, Highlight.exact, Highlight.fragment_id)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Fragment.media_id == media_id)
    )
    notes = (
        select(Annotation.id, Annotation.body, Highlight.fragment_id)
        .join(Highlight, Highlight.id == Annotation.highlight_id)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Fragment.media_id == media_id)
    )
    _write_marks(
        session, Highlight, session.execute(highlights.with_for_update(of=Highlight)).all()
    )
    _write_marks(session, Annotation, session.execute(notes.with_for_update(of=Annotation)).all())


def _write_marks(
    session: Session,
    model: type[Highlight] | type[Annotation],
    rows: Sequence[Row[*tuple[Any, ...]]],
) -> None:
    for mark_id, text, fragment_id in rows:
        words = mark_words(session, text, fragment_id=fragment_id)
        # Its date says when the person changed it.
        unchanged = {"words": words, "updated_at": model.updated_at}
        session.execute(update(model).where(model.id == mark_id).values(unchanged))


def _index_addresses(session: Session, *, media_id: UUID) -> None:
    """Those that Nexus stored before it kept their words."""
    addresses = session.scalars(
        select(SavedAddress).where(
            SavedAddress.media_id == media_id,
            SavedAddress.words.is_(None),
            SavedAddress.requested_url.is_not(None),
        )
    )
    for address in addresses:
        address.words = address_words(address.requested_url or "")
