"""What only our own archive has of an item: addresses, dates, and the place in its text."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select

from nexus.db.enums import MediaKind
from nexus.db.models import (
    Fragment,
    LibraryMedia,
    Media,
    ReadingPosition,
    ReadingPreferences,
    SavedAddress,
    Tag,
    WaitingPosition,
)
from nexus.export.items import ExportedItem, Selection

_PREFERENCES = ("theme", "font", "width", "size", "highlight_code", "changed_at")

Json = dict[str, Any]


@dataclass(slots=True)
class Details:
    addresses: list[Json] = field(default_factory=list)
    libraries: list[Json] = field(default_factory=list)
    positions: list[Json] = field(default_factory=list)
    image: str | None = None


def read_details(selection: Selection, items: Sequence[ExportedItem]) -> dict[UUID, Details]:
    found: defaultdict[UUID, Details] = defaultdict(Details)
    ids = [item.media.id for item in items]
    for read in (_read_addresses, _read_libraries, _read_positions, _read_images):
        read(selection, ids, found)
    return found


def read_person(selection: Selection) -> Json:
    """What belongs to no item: names, also of what is empty, and how the person likes to read."""
    session, user_id = selection.session, selection.viewer.user_id
    tags = select(Tag.name).where(Tag.user_id == user_id).order_by(Tag.key)
    columns = [getattr(ReadingPreferences, name) for name in _PREFERENCES]
    chosen = session.execute(
        select(*columns).where(ReadingPreferences.user_id == user_id)
    ).one_or_none()
    return {
        "libraries": list(selection.libraries.values()),
        "tags": list(session.scalars(tags)),
        "preferences": chosen and {name: _plain(getattr(chosen, name)) for name in _PREFERENCES},
    }


def _read_addresses(selection: Selection, ids: list[UUID], found: dict[UUID, Details]) -> None:
    columns = (
        SavedAddress.media_id,
        SavedAddress.kind,
        SavedAddress.lookup_key,
        SavedAddress.requested_url,
        SavedAddress.created_at,
    )
    query = (
        select(*columns)
        .where(SavedAddress.user_id == selection.viewer.user_id, SavedAddress.media_id.in_(ids))
        .order_by(SavedAddress.created_at, SavedAddress.kind, SavedAddress.lookup_key)
    )
    for media_id, kind, key, address, saved_at in selection.session.execute(query):
        one = {"kind": kind.value, "key": key, "address": address, "saved_at": _plain(saved_at)}
        found[media_id].addresses.append(one)


def _read_libraries(selection: Selection, ids: list[UUID], found: dict[UUID, Details]) -> None:
    query = select(LibraryMedia.media_id, LibraryMedia.library_id, LibraryMedia.created_at).where(
        LibraryMedia.media_id.in_(ids), LibraryMedia.library_id.in_(selection.libraries)
    )
    order = {library_id: number for number, library_id in enumerate(selection.libraries)}
    rows = sorted(selection.session.execute(query), key=lambda row: order[row.library_id])
    for media_id, library_id, added_at in rows:
        one = {"name": selection.libraries[library_id], "added_at": _plain(added_at)}
        found[media_id].libraries.append(one)


def _read_positions(selection: Selection, ids: list[UUID], found: dict[UUID, Details]) -> None:
    user_id = selection.viewer.user_id
    reached = (
        select(
            Fragment.media_id,
            Fragment.idx,
            ReadingPosition.text_offset,
            ReadingPosition.changed_at,
        )
        .join(Fragment, Fragment.id == ReadingPosition.fragment_id)
        .where(ReadingPosition.user_id == user_id, Fragment.media_id.in_(ids))
        .order_by(Fragment.idx)
    )
    waiting = (
        select(
            WaitingPosition.media_id,
            WaitingPosition.fragment_idx,
            WaitingPosition.text_offset,
            WaitingPosition.changed_at,
        )
        .where(WaitingPosition.user_id == user_id, WaitingPosition.media_id.in_(ids))
        .order_by(WaitingPosition.fragment_idx)
    )
    for query in (reached, waiting):
        for media_id, idx, offset, changed_at in selection.session.execute(query):
            one = {"fragment": idx, "offset": offset, "changed_at": _plain(changed_at)}
            found[media_id].positions.append(one)


def _read_images(selection: Selection, ids: list[UUID], found: dict[UUID, Details]) -> None:
    """On the web; the cover of a book comes out of its file again."""
    query = select(Media.id, Media.lead_image_url).where(
        Media.id.in_(ids), Media.kind == MediaKind.WEB_ARTICLE
    )
    for media_id, image in selection.session.execute(query):
        found[media_id].image = image


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return getattr(value, "value", value)
