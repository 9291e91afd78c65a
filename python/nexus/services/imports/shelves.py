"""The rows of the person's shelf: written once, with everything that an import knows of an item.

Triggers keep shelves up to date in all other cases. Here they leave the person's own rows alone,
because each of their steps would write a row and its dozen index entries again.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from nexus.db.bulk import json_rows
from nexus.services.imports.lines import Line
from nexus.services.titles import clean_title
from nexus.services.viewer import Viewer
from nexus.text import collapse_name

Entered = dict[UUID, datetime]
"""Items that came into a library just now, and since when they count as saved there."""

_MAX_EXCERPT = 1000
_SET = text("SELECT set_config(:name, :value, true)")


def name_later(session: Session, viewer: Viewer) -> None:
    """Until the transaction ends, only this module names the person's items for search."""
    session.execute(_SET, {"name": "nexus.name_later", "value": str(viewer.user_id)})


def shelve_later(session: Session, viewer: Viewer) -> None:
    """What comes into libraries from here on is not on the person's shelf before `shelve`."""
    session.execute(_SET, {"name": "nexus.shelve_later", "value": str(viewer.user_id)})


# The tags are not on the items yet: that needs the row this makes.
_SHELVE = text(
    """
    INSERT INTO shelf_items (
        user_id, media_id, saved_at, kind, title_key, length,
        state, progress, archived, favourite, given_title, given_excerpt, words
    )
    SELECT :user_id, media.id, given.saved_at, media.kind, title_key(media), media.word_count,
        coalesce(given.state, 'unread'), coalesce(given.progress, 0),
        given.archived, given.favourite, given.title, given.excerpt,
        shelf_words(:user_id, media.id) || (
            SELECT joined_words(tags.words ORDER BY tags.key) FROM tags
            WHERE tags.id = ANY(given.tags)
        )
    FROM json_to_recordset(CAST(:rows AS json)) AS given (
        media_id uuid, saved_at timestamptz, state text, progress real, archived boolean,
        favourite boolean, title text, excerpt text, tags uuid[]
    )
    JOIN media ON media.id = given.media_id
    ORDER BY media.id
    ON CONFLICT DO NOTHING
    RETURNING media_id
    """
)
_SHOW = text("SELECT put_on_shelves(:users, :items, :moments)")


def shelve(
    session: Session,
    viewer: Viewer,
    lines: Sequence[Line],
    entered: Entered,
    tags: Mapping[UUID, list[UUID]],
) -> set[UUID]:
    """Put what came into libraries on the shelf; the ids of those that were never there before."""
    said = _said(lines)
    rows = [
        _own(said[media_id]) | {"saved_at": moment, "tags": tags.get(media_id, [])}
        for media_id, moment in entered.items()
    ]
    made: set[UUID] = set()
    if rows:
        values = {"user_id": viewer.user_id, "rows": json_rows(rows)}
        made.update(session.scalars(_SHELVE, values))
    known = [media_id for media_id in entered if media_id not in made]
    if known:
        moments = [entered[media_id] for media_id in known]
        users = [viewer.user_id] * len(known)
        session.execute(_SHOW, {"users": users, "items": known, "moments": moments})
    session.execute(_SET, {"name": "nexus.shelve_later", "value": ""})
    return made


_SET_OWN = text(
    """
    UPDATE shelf_items SET
        state = coalesce(given.state, shelf_items.state),
        progress = coalesce(given.progress, shelf_items.progress),
        archived = shelf_items.archived OR given.archived,
        favourite = shelf_items.favourite OR given.favourite,
        given_title = coalesce(shelf_items.given_title, given.title),
        given_excerpt = coalesce(shelf_items.given_excerpt, given.excerpt),
        words = shelf_words(shelf_items.user_id, shelf_items.media_id)
    FROM json_to_recordset(CAST(:rows AS json)) AS given (
        media_id uuid, state text, progress real, archived boolean, favourite boolean,
        title text, excerpt text
    )
    WHERE shelf_items.user_id = :user_id AND shelf_items.media_id = given.media_id
    """
)


def add_to_known(session: Session, viewer: Viewer, lines: Iterable[Line]) -> None:
    """What an import says of items that were on the shelf, and their names by their new tags."""
    rows = [_own(line) for line in _said(lines).values()]
    if rows:
        session.execute(_SET_OWN, {"user_id": viewer.user_id, "rows": json_rows(rows)})


def _said(lines: Iterable[Line]) -> dict[UUID, Line]:
    """Of two lines with one item the one that brought it says how it is."""
    ordered = sorted(lines, key=lambda line: line.new)
    return {line.media_id: line for line in ordered if line.media_id is not None}


def _own(line: Line) -> dict[str, Any]:
    """How far the person was elsewhere counts for what is new here; what is known here stays."""
    item, new = line.item, line.new
    return {
        "media_id": line.media_id,
        "state": item.state if new else None,
        "progress": _part(item.progress) if new else None,
        "archived": new and item.archived,
        "favourite": new and item.favourite,
        "title": clean_title(item.title) if item.title else None,
        "excerpt": collapse_name(item.excerpt)[:_MAX_EXCERPT] if item.excerpt else None,
    }


def _part(progress: float | None) -> float | None:
    return None if progress is None else min(max(progress, 0.0), 1.0)
