"""Which kinds can be extracted, and handing an item to the queue.

A new extractor is a row of `nexus.extractors.kinds`; the lifecycle does not change for it.
"""

from uuid import UUID

from nexus.db.enums import MediaKind
from nexus.extractors.interface import Extract
from nexus.extractors.kinds import KINDS
from nexus.services.send_task import try_to_send

AVAILABLE_EXTRACTORS: dict[MediaKind, Extract] = {
    kind.kind: kind.extract for kind in KINDS.values() if kind.extractor is not None
}


def can_extract(kind: MediaKind) -> bool:
    return kind in AVAILABLE_EXTRACTORS


def extractable_kinds() -> list[MediaKind]:
    return list(AVAILABLE_EXTRACTORS)


def maybe_enqueue_extraction(
    media_kind: MediaKind,
    media_id: UUID,
    request_id: str | None,
    *,
    actor_user_id: UUID | None = None,
    countdown: float = 0.0,
) -> bool:
    """Hand the item to a worker if its kind has an extractor. True if the broker accepted it.

    Called after the commit. A broker that is down is no error: the row is the job, and the
    sweeper enqueues what nobody took.
    """
    if not can_extract(media_kind):
        return False
    names: tuple[str, ...] = ("nexus.ingest_media", str(media_id))
    if media_kind is MediaKind.WEB_ARTICLE:
        names = ("nexus.ingest_web_article", str(media_id), str(actor_user_id or ""))
    return try_to_send(*names, countdown=countdown, request_id=request_id)
