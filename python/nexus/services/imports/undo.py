"""Undoing an import: what it added goes, unless the person has touched it since.

Tags it put on items and libraries it put them into are taken back everywhere. An item it brought
goes if it is still as the import left it. What was there before stays.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, func, select, tuple_, update
from sqlalchemy.orm import Session

from nexus.db.enums import ImportOutcome
from nexus.db.models import (
    Import,
    ImportRecord,
    ItemTag,
    Library,
    LibraryMedia,
    Membership,
    ReadingPosition,
    SavedAddress,
    ShelfItem,
    Tag,
    UnplacedHighlight,
)
from nexus.db.models.media import Fragment
from nexus.services.imports import states
from nexus.services.imports.highlights import items_with_own_highlights, take_back_highlights
from nexus.services.media_events import announce_nothing_else
from nexus.services.media_removal import lock_media, remove_unheld_media
from nexus.services.shelf_rows import lock_whole_shelf
from nexus.services.viewer import Viewer

SIZE = 200
_TAKEN = (ImportOutcome.ADDED, ImportOutcome.EXISTING)
_STAYS = "You have changed this item since, so it stays."


class _Added(NamedTuple):
    """What the import did to one item, over all lines that have it."""

    tags: set[UUID]
    libraries: set[UUID]
    left: dict[str, object] | None
    """How the import left an item that it brought; None for one that was there before."""


def undo_import(session: Session, viewer: Viewer, *, import_id: UUID) -> None:
    """Undo an import: a small one at once, the rest of a large one by a worker."""
    found = states.undo(session, viewer, import_id=import_id)
    announce_nothing_else(session)
    if not take_back(session, found):
        states.finish(session, found)


def take_back(session: Session, found: Import) -> bool:
    """Undo the next lines of an import whose row the caller has locked; False if none is left."""
    numbers, media_ids = _next_lines(session, found)
    if not numbers:
        _remove_empty(session, found)
        return False
    lock_media(session, media_ids=media_ids)
    lock_whole_shelf(session, user_ids=[found.user_id])
    added = _added(session, found, media_ids)
    removed = _untouched(session, found, added)
    _take_from_items(session, found, added)
    take_back_highlights(session, import_id=found.id, media_ids=list(added))
    _remove(session, found, removed)
    _note(session, found, numbers, set(added) - set(removed))
    found.position = numbers[-1]
    found.updated_at = func.clock_timestamp()
    session.flush()
    if len(numbers) < SIZE:
        _remove_empty(session, found)
        return False
    return True


def _next_lines(session: Session, found: Import) -> tuple[list[int], list[UUID]]:
    query = (
        select(ImportRecord.number, ImportRecord.media_id)
        .where(
            ImportRecord.import_id == found.id,
            ImportRecord.number > found.position,
            ImportRecord.outcome.in_(_TAKEN),
        )
        .order_by(ImportRecord.number)
        .limit(SIZE)
    )
    rows = session.execute(query).all()
    return [row[0] for row in rows], sorted({row[1] for row in rows if row[1] is not None})


def _added(session: Session, found: Import, media_ids: Sequence[UUID]) -> dict[UUID, _Added]:
    query = select(ImportRecord.media_id, ImportRecord.outcome, ImportRecord.added).where(
        ImportRecord.import_id == found.id, ImportRecord.media_id.in_(media_ids)
    )
    tags: defaultdict[UUID, set[UUID]] = defaultdict(set)
    libraries: defaultdict[UUID, set[UUID]] = defaultdict(set)
    left: dict[UUID, dict[str, object]] = {}
    for media_id, outcome, added in session.execute(query):
        tags[media_id] |= {UUID(one) for one in (added or {}).get("tags", ())}
        libraries[media_id] |= {UUID(one) for one in (added or {}).get("libraries", ())}
        if outcome is ImportOutcome.ADDED:
            left[media_id] = added or {}
    return {one: _Added(tags[one], libraries[one], left.get(one)) for one in media_ids}


def _untouched(session: Session, found: Import, added: dict[UUID, _Added]) -> list[UUID]:
    """Items the import brought that are as it left them."""
    brought = {media_id: one for media_id, one in added.items() if one.left is not None}
    shelf = select(
        ShelfItem.media_id,
        ShelfItem.state,
        ShelfItem.archived,
        ShelfItem.favourite,
        ShelfItem.opened_at,
    ).where(ShelfItem.user_id == found.user_id, ShelfItem.media_id.in_(brought))
    kept = set()
    for row in session.execute(shelf):
        left = brought[row.media_id].left or {}
        now = {"state": row.state.value, "archived": row.archived, "favourite": row.favourite}
        if _since(found, row.opened_at) or any(left.get(name) != now[name] for name in now):
            kept.add(row.media_id)
    kept |= _with_other_tags(session, found, brought)
    kept |= _in_other_libraries(session, found, brought)
    kept |= items_with_own_highlights(session, user_id=found.user_id, media_ids=list(brought))
    kept |= _being_read(session, found, list(brought))
    return sorted(set(brought) - kept)


def _since(found: Import, opened_at: datetime | None) -> bool:
    """Whether it was opened after the import began, and not only where it came from."""
    return opened_at is not None and opened_at > found.created_at


def _with_other_tags(session: Session, found: Import, brought: dict[UUID, _Added]) -> set[UUID]:
    query = select(ItemTag.media_id, ItemTag.tag_id).where(
        ItemTag.user_id == found.user_id, ItemTag.media_id.in_(brought)
    )
    return {row[0] for row in session.execute(query) if row[1] not in brought[row[0]].tags}


def _in_other_libraries(session: Session, found: Import, brought: dict[UUID, _Added]) -> set[UUID]:
    query = (
        select(LibraryMedia.media_id, LibraryMedia.library_id)
        .join(Library, Library.id == LibraryMedia.library_id)
        .join(Membership, Membership.library_id == Library.id)
        .where(
            LibraryMedia.media_id.in_(brought),
            Membership.user_id == found.user_id,
            ~((Library.owner_user_id == found.user_id) & Library.is_default),
        )
    )
    return {row[0] for row in session.execute(query) if row[1] not in brought[row[0]].libraries}


def _being_read(session: Session, found: Import, media_ids: list[UUID]) -> set[UUID]:
    query = (
        select(Fragment.media_id)
        .join(ReadingPosition, ReadingPosition.fragment_id == Fragment.id)
        .where(
            Fragment.media_id.in_(media_ids),
            ReadingPosition.user_id == found.user_id,
            # An archive of ours brings places along, and they are older.
            ReadingPosition.changed_at > found.created_at,
        )
    )
    return set(session.scalars(query))


def _take_from_items(session: Session, found: Import, added: dict[UUID, _Added]) -> None:
    tags = [(media_id, tag_id) for media_id, one in added.items() for tag_id in one.tags]
    if tags:
        pairs = tuple_(ItemTag.media_id, ItemTag.tag_id).in_(tags)
        session.execute(delete(ItemTag).where(ItemTag.user_id == found.user_id, pairs))
    entries = [(media_id, one_id) for media_id, one in added.items() for one_id in one.libraries]
    if entries:
        pairs = tuple_(LibraryMedia.media_id, LibraryMedia.library_id).in_(entries)
        session.execute(delete(LibraryMedia).where(pairs, _not_default(found.user_id)))


def _not_default(user_id: UUID) -> ColumnElement[bool]:
    """Out of their default library an item goes only as a whole."""
    default = exists().where(
        Library.id == LibraryMedia.library_id,
        Library.is_default,
        Library.owner_user_id == user_id,
    )
    return ~default


def _remove(session: Session, found: Import, media_ids: list[UUID]) -> None:
    """Items that go, with everything of this person's about them."""
    if not media_ids:
        return
    own = select(Library.id).where(Library.owner_user_id == found.user_id)
    session.execute(
        delete(LibraryMedia).where(
            LibraryMedia.media_id.in_(media_ids), LibraryMedia.library_id.in_(own)
        )
    )
    for model in (UnplacedHighlight, SavedAddress, ShelfItem):
        session.execute(
            delete(model)
            .where(model.user_id == found.user_id, model.media_id.in_(media_ids))
            .execution_options(synchronize_session=False)
        )
    remove_unheld_media(session, media_ids=media_ids)


