"""The text of an item: as a whole, one fragment at a time, and how its parts lie in it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Uuid, bindparam, select
from sqlalchemy.orm import Session

from nexus.db.as_text import as_text
from nexus.db.models import Fragment, MediaOutline, ShelfItem
from nexus.errors import MediaNotFoundError
from nexus.schemas.media import FragmentList, FragmentOut
from nexus.services.capabilities import READABLE
from nexus.services.highlight_read import require_readable_fragment
from nexus.services.images.sizes import known_sizes
from nexus.services.media_access import find_readable
from nexus.services.stored_places import stored_pages, stored_places
from nexus.services.viewer import Viewer

_PARTS = (
    select(as_text(Fragment.id), Fragment.idx, Fragment.label, Fragment.length)
    .where(Fragment.media_id == bindparam("media_id", type_=Uuid()))
    .order_by(Fragment.idx)
)


def list_fragments(
    session: Session, viewer: Viewer, *, media_id: UUID, limit: int | None = None
) -> FragmentList:
    """The readable text of an item, in order: all of it, or so many parts from the first on."""
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    query = select(Fragment).where(Fragment.media_id == media.id).order_by(Fragment.idx)
    found = session.scalars(query.limit(limit)).all()
    return FragmentList(fragments=_as_seen(session, viewer, media_id=media.id, fragments=found))


def get_fragment(session: Session, viewer: Viewer, *, fragment_id: UUID) -> FragmentOut:
    """One part of an item."""
    media_id = require_readable_fragment(session, viewer, fragment_id=fragment_id)
    found = session.scalars(select(Fragment).where(Fragment.id == fragment_id)).all()
    (fragment,) = _as_seen(session, viewer, media_id=media_id, fragments=found)
    return fragment


def get_outline(session: Session, viewer: Viewer, *, media_id: UUID) -> dict[str, Any]:
    """The parts of an item and its table of contents, without the text.

    In the form of an `OutlineOut`: a book may have thousands of parts, and objects of Python that
    are only written out again would take most of the time in which it opens.
    """
    media, _ = find_readable(session, viewer_id=viewer.user_id, media_id=media_id)
    # One that is read again still has the outline of its last text.
    return outline_of(session, media_id=media.id, is_read=media.processing_status in READABLE)


def outline_of(session: Session, *, media_id: UUID, is_read: bool) -> dict[str, Any]:
    """The same, of an item that the viewer is known to read."""
    rows = session.connection().execute(_PARTS, {"media_id": media_id}).all()
    ids = {idx: fragment_id for fragment_id, idx, _, _ in rows}
    outline = session.get(MediaOutline, media_id) if is_read else None
    return {
        "fragments": [
            {"id": fragment_id, "idx": idx, "label": label, "length": length}
            for fragment_id, idx, label, length in rows
        ],
        "contents": _contents(outline.contents, ids) if outline else [],
        "pages": _pages(outline.pages, ids) if outline else [],
        "start": _start(outline.start, ids) if outline else None,
        "fixed_layout": outline.fixed_layout if outline else False,
    }


def first_fragment(
    session: Session, *, media_id: UUID, fragment_id: UUID | None, saved_at: datetime
) -> FragmentOut | None:
    """The part with that id, or the first one, of an item that the viewer is known to read."""
    query = select(Fragment).where(Fragment.media_id == media_id)
    if fragment_id is not None:
        query = query.where(Fragment.id == fragment_id)
    found = session.scalars(query.order_by(Fragment.idx).limit(1)).all()
    return next(iter(_dated(session, found, saved_at)), None)


def _as_seen(
    session: Session, viewer: Viewer, *, media_id: UUID, fragments: Sequence[Fragment]
) -> list[FragmentOut]:
    own = select(ShelfItem.saved_at).where(
        ShelfItem.user_id == viewer.user_id, ShelfItem.media_id == media_id, ShelfItem.visible
    )
    saved_at = session.scalar(own)
    if saved_at is None:
        raise MediaNotFoundError
    return _dated(session, fragments, saved_at)


def _dated(
    session: Session, fragments: Sequence[Fragment], saved_at: datetime
) -> list[FragmentOut]:
    seen = {fragment.id: FragmentOut.model_validate(fragment) for fragment in fragments}
    for fragment in seen.values():
        # Like every date of an item, no earlier than the viewer's own save.
        fragment.created_at = max(fragment.created_at, saved_at)
    for fragment_id, size in known_sizes(session, list(seen)):
        seen[fragment_id].images.append(size)
    return list(seen.values())


def _contents(stored: Any, ids: dict[int, str]) -> list[dict[str, Any]]:
    """Entries whose part there is; the children of others move up in their place."""
    found: list[dict[str, Any]] = []
    for entry in stored_places(stored):
        children = _contents(entry.get("children"), ids)
        if (fragment_id := ids.get(entry["fragment_idx"])) is None:
            found += children
        else:
            found.append(
                {
                    "label": entry["label"],
                    "fragment_id": fragment_id,
                    "offset": entry["offset"],
                    "children": children,
                }
            )
    return found


def _pages(stored: Any, ids: dict[int, str]) -> list[dict[str, Any]]:
    """Pages whose part there is. A scan has no parts, and all its pages."""
    return [
        {
            "number": page["number"],
            "label": page["label"],
            "fragment_id": ids.get(page["fragment_idx"]),
            "offset": page["offset"],
        }
        for page in stored_pages(stored)
        if page["fragment_idx"] in ids or not ids
    ]


def _start(stored: Any, ids: dict[int, str]) -> dict[str, Any] | None:
    place = {**stored, "label": ""} if isinstance(stored, dict) else {}
    for found in stored_places([place]):
        if (fragment_id := ids.get(found["fragment_idx"])) is not None:
            return {"fragment_id": fragment_id, "offset": found["offset"]}
    return None
