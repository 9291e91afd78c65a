"""Given to a real worker by `--include`: one extractor that works, one that stumbles first."""

from uuid import UUID

from nexus.db.enums import MediaKind
from nexus.db.models import Fragment, Media
from nexus.db.task_session import task_session
from nexus.services.extractors import AVAILABLE_EXTRACTORS, TransientExtractionError


def extract(media_id: UUID) -> None:
    with task_session() as session:
        session.add(Fragment(media_id=media_id, idx=0, html_sanitized="<p>x", canonical_text="x"))


def stumble_once(media_id: UUID) -> None:
    extract(media_id)
    with task_session() as session:
        if session.get_one(Media, media_id).processing_attempts == 1:
            raise TransientExtractionError("The provider answered 503.")


AVAILABLE_EXTRACTORS[MediaKind.PODCAST_EPISODE] = extract
AVAILABLE_EXTRACTORS[MediaKind.VIDEO] = stumble_once
