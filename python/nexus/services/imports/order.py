"""Libraries, tags and reading state that an import brings along, for many items at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from nexus.db.bulk import insert_new
from nexus.db.enums import MembershipRole, ReadingState
from nexus.db.models import Import, ItemTag, Library, LibraryMedia, Membership, Tag
from nexus.schemas.base import MAX_NAME_LENGTH
from nexus.schemas.shelf import MAX_TAGS_PER_ITEM
from nexus.services.imports.lines import Line
from nexus.services.imports.shelves import Entered, add_to_known, shelve
from nexus.services.search_names import tag_words
from nexus.services.tags import MAX_TAGS_PER_PERSON, find_tags, tag_key
from nexus.services.viewer import Viewer
from nexus.text import collapse_name

MAX_LIBRARIES = 500
"""An import creates libraries for its folders until the person has so many."""
# A comma or a quotation mark would make a tag unfindable.
_NOT_IN_TAGS = str.maketrans({",": " ", '"': "'"})


@dataclass(slots=True)
class Order:
    """Where the items of a batch go: tags by key, libraries by name. Made before any item."""

    tags: dict[str, UUID] = field(default_factory=dict)
    libraries: dict[str, UUID] = field(default_factory=dict)
    everywhere: list[UUID] = field(default_factory=list)
    """Libraries for every item, beside those of its folders."""


def prepare(session: Session, viewer: Viewer, found: Import, lines: Sequence[Line]) -> Order:
    """Find or make the tags and libraries that these lines need."""
    return Order(
        tags=_tags(session, viewer, found, lines),
        libraries=_libraries(session, viewer, found, lines),
        everywhere=_chosen(session, viewer, found),
    )


def put_in_order(
    session: Session,
    viewer: Viewer,
    found: Import,
    lines: Sequence[Line],
    order: Order,
    entered: Entered,
    *,
    now: datetime,
) -> None:
    """Libraries, the shelf and tags for lines that have their item, which may just have come."""
    lines = [line for line in lines if line.media_id is not None]
    _put_into_libraries(session, lines, order, entered, now)
    tagged = _choose_tags(session, viewer, found, lines, order)
    tags: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for media_id, tag_id in tagged:
        tags[media_id].append(tag_id)
    made = shelve(session, viewer, lines, entered, tags)
    _tag(session, viewer, tagged)
    # Last: it also names the items for search, by their tags among others.
    add_to_known(session, viewer, (line for line in lines if line.media_id not in made))
    for line in lines:
        if line.new:
            line.added |= {
                "state": line.item.state or ReadingState.UNREAD,
                "archived": line.item.archived,
                "favourite": line.item.favourite,
            }


def tag_names(names: Iterable[str]) -> list[str]:
    """Tags as they are here: cut, cleaned, each once."""
    kept: dict[str, str] = {}
    for name in names:
        cleaned = collapse_name(name.translate(_NOT_IN_TAGS))[:MAX_NAME_LENGTH].strip()
        if cleaned and cleaned not in {".", ".."}:
            kept.setdefault(tag_key(cleaned), cleaned)
    return list(kept.values())


def _tags(
    session: Session, viewer: Viewer, found: Import, lines: Sequence[Line]
) -> dict[str, UUID]:
    every = (name for line in lines for name in line.item.tags)
    names = {tag_key(name): name for name in tag_names([*found.tags, *every])}
    if not names:
        return {}
    known = find_tags(session, user_id=viewer.user_id, names=list(names.values()))
    owned = select(func.count()).select_from(Tag).where(Tag.user_id == viewer.user_id)
    room = MAX_TAGS_PER_PERSON - (session.scalar(owned) or 0) if len(known) < len(names) else 0
    missing = [key for key in names if key not in known][: max(0, room)]
    rows = [
        {
            "id": uuid4(),
            "user_id": viewer.user_id,
            "name": names[key],
            "key": key,
            "words": tag_words(session, names[key]),
        }
        for key in missing
    ]
    if rows:
        made = insert_new(session, Tag, rows, returning=("id",))
        found.made_tag_ids = [*found.made_tag_ids, *(row.id for row in made)]
    # Kept from being deleted before the items refer to them.
    query = select(Tag.key, Tag.id).where(Tag.user_id == viewer.user_id, Tag.key.in_(names))
    held = session.execute(query.order_by(Tag.id).with_for_update(read=True, key_share=True))
    return {row[0]: row[1] for row in held}


def _libraries(
    session: Session, viewer: Viewer, found: Import, lines: Sequence[Line]
) -> dict[str, UUID]:
    names = dict.fromkeys(name for line in lines for name in _folders(line))
    if not names:
        return {}
    own = Library.owner_user_id == viewer.user_id
    query = select(Library.name, Library.id).where(own, Library.name.in_(names))
    known = {row[0]: row[1] for row in session.execute(query.order_by(Library.created_at.desc()))}
    owned = session.scalar(select(func.count()).select_from(Library).where(own)) or 0
    missing = [name for name in names if name not in known][: max(0, MAX_LIBRARIES - owned)]
    for name in missing:
        library = Library(id=uuid4(), name=name, owner_user_id=viewer.user_id)
        session.add(library)
        session.flush()
        session.add(
            Membership(library_id=library.id, user_id=viewer.user_id, role=MembershipRole.ADMIN)
        )
        known[name] = library.id
        found.made_library_ids = [*found.made_library_ids, library.id]
    session.flush()
    return known


def _folders(line: Line) -> list[str]:
    names = (collapse_name(folder)[:MAX_NAME_LENGTH].strip() for folder in line.item.folders)
    return [name for name in names if name]


def _chosen(session: Session, viewer: Viewer, found: Import) -> list[UUID]:
    """The library chosen for all, if the person may still change it, and its owner's default."""
    if found.library_id is None:
        return []
    membership = session.get(Membership, (found.library_id, viewer.user_id))
    if membership is None or membership.role is not MembershipRole.ADMIN:
        return []
    library = session.get_one(Library, found.library_id)
    owners = select(Library.id).where(
        Library.owner_user_id == library.owner_user_id, Library.is_default
    )
    return [library.id, session.scalars(owners).one()]


