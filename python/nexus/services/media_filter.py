"""Which items a list has, and whether these are few."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus, ReadingState
from nexus.db.models import ItemTag, ShelfItem
from nexus.services.viewer import Viewer

_FEW = 2000
_COUNTED = ("kind", "state", "favourite")


@dataclass(frozen=True, slots=True)
class MediaFilter:
    """Which items a list has. What is not given does not matter."""

    kind: MediaKind | None = None
    status: ProcessingStatus | None = None
    state: ReadingState | None = None
    archived: bool | None = None
    favourite: bool | None = None
    tags: tuple[str, ...] = ()
    """Those that have all of these."""
    library_id: UUID | None = None


def look_for_few(
    session: Session, viewer: Viewer, only: MediaFilter, tag_ids: Sequence[UUID]
) -> tuple[bool, list[UUID]]:
    """Whether a filter leaves so few items that they are best fetched whole; the rarest tag first.

    The planner cannot know: what is common among all people may be rare on this shelf, and lie at
    the end of the order. Each count is a short walk along an index.
    """
    values = {name: getattr(only, name) for name in _COUNTED}
    if only.library_id is not None:
        values["archived"] = only.archived
    given = {name: value for name, value in values.items() if value is not None}
    if not tag_ids and not given:
        return False, []
    counts = [_count(_tagged(tag_id)) for tag_id in tag_ids]
    own = ShelfItem.user_id == viewer.user_id
    for name, value in given.items():
        counts.append(_count(_shelved(own & (getattr(ShelfItem, name) == value))))
    found = session.execute(select(*counts)).one()
    by_count = sorted(zip(found, tag_ids, strict=False), key=lambda pair: pair[0])
    return min(found) <= _FEW, [tag_id for _, tag_id in by_count]


def _tagged(tag_id: UUID) -> Select[UUID]:
    # In the order of the index, or the planner might prefer to read the table from its beginning.
    return select(ItemTag.media_id).where(ItemTag.tag_id == tag_id).order_by(ItemTag.media_id)


def _shelved(condition: ColumnElement[bool]) -> Select[Any]:
    return (
        select(ShelfItem.saved_at).where(condition, ShelfItem.visible).order_by(ShelfItem.saved_at)
    )


def _count(query: Select[Any]) -> ColumnElement[int]:
    some = query.limit(_FEW + 1).subquery()
    return select(func.count()).select_from(some).scalar_subquery()
