"""Which kinds can be extracted, and handing an item to the queue.

A new extractor registers here; the lifecycle does not change for it.
"""

from collections.abc import Callable
from uuid import UUID

from kombu.exceptions import OperationalError

from nexus.db.enums import MediaKind
from nexus.logging import get_logger

logger = get_logger(__name__)

Extract = Callable[[UUID], None]

AVAILABLE_EXTRACTORS: dict[MediaKind, Extract] = {}


class TransientExtractionError(Exception):
    """Trying again may help: a network error, a timeout, a provider's 5xx."""


class ExtractionError(Exception):
    """Trying again will not help. The message is for the person who saved the item."""


def can_extract(kind: MediaKind) -> bool:
    return kind in AVAILABLE_EXTRACTORS


def maybe_enqueue_extraction(media_kind: MediaKind, media_id: UUID, request_id: str | None) -> bool:
    """Hand the item to a worker if its kind has an extractor. True when the broker took it.

    Called after the commit. A broker that is away is no error: the row is the job, and the
    sweeper enqueues what nobody took.
    """
    if not can_extract(media_kind):
        return False
    # Here, because tasks import services.
    from nexus.tasks.ingest import ingest_media

    try:
        ingest_media.apply_async(args=[str(media_id)], kwargs={"request_id": request_id})
    except (OperationalError, OSError) as error:
        logger.warning("enqueue_failed", media_id=str(media_id), error=str(error))
        return False
    return True