def _put_into_libraries(
    session: Session, lines: Sequence[Line], order: Order, entered: Entered, now: datetime
) -> None:
    """With the date of the import for what was there already, whose own date stays."""
    rows: dict[tuple[UUID, UUID], dict[str, Any]] = {}
    asked: dict[tuple[UUID, UUID], Line] = {}
    for line in lines:
        assert line.media_id is not None
        wanted = [*order.everywhere]
        for name in _folders(line):
            if name in order.libraries:
                wanted.append(order.libraries[name])
            else:
                line.notes.append(f"There is no room for a library called {name}.")
        created_at = line.saved_at(now) if line.new else now
        for library_id in wanted:
            key = (library_id, line.media_id)
            asked.setdefault(key, line)
            rows[key] = {
                "library_id": library_id,
                "media_id": line.media_id,
                "created_at": created_at,
            }
    columns = ("library_id", "media_id", "created_at")
    for library_id, media_id, moment in insert_new(
        session, LibraryMedia, list(rows.values()), returning=columns
    ):
        line = asked[library_id, media_id]
        line.added.setdefault("libraries", []).append(str(library_id))
        entered[media_id] = min(moment, entered.get(media_id, moment))


# One by one, as a count of the person's tags would read all of them.
_TAGS_EACH = text(
    """
    SELECT asked.id, (
        SELECT count(*) FROM item_tags WHERE user_id = :user_id AND media_id = asked.id
    )
    FROM unnest(CAST(:media_ids AS uuid[])) AS asked (id)
    """
)


def _choose_tags(
    session: Session, viewer: Viewer, found: Import, lines: Sequence[Line], order: Order
) -> dict[tuple[UUID, UUID], Line]:
    """Which items get which tags, and the line that says so: as many as an item has room for."""
    if not order.tags:
        return {}
    media_ids = list({line.media_id for line in lines})
    each = session.execute(_TAGS_EACH, {"user_id": viewer.user_id, "media_ids": media_ids})
    used: dict[UUID | None, int] = {row[0]: row[1] for row in each}
    asked: dict[tuple[UUID, UUID], Line] = {}
    for line in lines:
        assert line.media_id is not None
        room = MAX_TAGS_PER_ITEM - used.get(line.media_id, 0)
        names = tag_names([*found.tags, *line.item.tags])
        known = [order.tags[key] for key in map(tag_key, names) if key in order.tags]
        if len(known) < len(names):
            line.notes.append(f"You have {MAX_TAGS_PER_PERSON:,} tags: some were left out.")
        if len(known) > room:
            line.notes.append(f"An item has at most {MAX_TAGS_PER_ITEM} tags: some were left out.")
        for tag_id in known[: max(0, room)]:
            asked.setdefault((line.media_id, tag_id), line)
        used[line.media_id] = used.get(line.media_id, 0) + min(len(known), max(0, room))
    return asked


def _tag(session: Session, viewer: Viewer, asked: Mapping[tuple[UUID, UUID], Line]) -> None:
    rows = [
        {"user_id": viewer.user_id, "media_id": media_id, "tag_id": tag_id}
        for media_id, tag_id in asked
    ]
    for media_id, tag_id in insert_new(session, ItemTag, rows, returning=("media_id", "tag_id")):
        asked[media_id, tag_id].added.setdefault("tags", []).append(str(tag_id))
