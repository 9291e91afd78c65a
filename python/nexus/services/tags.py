"""A person's tags. Two spellings that differ only in case are one; the first one is shown.

Locks are taken in this order: the whole shelf, tags, rows of the shelf, tags of items.
"""

import unicodedata
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.models import ItemTag, ShelfItem, Tag
from nexus.errors import ConflictError, NotFoundError, UnavailableError
from nexus.schemas.shelf import MAX_TAGS_PER_ITEM, TagList, TagOut
from nexus.services.search_names import tag_words
from nexus.services.shelf_rows import lock_whole_shelf
from nexus.services.viewer import Viewer

MAX_TAGS_PER_PERSON = 2000
# Another request may make a tag of the new name between our look and our change.
_TRIES = 5


def tag_key(name: str) -> str:
    """What spellings of one tag have in common."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def list_tags(session: Session, viewer: Viewer) -> TagList:
    """All tags of a person by name, each with how many items have it."""
    used = (
        select(ItemTag.tag_id, func.count().label("number"))
        .join(
            ShelfItem,
            (ShelfItem.user_id == ItemTag.user_id) & (ShelfItem.media_id == ItemTag.media_id),
        )
        .where(ItemTag.user_id == viewer.user_id, ShelfItem.visible)
        .group_by(ItemTag.tag_id)
        .subquery()
    )
    query = (
        select(Tag.name, func.coalesce(used.c.number, 0))
        .outerjoin(used, used.c.tag_id == Tag.id)
        .where(Tag.user_id == viewer.user_id)
        .order_by(Tag.key)
    )
    return TagList(tags=[TagOut(name=name, count=count) for name, count in session.execute(query)])


def rename_tag(session: Session, viewer: Viewer, *, name: str, new_name: str) -> TagOut:
    """Give a tag another name; if that is the name of another tag, the two become one."""
    lock_whole_shelf(session, user_ids=[viewer.user_id])
    for _ in range(_TRIES):
        keys = {tag_key(name), tag_key(new_name)}
        tags = {tag.key: tag for tag in _locked(session, viewer.user_id, keys)}
        tag = tags.get(tag_key(name))
        if tag is None:
            raise _tag_not_found()
        other = tags.get(tag_key(new_name), tag)
        if other is not tag:
            _move(session, tag, other)
        if _took_name(session, other, new_name):
            return next(one for one in list_tags(session, viewer).tags if one.name == new_name)
    raise UnavailableError("Your tags are being changed right now. Try again in a moment.")


def _took_name(session: Session, tag: Tag, name: str) -> bool:
    """False if a tag of this name was made since we looked."""
    words = tag_words(session, name)
    try:
        with session.begin_nested():
            tag.name, tag.key, tag.words = name, tag_key(name), words
            session.flush()
    except IntegrityError:
        return False
    return True


def delete_tag(session: Session, viewer: Viewer, *, name: str) -> None:
    """Take a tag off all items and forget it."""
    lock_whole_shelf(session, user_ids=[viewer.user_id])
    for tag in _locked(session, viewer.user_id, {tag_key(name)}):
        session.delete(tag)
        session.flush()
        return
    raise _tag_not_found()


def find_tags(session: Session, *, user_id: UUID, names: Sequence[str]) -> dict[str, UUID]:
    """The ids of those tags that exist, by key."""
    keys = {tag_key(name) for name in names}
    query = select(Tag.key, Tag.id).where(Tag.user_id == user_id, Tag.key.in_(keys))
    return {row[0]: row[1] for row in session.execute(query)}


def make_tags(session: Session, *, user_id: UUID, names: Sequence[str]) -> list[UUID]:
    """The ids of these tags, which are made if need be, and kept from being deleted."""
    wanted = {tag_key(name): name for name in reversed(names)}
    if not wanted:
        return []
    lock_whole_shelf(session, user_ids=[user_id])
    found = find_tags(session, user_id=user_id, names=names)
    new = [
        {
            "user_id": user_id,
            "name": wanted[key],
            "key": key,
            "words": tag_words(session, wanted[key]),
        }
        for key in wanted.keys() - found
    ]
    if new:
        session.execute(insert(Tag).values(new).on_conflict_do_nothing())
        owned = select(func.count()).select_from(Tag).where(Tag.user_id == user_id)
        if (session.scalar(owned) or 0) > MAX_TAGS_PER_PERSON:
            raise ConflictError(
                "E_TOO_MANY_TAGS",
                f"You have {MAX_TAGS_PER_PERSON} tags, and there is no room for more. "
                "Delete or merge some first.",
            )
    query = select(Tag.id).where(Tag.user_id == user_id, Tag.key.in_(wanted)).order_by(Tag.id)
    tag_ids = session.scalars(query.with_for_update(read=True, key_share=True)).all()
    return list(tag_ids)


def tag_items(
    session: Session, *, user_id: UUID, media_ids: Sequence[UUID], tag_ids: Sequence[UUID]
) -> None:
    """Put all these tags on all these items, whose shelf rows the caller has locked."""
    pairs = [
        {"user_id": user_id, "media_id": media_id, "tag_id": tag_id}
        for media_id in media_ids
        for tag_id in tag_ids
    ]
    if pairs:
        session.execute(insert(ItemTag).values(pairs).on_conflict_do_nothing())
    most = (
        select(func.count())
        .where(ItemTag.user_id == user_id, ItemTag.media_id.in_(media_ids))
        .group_by(ItemTag.media_id)
        .order_by(func.count().desc())
        .limit(1)
    )
    if (session.scalar(most) or 0) > MAX_TAGS_PER_ITEM:
        raise ConflictError(
            "E_TOO_MANY_TAGS",
            f"An item has at most {MAX_TAGS_PER_ITEM} tags. Remove some of them first.",
        )


def untag_items(
    session: Session,
    *,
    user_id: UUID,
    media_ids: Sequence[UUID],
    only: Sequence[UUID] | None = None,
    but: Sequence[UUID] = (),
) -> None:
    """Take tags off these items: those named, or all but those named."""
    gone = ItemTag.tag_id.in_(only) if only is not None else ItemTag.tag_id.not_in(but)
    session.execute(
        delete(ItemTag).where(ItemTag.user_id == user_id, ItemTag.media_id.in_(media_ids), gone)
    )


def _locked(session: Session, user_id: UUID, keys: set[str]) -> Sequence[Tag]:
    query = select(Tag).where(Tag.user_id == user_id, Tag.key.in_(keys)).order_by(Tag.id)
    return session.scalars(
        query.with_for_update(), execution_options={"populate_existing": True}
    ).all()


def _move(session: Session, tag: Tag, other: Tag) -> None:
    """Every item of the one gets the other; then the one goes."""
    items = select(ItemTag.user_id, ItemTag.media_id, literal(other.id)).where(
        ItemTag.tag_id == tag.id
    )
    columns = ["user_id", "media_id", "tag_id"]
    session.execute(insert(ItemTag).from_select(columns, items).on_conflict_do_nothing())
    session.delete(tag)
    session.flush()


def _tag_not_found() -> NotFoundError:
    return NotFoundError("You have no tag of this name.", code="E_TAG_NOT_FOUND")
