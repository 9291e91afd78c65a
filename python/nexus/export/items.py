"""The items of an export, one after the other, as one person sees them at one moment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, exists, func, or_, select, text
from sqlalchemy.orm import Session

from nexus.db.models import (
    Fragment,
    Highlight,
    Library,
    LibraryMedia,
    Media,
    MediaFile,
    Membership,
    SavedAddress,
    ShelfItem,
    UnplacedHighlight,
)
from nexus.errors import MediaNotFoundError
from nexus.schemas.highlights import HighlightOfMedia
from nexus.schemas.media import MediaOut
from nexus.services.highlight_read import count_highlights, highlights_of_items
from nexus.services.media_access import current_ids
from nexus.services.media_read import items_out
from nexus.services.unplaced import count_unplaced, unplaced_of_items
from nexus.services.viewer import Viewer

_BATCH = 100
_TEXT_AT_ONCE = 1_000_000
# A large file on a slow line passes between two statements.
_IDLE = "SET LOCAL idle_in_transaction_session_timeout = '15min'"


@dataclass(frozen=True, slots=True)
class Part:
    """A fragment: which one it is, and where it starts in the document as a whole."""

    idx: int
    label: str | None
    start: int
    """Code points of all the fragments before it."""
    end: int


@dataclass(frozen=True, slots=True)
class FragmentOfItem:
    html: str
    text: str
    label: str | None = None


@dataclass(slots=True)
class ExportedItem:
    """One item with everything the person has of it."""

    media: MediaOut
    libraries: list[str] = field(default_factory=list)
    highlights: list[HighlightOfMedia] = field(default_factory=list)
    """In reading order."""
    unplaced: list[UnplacedHighlight] = field(default_factory=list)
    """Highlights that have no place in the text."""
    parts: dict[UUID, Part] = field(default_factory=dict)
    fragments: list[FragmentOfItem] = field(default_factory=list)
    """Empty until it is read, where a format needs it."""
    file: MediaFile | None = None
    sha256: str | None = None
    """Of the file."""

    @property
    def address(self) -> str | None:
        return self.media.canonical_source_url or self.media.requested_url

    def offset(self, highlight: HighlightOfMedia) -> int:
        """Where a highlight starts in the document as a whole."""
        part = self.parts.get(highlight.fragment_id)
        return highlight.start_offset + (part.start if part else 0)


class Selection:
    """Which items of a person an export has. Reads them in a snapshot, batch by batch."""

    def __init__(self, session: Session, viewer: Viewer, media_ids: Sequence[UUID] | None) -> None:
        self.session = session
        self.viewer = viewer
        self._ids = None if media_ids is None else current_ids(session, media_ids)
        self.total = session.scalar(self._query(func.count(ShelfItem.media_id))) or 0
        if self._ids is not None and self.total != len(self._ids):
            raise MediaNotFoundError
        self.libraries = _library_names(session, viewer)

    def batches(
        self, *, library_id: UUID | None = None, unfiled: bool = False, marked: bool = False
    ) -> Iterator[list[ExportedItem]]:
        """The oldest save first: of one library, those that are in none with a name, or those
        with highlights."""
        query = self._query(ShelfItem.media_id).order_by(*_ORDER)
        held = select(1).where(LibraryMedia.media_id == ShelfItem.media_id)
        if library_id is not None:
            query = query.where(exists(held.where(LibraryMedia.library_id == library_id)))
        if unfiled:
            query = query.where(~exists(held.where(LibraryMedia.library_id.in_(self.libraries))))
        if marked:
            query = query.where(or_(*_has_highlights(self.viewer)))
        # A cursor on the server: neither side holds all ids at once.
        found = self.session.execute(query, execution_options={"yield_per": _BATCH})
        for rows in found.partitions():
            yield self._batch([row[0] for row in rows])
            self.session.expunge_all()

    def with_texts(self, items: Sequence[ExportedItem]) -> Iterator[ExportedItem]:
        """The same items with their texts: many short ones at once, a book by itself."""
        for group in _groups(items):
            query = (
                select(
                    Fragment.media_id,
                    Fragment.html_sanitized,
                    Fragment.canonical_text,
                    Fragment.label,
                )
                .where(Fragment.media_id.in_([item.media.id for item in group]))
                .order_by(Fragment.media_id, Fragment.idx)
            )
            texts: dict[UUID, list[FragmentOfItem]] = {}
            for media_id, html, canonical, label in self.session.execute(query):
                texts.setdefault(media_id, []).append(FragmentOfItem(html, canonical, label))
            for item in group:
                item.fragments = texts.pop(item.media.id, [])
                yield item
                item.fragments = []

    @property
    def is_everything(self) -> bool:
        return self._ids is None

    def count_highlights(self) -> int:
        """Also those that have no place in the text."""
        session, viewer, ids = self.session, self.viewer, self._query(ShelfItem.media_id)
        placed = count_highlights(session, viewer, media_ids=ids)
        return placed + count_unplaced(session, viewer, media_ids=ids)

    def _query(self, *columns: Any) -> Select[*tuple[Any, ...]]:
        query = (
            select(*columns)
            .join(Media, Media.id == ShelfItem.media_id)
            .where(ShelfItem.user_id == self.viewer.user_id, ShelfItem.visible)
        )
        return query if self._ids is None else query.where(ShelfItem.media_id.in_(self._ids))

    def _batch(self, ids: list[UUID]) -> list[ExportedItem]:
        session, viewer = self.session, self.viewer
        media = items_out(session, viewer_id=viewer.user_id, media_ids=ids)
        highlights = highlights_of_items(session, viewer, media_ids=ids)
        parts = _parts(session, ids)
        held = self._held(ids)
        files = _files(session, ids)
        unplaced = unplaced_of_items(session, viewer, media_ids=ids)
        return [
            ExportedItem(
                media=item,
                libraries=sorted(held.get(item.id, ())),
                highlights=highlights.get(item.id, []),
                parts=parts.get(item.id, {}),
                unplaced=unplaced.get(item.id, []),
                file=files[item.id][0] if item.id in files else None,
                sha256=files[item.id][1] if item.id in files else None,
            )
            for item in media
        ]

    def _held(self, ids: list[UUID]) -> dict[UUID, list[str]]:
        query = select(LibraryMedia.media_id, LibraryMedia.library_id).where(
            LibraryMedia.media_id.in_(ids), LibraryMedia.library_id.in_(self.libraries)
        )
        found: dict[UUID, list[str]] = {}
        for media_id, library_id in self.session.execute(query):
            found.setdefault(media_id, []).append(self.libraries[library_id])
        return found


# The same whatever ids the database gave: an archive that was imported is exported in this order.
_ORDER = (
    ShelfItem.saved_at,
    Media.kind,
    select(func.min(SavedAddress.lookup_key))
    .where(SavedAddress.media_id == ShelfItem.media_id, SavedAddress.user_id == ShelfItem.user_id)
    .correlate(ShelfItem)
    .scalar_subquery(),
    Media.file_sha256,
    Media.title,
    Media.id,
)


def _has_highlights(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    placed = (
        select(1)
        .select_from(Highlight)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Highlight.user_id == viewer.user_id, Fragment.media_id == ShelfItem.media_id)
    )
    unplaced = select(1).where(
        UnplacedHighlight.user_id == viewer.user_id,
        UnplacedHighlight.media_id == ShelfItem.media_id,
    )
    return exists(placed), exists(unplaced)


def begin_snapshot(session: Session) -> None:
    """Everything as it is at this moment, however long writing it takes."""
    session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    session.execute(text(_IDLE))


def _groups(items: Sequence[ExportedItem]) -> Iterator[list[ExportedItem]]:
    """Items whose texts together are no longer than a long text."""
    group: list[ExportedItem] = []
    length = 0
    for item in items:
        more = max((part.end for part in item.parts.values()), default=0)
        if group and length + more > _TEXT_AT_ONCE:
            yield group
            group, length = [], 0
        group.append(item)
        length += more
    if group:
        yield group


def _library_names(session: Session, viewer: Viewer) -> dict[UUID, str]:
    """Libraries with a name of their own, in the order of their names; each name only once."""
    query = (
        select(Library.id, Library.name)
        .join(Membership, Membership.library_id == Library.id)
        .where(Membership.user_id == viewer.user_id, ~viewer_default(viewer))
        .order_by(Library.name.collate("C"), Library.created_at, Library.id)
    )
    names: dict[UUID, str] = {}
    taken: set[str] = set()
    for library_id, name in session.execute(query):
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} ({number})"
        taken.add(unique)
        names[library_id] = unique
    return names


def viewer_default(viewer: Viewer) -> Any:
    """SQL condition: everything is in this library, so nothing is said by it."""
    return Library.is_default & (Library.owner_user_id == viewer.user_id)


def _parts(session: Session, ids: list[UUID]) -> dict[UUID, dict[UUID, Part]]:
    query = (
        select(Fragment.media_id, Fragment.id, Fragment.idx, Fragment.label, Fragment.length)
        .where(Fragment.media_id.in_(ids))
        .order_by(Fragment.media_id, Fragment.idx)
    )
    found: dict[UUID, dict[UUID, Part]] = {}
    start = 0
    for media_id, fragment_id, idx, label, length in session.execute(query):
        parts = found.setdefault(media_id, {})
        start = start if parts else 0
        parts[fragment_id] = Part(idx, label, start, start + length)
        start += length
    return found


def _files(session: Session, ids: list[UUID]) -> dict[UUID, tuple[MediaFile, str | None]]:
    query = (
        select(MediaFile, Media.file_sha256)
        .join(Media, Media.id == MediaFile.media_id)
        .where(MediaFile.media_id.in_(ids))
    )
    return {file.media_id: (file, sha256) for file, sha256 in session.execute(query)}
