"""The items of many addresses at once: found, or created to be fetched in the background.

The rules are those of `media_create`, which saves one address for somebody who waits for it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from nexus.db.bulk import insert_new
from nexus.db.enums import MediaKind, ProcessingStatus, UsageOperation
from nexus.db.models import LibraryMedia, Media, SavedAddress, UsageRecord
from nexus.egress.url_parse import WebUrl
from nexus.errors import InvalidRequestError, UnavailableError
from nexus.extractors.kinds import FILE_KINDS
from nexus.services import media_lifecycle
from nexus.services.background_turns import site_of
from nexus.services.imports.lines import Line
from nexus.services.imports.shelves import Entered
from nexus.services.media_create import identity_of, shared_addresses
from nexus.services.search_names import saved_words
from nexus.services.titles import clean_title
from nexus.services.url import lookup_key, validate_url
from nexus.services.url_normalize import normalize_url_for_display
from nexus.services.viewer import Viewer
from nexus.services.youtube import is_video

_ARTICLE, _VIDEO = MediaKind.WEB_ARTICLE, MediaKind.VIDEO
_KINDS = (_ARTICLE, _VIDEO, *sorted(FILE_KINDS))
# An item can vanish between finding and locking it, if its last reader removes it just then.
_TRIES = 5


@dataclass(slots=True)
class Address:
    """One address and the lines that have it."""

    url: str
    parsed: WebUrl
    kind: MediaKind
    key: str
    identity: dict[str, str | None]
    shared: list[str]
    lines: list[Line] = field(default_factory=list)
    media_id: UUID | None = None
    made: bool = False
    """Whether nobody had the item before."""

    @classmethod
    def of(cls, url: str) -> "Address":
        parsed = validate_url(url)
        kind = _VIDEO if is_video(parsed) else _ARTICLE
        identity = identity_of(kind, parsed)
        shared = shared_addresses(kind, parsed, identity["canonical_url"] or "")
        return cls(url, parsed, kind, lookup_key(parsed), identity, shared)

    @property
    def canonical(self) -> str:
        return self.identity["canonical_url"] or ""

    @property
    def site(self) -> str | None:
        """Whose turn it waits for; a video is not fetched."""
        return site_of(self.parsed) if self.kind is _ARTICLE else None


def find_items(session: Session, viewer: Viewer, lines: Sequence[Line]) -> list[Address]:
    """The items of all lines that have an address, found or created, and kept from vanishing."""
    addresses = _read(lines)
    _find_or_create(session, viewer, addresses)
    return addresses


def save_items(
    session: Session, viewer: Viewer, addresses: list[Address], *, now: datetime
) -> Entered:
    """Put the items into the person's default library; those that were not in it before."""
    if not addresses:
        return {}
    # Before the shelf gets its rows, which are named by these.
    _remember(session, viewer, addresses)
    entered = _put_into_default_library(session, viewer, addresses, now)
    _revive(session, viewer, [one for one in addresses if one.lines[0].new and not one.made])
    return entered


def _read(lines: Iterable[Line]) -> list[Address]:
    found: dict[str, Address] = {}
    for line in lines:
        if line.item.url is None:
            continue
        try:
            address = Address.of(line.item.url)
        except InvalidRequestError as error:
            line.fail(f"This address cannot be saved: {error.message.removeprefix('url: ')}.")
            continue
        found.setdefault(address.key, address).lines.append(line)
    return list(found.values())


def _find_or_create(session: Session, viewer: Viewer, addresses: list[Address]) -> None:
    for _ in range(_TRIES):
        missing = [one for one in addresses if one.media_id is None]
        if not missing:
            return
        _find_own(session, viewer, missing)
        _find_shared(session, [one for one in missing if one.media_id is None])
        _hold(session, missing)
        _create(session, viewer, [one for one in missing if one.media_id is None])
    if any(one.media_id is None for one in addresses):
        raise UnavailableError("Somebody else is changing these items right now.")


# One by one, along the primary key: Postgres has no statistics yet of what an import has just
# added, and would rather read all addresses of the person.
_OWN = text(
    """
    SELECT wanted.key, own.media_id
    FROM unnest(CAST(:keys AS text[]), CAST(:kinds AS text[])) AS wanted (key, kind)
    CROSS JOIN LATERAL (
        SELECT media_id FROM saved_addresses
        WHERE user_id = :user_id AND kind = wanted.kind AND lookup_key = wanted.key
        OFFSET 0
    ) AS own
    """
)


def _find_own(session: Session, viewer: Viewer, addresses: list[Address]) -> None:
    asked = {
        "user_id": viewer.user_id,
        "keys": [one.key for one in addresses],
        "kinds": [one.kind for one in addresses],
    }
    own = {row[0]: row[1] for row in session.execute(_OWN, asked)}
    for one in addresses:
        one.media_id = own.get(one.key)


