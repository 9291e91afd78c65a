"""The addresses by which a person saved their items: saved again, each finds its item."""

from functools import cache
from uuid import UUID

from sqlalchemy import Select, Text, Uuid, bindparam, select, update
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind
from nexus.db.models import Media, SavedAddress
from nexus.egress.url_parse import parse_web_url
from nexus.services.search_names import address_words
from nexus.services.url import lookup_key

_NEW_ADDRESS = insert(SavedAddress).on_conflict_do_nothing()


def remember_address(session: Session, media: Media, *, user_id: UUID, requested_url: str) -> None:
    """Note the address a person gave for an item. Their first item with it keeps it."""
    address = {
        "user_id": user_id,
        "kind": media.kind,
        "lookup_key": _key(requested_url),
        "media_id": media.id,
        "requested_url": requested_url,
        "words": address_words(requested_url),
    }
    session.connection().execute(_NEW_ADDRESS, address)


def remember_final_address(session: Session, media: Media, *, final_url: str) -> None:
    """Everyone who saved the item also finds it by the address it turned out to have."""
    values = {"final_key": _key(final_url), "item_id": media.id}
    session.connection().execute(_final_address(), values)


@cache
def _final_address() -> Insert:
    """Built once: every article needs it."""
    savers = (
        select(
            SavedAddress.user_id,
            SavedAddress.kind,
            bindparam("final_key", type_=Text()),
            SavedAddress.media_id,
            SavedAddress.requested_url,
            SavedAddress.words,
        )
        .where(SavedAddress.media_id == bindparam("item_id", type_=Uuid()))
        .order_by(SavedAddress.created_at)
    )
    columns = ["user_id", "kind", "lookup_key", "media_id", "requested_url", "words"]
    return insert(SavedAddress).from_select(columns, savers).on_conflict_do_nothing()


def find_saved(session: Session, *, user_id: UUID, kind: MediaKind, url: str) -> Media | None:
    """The person's own item with this address, locked so that it cannot vanish."""
    values = {"person": user_id, "kind": kind, "key": _key(url)}
    return session.scalars(_saved_as(), values).one_or_none()


@cache
def _saved_as() -> Select[Media]:
    return (
        select(Media)
        .join(SavedAddress, SavedAddress.media_id == Media.id)
        .where(
            SavedAddress.user_id == bindparam("person", type_=Uuid()),
            SavedAddress.kind == bindparam("kind", type_=SavedAddress.kind.type),
            SavedAddress.lookup_key == bindparam("key", type_=Text()),
        )
        .with_for_update(of=Media)
        .execution_options(populate_existing=True)
    )


def move_addresses(session: Session, *, loser_id: UUID, winner_id: UUID) -> None:
    """Addresses of an item that was merged lead to the one it became."""
    session.execute(
        update(SavedAddress).where(SavedAddress.media_id == loser_id).values(media_id=winner_id)
    )


def _key(url: str) -> str:
    return lookup_key(parse_web_url(url))
