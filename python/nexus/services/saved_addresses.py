"""The addresses by which a person saved their items: saved again, each finds its item."""

from uuid import UUID

from sqlalchemy import literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.db.models import Media, SavedAddress
from nexus.egress.url_parse import parse_web_url
from nexus.services.search_names import address_words
from nexus.services.url import lookup_key


def remember_address(session: Session, media: Media, *, user_id: UUID, requested_url: str) -> None:
    """Note the address a person gave for an item. Their first item with it keeps it."""
    session.execute(
        insert(SavedAddress)
        .values(
            user_id=user_id,
            kind=media.kind,
            lookup_key=_key(requested_url),
            media_id=media.id,
            requested_url=requested_url,
            words=address_words(requested_url),
        )
        .on_conflict_do_nothing()
    )


def remember_final_address(session: Session, media: Media, *, final_url: str) -> None:
    """Everyone who saved the item also finds it by the address it turned out to have."""
    savers = (
        select(
            SavedAddress.user_id,
            SavedAddress.kind,
            literal(_key(final_url)),
            SavedAddress.media_id,
            SavedAddress.requested_url,
            SavedAddress.words,
        )
        .where(SavedAddress.media_id == media.id)
        .order_by(SavedAddress.created_at)
    )
    columns = ["user_id", "kind", "lookup_key", "media_id", "requested_url", "words"]
    session.execute(insert(SavedAddress).from_select(columns, savers).on_conflict_do_nothing())


def find_saved(session: Session, *, user_id: UUID, kind: MediaKind, url: str) -> Media | None:
    """The person's own item with this address, locked so that it cannot vanish."""
    return session.scalars(
        select(Media)
        .join(SavedAddress, SavedAddress.media_id == Media.id)
        .where(
            SavedAddress.user_id == user_id,
            SavedAddress.kind == kind,
            SavedAddress.lookup_key == _key(url),
        )
        .with_for_update(of=Media)
        .execution_options(populate_existing=True)
    ).one_or_none()


def move_addresses(session: Session, *, loser_id: UUID, winner_id: UUID) -> None:
    """Addresses of an item that was merged lead to the one it became."""
    session.execute(
        update(SavedAddress).where(SavedAddress.media_id == loser_id).values(media_id=winner_id)
    )


def _key(url: str) -> str:
    return lookup_key(parse_web_url(url))
