"""Which kinds can be extracted, and handing an item to the queue.

A new extractor registers here; the lifecycle does not change for it.
"""

from collections.abc import Callable
from uuid import UUID

from nexus.db.enums import MediaKind
from nexus.services.send_task import try_to_send

Extract = Callable[[UUID], None]

# What `ingest_media` runs for a kind. Web articles have a task of their own, registered beside.
AVAILABLE_EXTRACTORS: dict[MediaKind, Extract] = {}
KINDS_WITH_OWN_TASK = frozenset({MediaKind.WEB_ARTICLE})


class TransientExtractionError(Exception):
    """Trying again may help: a network error, a timeout, a provider's 5xx."""


class ExtractionError(Exception):
    """Trying again will not help. The message is for the person who saved the item."""


def can_extract(kind: MediaKind) -> bool:
    return kind in AVAILABLE_EXTRACTORS or kind in KINDS_WITH_OWN_TASK


def extractable_kinds() -> list[MediaKind]:
    return [kind for kind in MediaKind if can_extract(kind)]


def maybe_enqueue_extraction(
    media_kind: MediaKind,
    media_id: UUID,
    request_id: str | None,
    *,
    actor_user_id: UUID | None = None,
) -> bool:
    """Hand the item to a worker if its kind has an extractor. True when the broker took it.

    Called after the commit. A broker that is away is no error: the row is the job, and the
    sweeper enqueues what nobody took.
    """
    if not can_extract(media_kind):
        return False
    if media_kind is MediaKind.WEB_ARTICLE:
        actor = str(actor_user_id or "")
        return try_to_send("nexus.ingest_web_article", str(media_id), actor, request_id=request_id)
    return try_to_send("nexus.ingest_media", str(media_id), request_id=request_id)