def _note(session: Session, found: Import, numbers: list[int], stay: set[UUID]) -> None:
    of_batch = (ImportRecord.import_id == found.id) & ImportRecord.number.in_(numbers)
    kept = (
        of_batch & ImportRecord.media_id.in_(stay) & (ImportRecord.outcome == ImportOutcome.ADDED)
    )
    for condition, values in (
        (kept, {"reason": _STAYS}),
        (of_batch, {"outcome": ImportOutcome.UNDONE, "added": None}),
    ):
        session.execute(
            update(ImportRecord)
            .where(condition)
            .values(**values)
            .execution_options(synchronize_session=False)
        )
    found.items_done = max(0, found.items_done - len(numbers))


def _remove_empty(session: Session, found: Import) -> None:
    """Libraries and tags that the import made and that hold nothing."""
    holds = exists().where(LibraryMedia.library_id == Library.id)
    session.execute(
        delete(Library)
        .where(
            Library.id.in_(found.made_library_ids),
            Library.owner_user_id == found.user_id,
            ~holds,
        )
        .execution_options(synchronize_session=False)
    )
    used = exists().where(ItemTag.tag_id == Tag.id)
    session.execute(
        delete(Tag)
        .where(Tag.id.in_(found.made_tag_ids), Tag.user_id == found.user_id, ~used)
        .execution_options(synchronize_session=False)
    )
    found.made_library_ids = found.made_tag_ids = []
