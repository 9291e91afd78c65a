"""Making an item readable: claim it, extract it, store the document or the failure.

The same for every kind, in a worker, inline and in eager mode. Functions take a session factory,
because extracting takes seconds and must not hold a transaction open.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage
from nexus.db.models import Media, MediaFile
from nexus.egress.url_parse import UrlError
from nexus.extractors.interface import Document, ExtractionError, Job
from nexus.extractors.kinds import FILE_KINDS
from nexus.logging import get_logger
from nexus.metrics.ingest import record_attempt
from nexus.services import media_lifecycle
from nexus.services.document_store import store_document
from nexus.services.extractors import AVAILABLE_EXTRACTORS
from nexus.services.ingest_turns import start_next
from nexus.services.lease import RENEW_SECONDS, lease_kept_alive
from nexus.services.url_normalize import normalize_url_for_dedup

logger = get_logger(__name__)

Sessions = Callable[[], AbstractContextManager[Session]]


@dataclass(frozen=True, slots=True)
class Claim:
    """An item that we have claimed."""

    job: Job
    creator_id: UUID | None

    @classmethod
    def of(cls, session: Session, media: Media) -> "Claim":
        file = session.get(MediaFile, media.id) if media.kind in FILE_KINDS else None
        job = Job(
            media.id,
            media.processing_attempts,
            media.kind,
            # The address it is filed under, which has no tracking in it; else as it was requested.
            url=media.canonical_url or media.requested_url or "",
            storage_path=file.storage_path if file else "",
        )
        return cls(job, media.created_by_user_id)


def claim(sessions: Sessions, media_id: UUID, *, without_extractor: bool = False) -> Claim | None:
    """Claim one item. None if there is nothing to do for it."""
    with sessions() as session:
        media = session.get(Media, media_id)
        if media is None or not (media.kind in AVAILABLE_EXTRACTORS or without_extractor):
            logger.info("ingest_nothing_to_do", kind=media.kind if media else "gone")
            return None
        if not media_lifecycle.worker_start_attempt(session, media_id):
            return None
        session.refresh(media)
        return Claim.of(session, media)


def claim_next(sessions: Sessions) -> Claim | None:
    """Claim the item whose turn it is."""
    with sessions() as session:
        media = start_next(session)
        return None if media is None else Claim.of(session, media)


def run(sessions: Sessions, claimed: Claim, *, actor_user_id: UUID | None) -> None:
    """Extract and store. Unexpected errors are raised, and the claim is still ours."""
    job = claimed.job
    logger.info("ingest_started", attempt=job.attempt)
    began = time.monotonic()
    kept_alive = lease_kept_alive(
        sessions, media_id=job.media_id, attempt=job.attempt, every_seconds=RENEW_SECONDS
    )
    try:
        with kept_alive:
            document = AVAILABLE_EXTRACTORS[job.kind](job)
        canonical_url = _identity(document)
    except ExtractionError as error:
        fail(sessions, claimed, error.code, str(error))
        record_attempt(error.code, seconds=time.monotonic() - began)
        return
    with sessions() as session:
        outcome = store_document(
            session, job, document, canonical_url=canonical_url, actor_user_id=actor_user_id
        )
    record_attempt(outcome, seconds=time.monotonic() - began)
    logger.info("item_ingested", outcome=outcome, attempt=job.attempt)


def fail(sessions: Sessions, claimed: Claim, code: str, message: str) -> None:
    """End the attempt with a reason."""
    job = claimed.job
    logger.warning("ingest_failed", code=code, reason=message, attempt=job.attempt)
    with sessions() as session:
        media_lifecycle.mark_failed(
            session, job.media_id, FailureStage.EXTRACT, code, message, attempt=job.attempt
        )


def give_back(sessions: Sessions, claimed: Claim) -> None:
    """End the attempt as if it had not been made; another worker may try."""
    with sessions() as session:
        media_lifecycle.return_to_pending(
            session, claimed.job.media_id, attempt=claimed.job.attempt
        )


def _identity(document: Document) -> str | None:
    """What identifies the item from now on, if it has an address."""
    if document.final_url is None:
        return None
    try:
        return normalize_url_for_dedup(document.final_url)
    except UrlError as error:
        message = f"The page moved to an address that cannot be kept: {error}."
        raise ExtractionError(message, code="E_INGEST_FAILED") from error
