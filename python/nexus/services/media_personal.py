"""An item as one person sees it: nothing in it reveals anyone else's save.

The row, its text and the address it was found at are shared. Who saved it, when and from which
address is private to each person: here, and only here, the one is turned into the other.
"""

from typing import Any, TypeAlias
from uuid import UUID

from msgspec import UNSET
from sqlalchemy import Uuid, bindparam, case, exists, func, literal_column, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from nexus.db.enums import FailureStage, ProcessingStatus
from nexus.db.models import ItemTag, LibraryMedia, Media, Membership, SavedAddress, ShelfItem, Tag
from nexus.egress.url_parse import UrlError, parse_web_url
from nexus.extractors.failures import OF_THE_FILE_ITSELF
from nexus.extractors.kinds import FILE_KINDS
from nexus.services.extractors import can_extract
from nexus.services.media_access import may_retry
from nexus.services.media_lifecycle import MAX_ATTEMPTS
from nexus.services.titles import clean_title
from nexus.services.url_normalize import normalize_url_for_display
from nexus.services.visibility import row_visible_to

VIEWER_ID = bindparam("viewer_id", type_=Uuid())

Item: TypeAlias = Any
"""An item with the attributes and the JSON of a `MediaOut`."""

# Until it is fetched, an item is named after the address it was saved by.
_UNREAD = frozenset(
    {ProcessingStatus.PENDING, ProcessingStatus.EXTRACTING, ProcessingStatus.FAILED}
)
_DATES = (
    "processing_started_at",
    "processing_completed_at",
    "failed_at",
    "updated_at",
)

ON_SHELF = (ShelfItem.user_id == VIEWER_ID) & (ShelfItem.media_id == Media.id)
"""Joins an item with its row on the viewer's shelf."""
_HAS_TAG = (ItemTag.user_id == VIEWER_ID) & (ItemTag.media_id == Media.id)
# Few items have any, and to find that out takes less than to sort none.
_TAGS = case(
    (
        exists().where(_HAS_TAG),
        func.array(
            select(Tag.name)
            .join(ItemTag, ItemTag.tag_id == Tag.id)
            .where(_HAS_TAG)
            .order_by(Tag.key)
            .scalar_subquery()
        ),
    ),
    else_=literal_column("'{}'::text[]"),
)
_OWN_ADDRESS = func.coalesce(
    case((Media.created_by_user_id == VIEWER_ID, Media.requested_url)),
    select(SavedAddress.requested_url)
    .where(SavedAddress.media_id == Media.id, SavedAddress.user_id == VIEWER_ID)
    .order_by(SavedAddress.created_at, SavedAddress.lookup_key)
    .limit(1)
    .scalar_subquery(),
)
_RETRY_ALLOWED = case(
    (
        (Media.processing_status == ProcessingStatus.FAILED)
        & (Media.processing_attempts - Media.interrupted_attempts < MAX_ATTEMPTS),
        may_retry(Media.id, VIEWER_ID),
    ),
    else_=False,
)
SHELF_FIELDS = ("saved_at", "state", "progress", "archived", "favourite", "opened_at")
SHELF_COLUMN_NAMES = (*SHELF_FIELDS, "given_title", "given_excerpt")
SHELF_COLUMNS: tuple[InstrumentedAttribute[Any], ...] = tuple(
    getattr(ShelfItem, name) for name in SHELF_COLUMN_NAMES
)
"""What is in the item's row on the viewer's shelf."""
PERSONAL_COLUMNS = (
    _TAGS.label("tags"),
    row_visible_to(Media.id, VIEWER_ID).label("readable"),
    _OWN_ADDRESS.label("own_address"),
    _RETRY_ALLOWED.label("retry_allowed"),
)
"""What else must be known of an item to show it to the viewer."""


def as_seen(item: Item) -> Item:
    """The columns of a row turned into what its reader may see, in place: lists are long."""
    own_address, shared_address, saved_at = item.own_address, item.requested_url, item.saved_at
    item.created_at = saved_at
    # What happened before this person saved the item happened, for them, when they did.
    for name in _DATES:
        happened_at = getattr(item, name)
        if happened_at is not None and happened_at < saved_at:
            setattr(item, name, saved_at)
    if shared_address not in (None, own_address) and _is_named_by_address(item):
        address = own_address or item.canonical_url or _site(shared_address)
        item.title = clean_title(address)
        item.canonical_source_url = normalize_url_for_display(address)
    item.requested_url = own_address
    if item.processing_status in _UNREAD:
        item.title = item.given_title or item.title
        item.excerpt = item.excerpt or item.given_excerpt
    item.can_retry = item.retry_allowed and _retry_helps(item)
    item.own_address = item.given_title = item.given_excerpt = item.retry_allowed = UNSET
    return item


def readers(session: Session, *, media_id: UUID) -> set[UUID]:
    """Everyone who can read an item."""
    query = (
        select(Membership.user_id)
        .join(LibraryMedia, LibraryMedia.library_id == Membership.library_id)
        .where(LibraryMedia.media_id == media_id)
    )
    return set(session.scalars(query))


def _is_named_by_address(item: Item) -> bool:
    if item.kind in FILE_KINDS:
        return False  # its file has a name
    return item.title == clean_title(item.requested_url) or item.processing_status in _UNREAD


def _site(url: str) -> str:
    """All that may be shown of an address that somebody else gave."""
    try:
        parsed = parse_web_url(url)
    except UrlError:
        return "https://unknown.invalid/"
    return parsed.href[: parsed.href.index("/", len(parsed.scheme) + 3) + 1]


def _retry_helps(item: Item) -> bool:
    if item.failure_stage == FailureStage.UPLOAD:
        return True
    return can_extract(item.kind) and item.last_error_code not in OF_THE_FILE_ITSELF
