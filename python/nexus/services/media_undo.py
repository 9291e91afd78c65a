"""Undoing a removal: what went with the item is kept aside, row by row, for half a minute."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Table,
    TableValuedAlias,
    column,
    delete,
    exists,
    func,
    literal,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Session

from nexus.db.base import Base
from nexus.db.enums import MembershipRole
from nexus.db.models import (
    Annotation,
    Fragment,
    Highlight,
    ItemTag,
    LibraryMedia,
    Membership,
    ReadingPosition,
    RemovedMedia,
    SavedAddress,
    ShelfItem,
    Tag,
    UnplacedHighlight,
)
from nexus.errors import MediaNotFoundError
from nexus.services.visibility import can_read_media

UNDO_WINDOW = timedelta(seconds=30)
# A note follows its highlight, a tag its item on the shelf.
_PERSONAL: tuple[type[Base], ...] = (
    ShelfItem,
    ItemTag,
    Highlight,
    Annotation,
    UnplacedHighlight,
    ReadingPosition,
    SavedAddress,
)


def keep_removal(
    session: Session, *, user_id: UUID, media_id: UUID, entries: Sequence[Row[UUID, Any]]
) -> None:
    """Record what a removal took out of the person's libraries: ids and dates of the entries.

    If it was the last of their libraries, everything of theirs about the item goes as well, even if
    others keep the item.
    """
    kept: dict[str, Any] = {
        LibraryMedia.__tablename__: [
            {"library_id": str(library_id), "created_at": created_at.isoformat()}
            for library_id, created_at in entries
        ]
    }
    if not can_read_media(session, viewer_id=user_id, media_id=media_id):
        kept |= _take_personal(session, user_id=user_id, media_id=media_id)
    removal = insert(RemovedMedia).values(user_id=user_id, media_id=media_id, kept=kept)
    session.execute(
        removal.on_conflict_do_update(
            index_elements=[RemovedMedia.user_id, RemovedMedia.media_id],
            set_={"kept": removal.excluded.kept, "removed_at": func.now()},
        )
    )


def bring_back(session: Session, *, user_id: UUID, media_id: UUID) -> None:
    """Undo the person's removal of an item, whose row the caller has locked."""
    removed = session.scalars(
        select(RemovedMedia)
        .where(
            RemovedMedia.user_id == user_id,
            RemovedMedia.media_id == media_id,
            RemovedMedia.removed_at > func.now() - UNDO_WINDOW,
        )
        .with_for_update()
    ).one_or_none()
    if removed is None:
        raise MediaNotFoundError
    for model in _PERSONAL:
        rows = removed.kept.get(model.__tablename__, [])
        if "media_id" in model.__table__.c:
            rows = [{**row, "media_id": str(media_id)} for row in rows]
        _put_rows(session, model, rows)
    # The row on the shelf is there again, and this makes it visible.
    _put_into_libraries(session, removed)
    session.delete(removed)
    session.flush()


def was_removed(session: Session, *, user_id: UUID, media_id: UUID) -> bool:
    return session.get(RemovedMedia, (user_id, media_id)) is not None


def move_removals(session: Session, *, loser_id: UUID, winner_id: UUID) -> None:
    """An undo after the removed item was merged into another restores that one."""
    newer = select(RemovedMedia.user_id).where(RemovedMedia.media_id == winner_id)
    session.execute(
        update(RemovedMedia)
        .where(RemovedMedia.media_id == loser_id, RemovedMedia.user_id.not_in(newer))
        .values(media_id=winner_id)
    )


def _take_personal(session: Session, *, user_id: UUID, media_id: UUID) -> dict[str, Any]:
    taken = {}
    for model in _PERSONAL:
        row: ColumnElement[Any] = literal_column(model.__tablename__)
        rows = select(func.jsonb_agg(func.to_jsonb(row))).select_from(model)
        taken[model.__tablename__] = (
            session.scalar(rows.where(_own(model, user_id, media_id))) or []
        )
    # In reverse order, because notes are found by their highlights.
    for model in reversed(_PERSONAL):
        session.execute(
            delete(model)
            .where(_own(model, user_id, media_id))
            .execution_options(synchronize_session=False)
        )
    return taken


def _own(model: type[Base], user_id: UUID, media_id: UUID) -> ColumnElement[bool]:
    """The rows of a table that are this person's about this item."""
    table = cast(Table, model.__table__)
    fragments = select(Fragment.id).where(Fragment.media_id == media_id)
    if "media_id" in table.c:
        of_item = table.c.media_id == media_id
    elif "fragment_id" in table.c:
        of_item = table.c.fragment_id.in_(fragments)
    else:
        highlights = select(Highlight.id).where(Highlight.fragment_id.in_(fragments))
        of_item = table.c.highlight_id.in_(highlights)
    return of_item & (table.c.user_id == user_id)


def _put_into_libraries(session: Session, removed: RemovedMedia) -> None:
    """Into those that still exist and that the person may change."""
    entry = _as_rows(LibraryMedia, removed.kept[LibraryMedia.__tablename__])
    entries = (
        select(entry.c.library_id, literal(removed.media_id), entry.c.created_at)
        .join(Membership, Membership.library_id == entry.c.library_id)
        .where(Membership.user_id == removed.user_id, Membership.role == MembershipRole.ADMIN)
    )
    columns = ["library_id", "media_id", "created_at"]
    session.execute(insert(LibraryMedia).from_select(columns, entries).on_conflict_do_nothing())


def _put_rows(session: Session, model: type[Base], rows: list[dict[str, Any]]) -> None:
    """Restore rows as they were. What was created again meanwhile stays as it is now."""
    row = _as_rows(model, rows)
    source = select(row)
    if model is Annotation:
        source = source.where(exists().where(Highlight.id == row.c.highlight_id))
    if model is ItemTag:
        tag_ids = [item["tag_id"] for item in rows]
        # Kept from being deleted before the rows refer to them.
        there = select(Tag.id).where(Tag.id.in_(tag_ids)).order_by(Tag.id)
        tags = session.scalars(there.with_for_update(read=True, key_share=True)).all()
        source = source.where(row.c.tag_id.in_(tags))
    columns = [column.name for column in row.c]
    session.execute(insert(model).from_select(columns, source).on_conflict_do_nothing())


def _as_rows(model: type[Base], rows: list[dict[str, Any]]) -> TableValuedAlias:
    """Rows of a table from what was kept of them."""
    table = cast(Table, model.__table__)
    function = func.jsonb_populate_recordset(
        literal_column(f"NULL::{table.name}"), literal(rows, JSONB)
    )
    return function.table_valued(*(column(one.name, one.type) for one in table.c))
