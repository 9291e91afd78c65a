"""Which kinds can be extracted, and handing an item to the queue.

A new extractor registers here; the lifecycle does not change for it.
"""

import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

from kombu.exceptions import OperationalError
from redis import RedisError

from nexus.db.enums import MediaKind
from nexus.logging import get_logger

logger = get_logger(__name__)

Extract = Callable[[UUID], None]

# What `ingest_media` runs for a kind. Web articles have a task of their own, registered beside.
AVAILABLE_EXTRACTORS: dict[MediaKind, Extract] = {}
KINDS_WITH_OWN_TASK = frozenset({MediaKind.WEB_ARTICLE})


# A broker that hangs, rather than refuses, is left alone for a while: requests wait for it.
_SLOW_SECONDS = 2.0
_AVOID_SECONDS = 5.0


class _Broker:
    avoided_until = 0.0


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
    if time.monotonic() < _Broker.avoided_until:
        return False
    task, arguments = _task(media_kind, media_id, actor_user_id)
    began = time.monotonic()
    try:
        task.apply_async(args=arguments, kwargs={"request_id": request_id})
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("enqueue_failed", media_id=str(media_id), error=str(error))
        if time.monotonic() - began > _SLOW_SECONDS:
            _Broker.avoided_until = time.monotonic() + _AVOID_SECONDS
        return False
    return True


def _task(kind: MediaKind, media_id: UUID, actor_user_id: UUID | None) -> tuple[Any, list[str]]:
    # Here, because tasks import services.
    from nexus.tasks import ingest_media, ingest_web_article

    if kind is MediaKind.WEB_ARTICLE:
        actor = [str(actor_user_id)] if actor_user_id else [""]
        return ingest_web_article, [str(media_id), *actor]
    return ingest_media, [str(media_id)]
