"""Highlights from elsewhere that have no place in the text yet: kept, listed, deleted.

The rows are the work: whatever waits on a readable item is placed (`unplaced_place`), and what has
no place there stays as it is, for the person to place by hand.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, cast
from uuid import UUID, uuid4

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Select,
    Uuid,
    bindparam,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from nexus.db.after_commit import after_commit
from nexus.db.direct import Direct
from nexus.db.enums import UnplacedState
from nexus.db.models import Media, UnplacedHighlight
from nexus.errors import MediaNotFoundError, NotFoundError
from nexus.importers.records import ImportedHighlight
from nexus.schemas.unplaced import UnplacedList, UnplacedOut
from nexus.services.capabilities import READABLE
from nexus.services.media_access import find_readable, follow_alias
from nexus.services.send_task import try_to_send
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to, row_visible_to
from nexus.text import storable

UNDO_WINDOW = timedelta(seconds=30)
OPEN = (UnplacedState.WAITING, UnplacedState.NOT_FOUND)
EMPTY = {"quote": "", "prefix": "", "suffix": "", "note": None}
"""All that is left of the text of one that is settled."""

_TASK = "nexus.place_highlights"
_ITEM_ID = bindparam("item_id", type_=Uuid())
_OF_ITEM = Direct(select(exists().where(UnplacedHighlight.media_id == _ITEM_ID)))
_BATCH = 1000


def keep(
    session: Session,
    *,
    user_id: UUID,
    media_id: UUID,
    import_id: UUID | None,
    highlights: Iterable[ImportedHighlight],
) -> int:
    """Keep highlights of an item for a person; returns how many are new.

    What was kept before is not kept again, whatever became of it. Those on a readable item are
    placed after the commit.
    """
    media_id = _held(session, media_id)
    now = datetime.now(UTC)
    rows = [_row(one, now) for one in highlights]
    whose = {"user_id": user_id, "media_id": media_id, "import_id": import_id}
    values = list({row["key"]: whose | row for row in rows if row["quote"] or row["note"]}.values())
    kept = 0
    for first in range(0, len(values), _BATCH):
        statement = insert(UnplacedHighlight).values(values[first : first + _BATCH])
        new = session.scalars(
            statement.on_conflict_do_nothing().returning(UnplacedHighlight.id)
        ).all()
        kept += len(new)
    if kept:
        place_soon(session, media_id=media_id)
    return kept


def list_unplaced(session: Session, viewer: Viewer, *, media_id: UUID) -> UnplacedList:
    """What waits for its place in an item, or has none there, in the order of its source."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    query = (
        select(UnplacedHighlight)
        .where(
            UnplacedHighlight.user_id == viewer.user_id,
            UnplacedHighlight.media_id == media.id,
            is_open(),
        )
        .order_by(
            UnplacedHighlight.position.nulls_last(),
            UnplacedHighlight.created_at,
            UnplacedHighlight.id,
        )
    )
    found = [UnplacedOut.model_validate(row) for row in session.scalars(query)]
    return UnplacedList(unplaced=found)


def unplaced_of_items(
    session: Session, viewer: Viewer, *, media_ids: Sequence[UUID]
) -> dict[UUID, list[UnplacedHighlight]]:
    """Those of several items that the viewer can read, each item's in the order of its source."""
    query = (
        select(UnplacedHighlight)
        .where(*_open_on(viewer, UnplacedHighlight.media_id.in_(media_ids)))
        .order_by(
            UnplacedHighlight.position.nulls_last(),
            UnplacedHighlight.created_at,
            UnplacedHighlight.key,
        )
    )
    found: dict[UUID, list[UnplacedHighlight]] = {}
    for row in session.scalars(query):
        found.setdefault(row.media_id, []).append(row)
    return found


def count_unplaced(session: Session, viewer: Viewer, *, media_ids: Select[*tuple[Any, ...]]) -> int:
    """How many the viewer has on the items that a query finds."""
    condition = _open_on(viewer, UnplacedHighlight.media_id.in_(media_ids))
    return session.scalar(select(func.count(UnplacedHighlight.id)).where(*condition)) or 0


def _open_on(viewer: Viewer, items: ColumnElement[bool]) -> tuple[ColumnElement[bool], ...]:
    own = UnplacedHighlight.user_id == viewer.user_id
    return own, items, is_open(), row_visible_to(UnplacedHighlight.media_id, viewer.user_id)


def delete_unplaced(session: Session, viewer: Viewer, *, unplaced_id: UUID) -> None:
    """Delete one; for a moment that can be undone."""
    row = lock_own(session, viewer, unplaced_id=unplaced_id, condition=is_open())
    row.deleted_at = func.now()
    session.flush()


def restore_unplaced(session: Session, viewer: Viewer, *, unplaced_id: UUID) -> UnplacedOut:
    """Undo a deletion made moments ago."""
    deleted = UnplacedHighlight.deleted_at > func.now() - UNDO_WINDOW
    row = lock_own(session, viewer, unplaced_id=unplaced_id, condition=deleted)
    row.deleted_at = None
    session.flush()
    place_soon(session, media_id=row.media_id)
    return UnplacedOut.model_validate(row)


