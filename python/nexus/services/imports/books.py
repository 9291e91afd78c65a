"""Lines without an address: books of which only highlights came along.

They belong to an item of the person with that title, if there is one. Otherwise they get an item
that waits for its file, as after an upload that failed: once the book is added, they find their
place.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import func, literal_column, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind
from nexus.db.models import LibraryMedia, Media, ShelfItem
from nexus.extractors.failures import SENTENCES, FailureCode
from nexus.extractors.kinds import FILE_KINDS
from nexus.services import media_lifecycle
from nexus.services.imports.lines import Line
from nexus.services.media_merge import merge_media
from nexus.services.search_names import name_item
from nexus.services.titles import clean_title
from nexus.services.viewer import Viewer

_KEY_LENGTH = 100
_MAX_AUTHORS = 20
_MAX_AUTHOR = 255
_COMBINING = re.compile("[\u0300-\u036f]")
_LEADING = re.compile(r"^[\W_]+")
# Written as in the index.
_TITLE = func.coalesce(ShelfItem.title_key, literal_column("'\U0010ffff'::text"))


def title_key(title: str) -> str:
    """What spellings of a title have in common, as the database folds it."""
    folded = unicodedata.normalize("NFKD", clean_title(title)).casefold()
    folded = _COMBINING.sub("", folded)[:_KEY_LENGTH]
    return _LEADING.sub("", folded) or folded


def find_books(session: Session, viewer: Viewer, lines: Sequence[Line], *, now: datetime) -> None:
    """Give every line that has a title and no address its item."""
    named = [line for line in lines if line.item.url is None and not line.failed]
    for line in named:
        if not line.item.title:
            line.fail("There is neither an address nor a title.")
    named = [line for line in named if not line.failed]
    known = _items_by_title(session, viewer, {title_key(line.item.title or "") for line in named})
    for line in named:
        key = title_key(line.item.title or "")
        media = _same_book(line, known[key])
        if media is None:
            media = _create(session, viewer, line, now)
            known[key].append(media)
            line.new = True
        line.media_id = media.id


def take_over_highlights(session: Session, media: Media) -> None:
    """A book has come: items that held only highlights of it become this one."""
    creator_id = media.created_by_user_id
    if media.kind not in FILE_KINDS or creator_id is None:
        return
    query = (
        select(Media)
        .join(ShelfItem, ShelfItem.media_id == Media.id)
        .where(
            ShelfItem.user_id == creator_id,
            ShelfItem.visible,
            ShelfItem.archived.in_([True, False]),
            _TITLE.in_([title_key(media.title)]),
            Media.id != media.id,
            Media.last_error_code == FailureCode.NO_SOURCE,
        )
        .order_by(Media.id)
        .with_for_update(of=Media)
    )
    for hollow in session.scalars(query).all():
        if _share_authors(hollow.authors, media.authors):
            merge_media(session, loser=hollow, winner=media, reader_id=None)


def _items_by_title(session: Session, viewer: Viewer, keys: set[str]) -> dict[str, list[Media]]:
    found: dict[str, list[Media]] = defaultdict(list)
    query = (
        select(ShelfItem.title_key, Media)
        .join(Media, Media.id == ShelfItem.media_id)
        .where(
            ShelfItem.user_id == viewer.user_id,
            ShelfItem.visible,
            ShelfItem.archived.in_([True, False]),
            _TITLE.in_(keys),
        )
        # Files before pages: what has no address is most likely a book.
        .order_by(Media.kind.not_in(FILE_KINDS), ShelfItem.saved_at, Media.id)
        .with_for_update(read=True, key_share=True, of=Media)
    )
    for key, media in session.execute(query):
        found[key or ""].append(media)
    return found


def _same_book(line: Line, candidates: Iterable[Media]) -> Media | None:
    """The first with this title, unless both name authors and share none."""
    same = (media for media in candidates if _share_authors(line.item.authors, media.authors))
    return next(same, None)


def _share_authors(these: Iterable[str], those: Iterable[str]) -> bool:
    one, other = _names(these), _names(those)
    return not one or not other or bool(one & other)


def _names(authors: Iterable[str]) -> set[str]:
    """Parts of names longer than an initial."""
    parts = re.split(r"[\s,;.]+", " ".join(authors).casefold())
    return {part for part in parts if len(part) > 1}


def _create(session: Session, viewer: Viewer, line: Line, now: datetime) -> Media:
    media = Media(
        id=uuid4(),
        kind=MediaKind.EPUB,
        title=clean_title(line.item.title or ""),
        authors=[author[:_MAX_AUTHOR] for author in line.item.authors[:_MAX_AUTHORS]],
        created_by_user_id=viewer.user_id,
    )
    name_item(session, media)
    session.add(media)
    session.flush()
    _put(session, viewer.default_library_id, media.id, line.saved_at(now))
    code = FailureCode.NO_SOURCE
    media_lifecycle.mark_failed(session, media.id, FailureStage.UPLOAD, code, SENTENCES[code])
    return media


def _put(session: Session, library_id: UUID, media_id: UUID, created_at: datetime) -> None:
    values = {"library_id": library_id, "media_id": media_id, "created_at": created_at}
    session.execute(insert(LibraryMedia).values(**values).on_conflict_do_nothing())
