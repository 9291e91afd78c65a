"""How and where a person reads. Of two devices, the one that wrote last wins."""

from datetime import datetime
from functools import cache
from uuid import UUID

from sqlalchemy import ColumnElement, Uuid, bindparam, delete, func, literal, select
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from nexus.db.integrity import raising_if_deleted
from nexus.db.models import Fragment, ReadingPosition, ReadingPreferences, WaitingPosition
from nexus.errors import MediaNotFoundError, NotFoundError
from nexus.schemas.reading import (
    PositionOut,
    PositionRequest,
    PreferencesOut,
    PreferencesRequest,
)
from nexus.services.media_access import find_readable
from nexus.services.progress import Place, note_progress
from nexus.services.shelf_rows import lock_shelf
from nexus.services.viewer import Viewer


def get_preferences(session: Session, viewer: Viewer) -> PreferencesOut | None:
    """None until the person has chosen something."""
    row = session.get(ReadingPreferences, viewer.user_id)
    return PreferencesOut.model_validate(row) if row else None


def put_preferences(
    session: Session, viewer: Viewer, *, request: PreferencesRequest
) -> PreferencesOut:
    """Store the choice unless a newer one is stored; returns the one that applies now."""
    values = request.model_dump(exclude={"changed_at"}, exclude_unset=True)
    statement = insert(ReadingPreferences).values(
        user_id=viewer.user_id, changed_at=_not_later_than_now(request.changed_at), **values
    )
    new = statement.excluded
    session.execute(
        statement.on_conflict_do_update(
            index_elements=["user_id"],
            set_={name: new[name] for name in (*values, "changed_at")},
            where=ReadingPreferences.changed_at < new.changed_at,
        )
    )
    return PreferencesOut.model_validate(session.get_one(ReadingPreferences, viewer.user_id))


def get_position(session: Session, viewer: Viewer, *, media_id: UUID) -> PositionOut | None:
    """Where the person last was in an item; None if they never opened it."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    return position_in(session, viewer, media_id=media.id)


def position_in(session: Session, viewer: Viewer, *, media_id: UUID) -> PositionOut | None:
    """The same, of an item that the viewer is known to read."""
    row = session.scalars(
        select(ReadingPosition)
        .join(Fragment, Fragment.id == ReadingPosition.fragment_id)
        .where(Fragment.media_id == media_id, ReadingPosition.user_id == viewer.user_id)
        .order_by(ReadingPosition.changed_at.desc())
        .limit(1)
    ).one_or_none()
    return _position_out(row) if row else None


def put_position(
    session: Session, viewer: Viewer, *, media_id: UUID, request: PositionRequest
) -> PositionOut:
    """Store the position unless a newer one is stored; returns the one that applies now."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    of_item = select(1).where(Fragment.id == request.fragment_id, Fragment.media_id == media.id)
    if session.scalar(of_item) is None:
        raise NotFoundError
    lock_shelf(session, user_id=viewer.user_id, media_ids=[media.id])
    statement = insert(ReadingPosition).values(
        user_id=viewer.user_id,
        fragment_id=request.fragment_id,
        text_offset=request.offset,
        changed_at=_not_later_than_now(request.changed_at),
    )
    new = statement.excluded
    with raising_if_deleted(MediaNotFoundError()):
        stored = session.scalar(
            statement.on_conflict_do_update(
                index_elements=["user_id", "fragment_id"],
                set_={"text_offset": new.text_offset, "changed_at": new.changed_at},
                where=ReadingPosition.changed_at < new.changed_at,
            ).returning(ReadingPosition.changed_at)
        )
    if stored is not None:
        seen_to = max(request.offset, request.seen_to or 0)
        place = Place(request.fragment_id, request.offset, seen_to, stored)
        note_progress(session, user_id=viewer.user_id, media_id=media.id, place=place)
    row = session.get_one(ReadingPosition, (viewer.user_id, request.fragment_id))
    return _position_out(row)


def take_up_positions(session: Session, *, media_id: UUID) -> None:
    """The text has arrived in which people had a place elsewhere: they have it here too."""
    # On the connection: to a session, an insert with values is one of entities.
    session.connection().execute(_taking_up(), {"waiting_media_id": media_id})


@cache
def _taking_up() -> Insert:
    """Every document that is stored asks for it, and nearly none has any: it is built once."""
    gone = (
        delete(WaitingPosition)
        .where(WaitingPosition.media_id == bindparam("waiting_media_id", type_=Uuid()))
        .returning(
            WaitingPosition.user_id,
            WaitingPosition.media_id,
            WaitingPosition.fragment_idx,
            WaitingPosition.text_offset,
            WaitingPosition.changed_at,
        )
        .cte("gone")
    )
    places = select(
        gone.c.user_id,
        Fragment.id,
        func.least(gone.c.text_offset, Fragment.length),
        gone.c.changed_at,
    ).join(Fragment, (Fragment.media_id == gone.c.media_id) & (Fragment.idx == gone.c.fragment_idx))
    columns = ["user_id", "fragment_id", "text_offset", "changed_at"]
    return insert(ReadingPosition).from_select(columns, places).on_conflict_do_nothing()


def _position_out(row: ReadingPosition) -> PositionOut:
    return PositionOut(
        fragment_id=row.fragment_id, offset=row.text_offset, changed_at=row.changed_at
    )


def _not_later_than_now(moment: datetime) -> ColumnElement[datetime]:
    """A device whose clock is ahead must not win until the others have caught up."""
    return func.least(literal(moment), func.now())
