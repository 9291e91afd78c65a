"""What only our own archives know of an item: addresses, dates, and the place in its text."""

from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.db.models import (
    Fragment,
    Library,
    LibraryMedia,
    ReadingPosition,
    SavedAddress,
    ShelfItem,
    WaitingPosition,
)
from nexus.importers.nexus import Json, dicts, moment
from nexus.services.imports.lines import Line
from nexus.services.search_names import address_words
from nexus.services.viewer import Viewer
from nexus.text import is_storable

_MAX_KEY = 4096
_MOST_POSITIONS = 5000


def restore_addresses(session: Session, viewer: Viewer, line: Line, entry: Json) -> None:
    """Addresses by which the person saved it. One that leads to another item of theirs stays."""
    rows = []
    for one in dicts(entry.get("addresses")):
        key, address, saved_at = one.get("key"), one.get("address"), moment(one.get("saved_at"))
        if not _is_text(key) or not (address is None or _is_text(address)) or saved_at is None:
            continue
        rows.append(
            {
                "user_id": viewer.user_id,
                "kind": one.get("kind"),
                "lookup_key": key,
                "media_id": line.media_id,
                "requested_url": address,
                "words": address_words(address) if address else None,
                "created_at": saved_at,
            }
        )
    known = set(MediaKind)
    rows = [row for row in rows if row["kind"] in known]
    if rows and line.new:
        statement = insert(SavedAddress).values(rows)
        session.execute(
            statement.on_conflict_do_update(
                index_elements=["user_id", "kind", "lookup_key"],
                set_={
                    "created_at": statement.excluded.created_at,
                    "requested_url": statement.excluded.requested_url,
                },
                where=SavedAddress.media_id == line.media_id,
            )
        )


def restore_details(session: Session, viewer: Viewer, line: Line, entry: Json) -> None:
    """How far the person was, for an item that is new here."""
    if not line.new:
        return
    own = (ShelfItem.user_id == viewer.user_id) & (ShelfItem.media_id == line.media_id)
    opened_at = moment(entry.get("opened_at"))
    if opened_at is not None:
        session.execute(update(ShelfItem).where(own).values(opened_at=opened_at))
    _date_entries(session, viewer, line, entry)
    _restore_positions(session, viewer, line, entry)


def _date_entries(session: Session, viewer: Viewer, line: Line, entry: Json) -> None:
    for one in dicts(entry.get("libraries")):
        name, added_at = one.get("name"), moment(one.get("added_at"))
        if not isinstance(name, str) or added_at is None:
            continue
        own = select(Library.id).where(
            Library.owner_user_id == viewer.user_id, Library.name == name, ~Library.is_default
        )
        session.execute(
            update(LibraryMedia)
            .where(LibraryMedia.media_id == line.media_id, LibraryMedia.library_id.in_(own))
            .values(created_at=added_at)
        )


def _restore_positions(session: Session, viewer: Viewer, line: Line, entry: Json) -> None:
    """In a text that is not there yet they wait for it."""
    places: dict[int, Any] = {}
    for one in dicts(entry.get("positions"))[:_MOST_POSITIONS]:
        idx, offset, changed_at = one.get("fragment"), one.get("offset"), one.get("changed_at")
        when = moment(changed_at)
        if _is_whole(idx) and _is_whole(offset) and when is not None:
            places[int(idx)] = (int(offset), when)  # type: ignore[arg-type]
    if not places:
        return
    query = select(Fragment.idx, Fragment.id, Fragment.length).where(
        Fragment.media_id == line.media_id
    )
    parts = {row.idx: row for row in session.execute(query)}
    if parts:
        rows = [
            {
                "user_id": viewer.user_id,
                "fragment_id": parts[idx].id,
                "text_offset": min(offset, parts[idx].length),
                "changed_at": when,
            }
            for idx, (offset, when) in places.items()
            if idx in parts
        ]
        model: Any = ReadingPosition
    else:
        rows = [
            {
                "user_id": viewer.user_id,
                "media_id": line.media_id,
                "fragment_idx": idx,
                "text_offset": offset,
                "changed_at": when,
            }
            for idx, (offset, when) in places.items()
        ]
        model = WaitingPosition
    if rows:
        session.execute(insert(model).values(rows).on_conflict_do_nothing())


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _MAX_KEY and is_storable(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