# An array is one value: a list of values would make a new statement of each length.
_SHARED = text(
    """
    SELECT canonical_url, kind = 'video' AS is_video, id FROM media
    WHERE kind = ANY(CAST(:kinds AS text[])) AND canonical_url = ANY(CAST(:addresses AS text[]))
    """
)


def _find_shared(session: Session, addresses: list[Address]) -> None:
    wanted = [address for one in addresses for address in one.shared]
    if not wanted:
        return
    rows = session.execute(_SHARED, {"kinds": list(_KINDS), "addresses": wanted})
    found = {(row.canonical_url, row.is_video): row.id for row in rows}
    for one in addresses:
        known = (found.get((url, one.kind is _VIDEO)) for url in one.shared)
        one.media_id = next((media_id for media_id in known if media_id), None)


def _hold(session: Session, addresses: list[Address]) -> None:
    """Keep what was found from being deleted; what is gone already was not found."""
    ids = [one.media_id for one in addresses if one.media_id is not None]
    if not ids:
        return
    query = select(Media.id).where(Media.id.in_(ids)).order_by(Media.id)
    there = set(session.scalars(query.with_for_update(read=True, key_share=True)))
    for one in addresses:
        if one.media_id not in there:
            one.media_id = None


def _create(session: Session, viewer: Viewer, addresses: list[Address]) -> None:
    if not addresses:
        return
    # In this order for everybody, so that no two wait for each other.
    rows = [_row(viewer, one) for one in sorted(addresses, key=lambda one: one.canonical)]
    made = {
        row.canonical_url: row.id
        for row in insert_new(session, Media, rows, returning=("id", "canonical_url"))
    }
    for one in addresses:
        one.media_id = made.get(one.canonical)
        one.made = one.media_id is not None
    usage = {"user_id": viewer.user_id, "operation": UsageOperation.INGEST_URLS}
    if made:
        session.execute(insert(UsageRecord).values(**usage, amount=len(made)))


def _row(viewer: Viewer, one: Address) -> dict[str, Any]:
    return {
        "id": uuid4(),
        "kind": one.kind,
        "title": clean_title(one.url),
        "requested_url": one.url,
        **dict.fromkeys(("external_playback_url", "provider", "provider_id")),
        **one.identity,
        "canonical_source_url": normalize_url_for_display(one.url),
        "created_by_user_id": viewer.user_id,
        "queued_for_user_id": viewer.user_id,
        "background_site": one.site,
    }


def _remember(session: Session, viewer: Viewer, addresses: list[Address]) -> None:
    """The address as the person had it, and the words by which they find the item."""
    titles = [
        next((line.item.title for line in one.lines if line.item.title), None) for one in addresses
    ]
    words = saved_words(
        session, [(one.url, title) for one, title in zip(addresses, titles, strict=True)]
    )
    rows = [
        {
            "user_id": viewer.user_id,
            "kind": one.kind,
            "lookup_key": one.key,
            "media_id": one.media_id,
            "requested_url": one.url,
            "words": of_one,
        }
        for one, of_one in zip(addresses, words, strict=True)
    ]
    insert_new(session, SavedAddress, rows)


def _put_into_default_library(
    session: Session, viewer: Viewer, addresses: list[Address], now: datetime
) -> Entered:
    """What is there already keeps its date."""
    rows = {
        one.media_id: {
            "library_id": viewer.default_library_id,
            "media_id": one.media_id,
            "created_at": min(line.saved_at(now) for line in one.lines),
        }
        for one in addresses
    }
    columns = ("media_id", "created_at")
    made = insert_new(session, LibraryMedia, list(rows.values()), returning=columns)
    entered: Entered = {row.media_id: row.created_at for row in made}
    new = set(entered)
    for one in addresses:
        for line in one.lines:
            line.media_id = one.media_id
        # A second line with the same address finds the first one's item.
        one.lines[0].new = one.media_id in new
        new.discard(one.media_id)
    return entered


def _revive(session: Session, viewer: Viewer, addresses: list[Address]) -> None:
    """What could not be fetched before is tried again for somebody to whom it is new."""
    sites = {one.media_id: one.site for one in addresses}
    failed = select(Media.id).where(
        Media.id.in_(sites),
        Media.kind == _ARTICLE,
        Media.processing_status == ProcessingStatus.FAILED,
    )
    for media_id in sorted(session.scalars(failed)):
        media_lifecycle.revive_media(session, media_id)
        session.execute(
            update(Media)
            .where(Media.id == media_id)
            .values(queued_for_user_id=viewer.user_id, background_site=sites[media_id])
        )