def forget_deleted(session: Session) -> int:
    """Forget what can no longer be brought back, apart from its key. Returns how many."""
    statement = (
        update(UnplacedHighlight)
        .where(
            UnplacedHighlight.deleted_at < func.now() - UNDO_WINDOW,
            UnplacedHighlight.state != UnplacedState.GONE,
        )
        .values(state=UnplacedState.GONE, **EMPTY)
    )
    return cast(CursorResult[Any], session.execute(statement)).rowcount


def move_unplaced(session: Session, *, loser_id: UUID, winner_id: UUID) -> None:
    """Those of an item that is merged into another go along."""
    there = aliased(UnplacedHighlight)
    same = exists().where(
        there.user_id == UnplacedHighlight.user_id,
        there.media_id == winner_id,
        there.key == UnplacedHighlight.key,
    )
    session.execute(
        update(UnplacedHighlight)
        .where(UnplacedHighlight.media_id == loser_id, ~same)
        .values(media_id=winner_id)
        .execution_options(synchronize_session=False)
    )
    place_soon(session, media_id=winner_id)


def wait_for_text(session: Session, *, media_id: UUID) -> None:
    """The item has a new text: what was not found in an earlier one is looked for in this."""
    # Most items have none, and are waited for.
    if _OF_ITEM.rows(session, {"item_id": media_id}) == [(False,)]:
        return
    session.execute(
        update(UnplacedHighlight)
        .where(
            UnplacedHighlight.media_id == media_id,
            UnplacedHighlight.state == UnplacedState.NOT_FOUND,
            UnplacedHighlight.quote != "",
        )
        .values(state=UnplacedState.WAITING, tried_at=None)
        .execution_options(synchronize_session=False)
    )
    place_soon(session, media_id=media_id)


def place_soon(session: Session, *, media_id: UUID) -> None:
    """Have the waiting ones of a readable item placed after the commit."""
    waiting = exists().where(UnplacedHighlight.media_id == media_id, is_waiting())
    readable = exists().where(Media.id == media_id, Media.processing_status.in_(READABLE))
    if session.scalar(select(waiting & readable)):
        after_commit(session, lambda: try_to_send(_TASK, str(media_id)))


def is_open() -> ColumnElement[bool]:
    """Neither placed nor deleted."""
    return UnplacedHighlight.state.in_(OPEN) & UnplacedHighlight.deleted_at.is_(None)


def is_waiting() -> ColumnElement[bool]:
    """Not looked for yet in a text of the item."""
    waiting = UnplacedHighlight.state == UnplacedState.WAITING
    return waiting & UnplacedHighlight.deleted_at.is_(None)


def lock_own(
    session: Session, viewer: Viewer, *, unplaced_id: UUID, condition: ColumnElement[bool]
) -> UnplacedHighlight:
    """The viewer's, locked for a change; 404 if it does not exist or is not theirs."""
    row = session.scalars(
        select(UnplacedHighlight)
        .where(
            UnplacedHighlight.id == unplaced_id,
            UnplacedHighlight.user_id == viewer.user_id,
            media_visible_to(UnplacedHighlight.media_id, viewer.user_id),
            condition,
        )
        .with_for_update()
    ).one_or_none()
    if row is None:
        raise NotFoundError
    return row


def _held(session: Session, media_id: UUID) -> UUID:
    """The item, or the one it was merged into, kept from being deleted or merged meanwhile."""
    for _ in range(2):
        media_id = follow_alias(session, media_id=media_id)
        held = select(Media.id).where(Media.id == media_id)
        if session.scalar(held.with_for_update(read=True, key_share=True)) is not None:
            return media_id
    raise MediaNotFoundError


def _row(one: ImportedHighlight, now: datetime) -> dict[str, Any]:
    # What our own archive puts at a place is there letter for letter.
    quote = storable(one.quote) if one.start is not None else storable(one.quote).strip()
    created_at = min(_aware(one.created_at) or now, now)
    fields = {
        "quote": quote,
        "prefix": storable(one.prefix),
        "suffix": storable(one.suffix),
        "note": _note(one),
        "page": storable(one.page) if one.page else None,
        "position": one.position,
        "fragment_idx": one.fragment,
        "start_offset": one.start,
        "end_offset": one.end,
    }
    return {
        **fields,
        "id": uuid4(),
        "key": sha256(repr(sorted(fields.items())).encode()).hexdigest(),
        "color": one.color,
        # A note on the whole item has no place to look for.
        "state": UnplacedState.WAITING if quote else UnplacedState.NOT_FOUND,
        "created_at": created_at,
        "updated_at": max(created_at, min(_aware(one.updated_at) or created_at, now)),
    }


def _note(one: ImportedHighlight) -> str | None:
    """With the tags of the highlight: only items have tags here."""
    tags = " ".join("#" + "-".join(tag.split()) for tag in one.tags if tag.strip())
    note = storable(one.note or "")
    parts = (note if one.start is not None else note.strip(), storable(tags))
    return "\n\n".join(part for part in parts if part) or None


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
