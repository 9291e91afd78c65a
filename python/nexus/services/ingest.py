"""Making an item readable: claim it, extract it, store the document or the failure.

The same for every kind, in a worker, inline and in eager mode. Functions take a session factory,
because extracting takes seconds and must not hold a transaction open.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.models import Media, MediaFile
from nexus.egress.url_parse import UrlError
from nexus.extractors.download import downloaded
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import (
    AddressIsFile,
    Document,
    ExtractionError,
    Job,
    TransientExtractionError,
)
from nexus.extractors.kinds import FILE_KINDS
from nexus.logging import get_logger
from nexus.metrics.ingest import record_attempt
from nexus.services import media_lifecycle
from nexus.services.document_store import Outcome, store_document
from nexus.services.enqueue import enqueue
from nexus.services.extractors import AVAILABLE_EXTRACTORS
from nexus.services.file_kinds import awaits_upload
from nexus.services.file_store import store_file
from nexus.services.ingest_turns import start_next
from nexus.services.lease import RENEW_SECONDS, lease_kept_alive
from nexus.services.url_normalize import normalize_url_for_dedup
from nexus.standstill import Standstill
from nexus.storage import get_storage_client

logger = get_logger(__name__)

Sessions = Callable[[], AbstractContextManager[Session]]


@dataclass(frozen=True, slots=True)
class Claim:
    """An item that we have claimed."""

    job: Job
    creator_id: UUID | None
    background_site: str | None = None
    began: float = field(default_factory=time.monotonic)

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
            deadline=time.monotonic() + media_lifecycle.seconds_for_attempt(media),
        )
        return cls(job, media.created_by_user_id, media.background_site)


def claim(
    sessions: Sessions, media_id: UUID, *, without_extractor: bool = False, at_once: bool = True
) -> Claim | None:
    """Claim one item. None if there is nothing to do for it, or not yet, unless `at_once`."""
    with sessions() as session:
        media = session.get(Media, media_id)
        if media is None or not (without_extractor or _is_extractable(media)):
            logger.info("ingest_nothing_to_do", kind=media.kind if media else "gone")
            return None
        if not (at_once or session.scalar(select(Media.is_due()).where(Media.id == media_id))):
            return None
        if not media_lifecycle.worker_start_attempt(session, media_id):
            return None
        session.refresh(media)
        return Claim.of(session, media)


def _is_extractable(media: Media) -> bool:
    return media.kind in AVAILABLE_EXTRACTORS and not awaits_upload(media)


def claim_next(sessions: Sessions) -> Claim | None:
    """Claim the item whose turn it is."""
    with sessions() as session:
        media = start_next(session)
        return None if media is None else Claim.of(session, media)


def run(
    sessions: Sessions, claimed: Claim, *, actor_user_id: UUID | None, wake: bool = True
) -> bool:
    """Extract and store. Unexpected errors are raised, and the claim is still ours.

    True if a fault of ours cut it off, so that the item has to be claimed again; with `wake` a
    worker will do that, after a moment.
    """
    job = claimed.job
    logger.info("ingest_started", attempt=job.attempt)
    began = time.monotonic()
    again, outcome = False, ""
    try:
        outcome = _extract_and_store(sessions, job, actor_user_id=actor_user_id)
        logger.info("item_ingested", outcome=outcome, attempt=job.attempt)
    except TransientExtractionError as error:
        again = interrupt(sessions, claimed, error, actor_user_id=actor_user_id, wake=wake)
        outcome = "interrupted" if again else error.code
    except ExtractionError as error:
        fail(sessions, claimed, error)
        outcome = error.code
    record_attempt(outcome, seconds=time.monotonic() - began)
    return again


def _extract_and_store(sessions: Sessions, job: Job, *, actor_user_id: UUID | None) -> Outcome:
    settings = get_settings()
    try:
        with _kept_alive(sessions, job):
            document = AVAILABLE_EXTRACTORS[job.kind](job)
            canonical_url = _identity(document)
    except AddressIsFile as found:
        with ExitStack() as stack:
            with _kept_alive(sessions, job):
                file = stack.enter_context(downloaded(found, settings))
            storage, session = get_storage_client(settings), stack.enter_context(sessions())
            return store_file(session, job, file, storage, actor_user_id=actor_user_id)
    with sessions() as session:
        return store_document(
            session, job, document, canonical_url=canonical_url, actor_user_id=actor_user_id
        )


@contextmanager
def _kept_alive(sessions: Sessions, job: Job) -> Iterator[None]:
    """While the work takes its time. A failure around a standstill is not the item's own."""
    lease = lease_kept_alive(
        sessions, media_id=job.media_id, attempt=job.attempt, every_seconds=RENEW_SECONDS
    )
    with Standstill() as standstill, lease:
        try:
            yield
        except AddressIsFile:
            raise
        except Exception as error:
            if not standstill.noticed:
                raise
            if isinstance(error, ExtractionError):
                raise StoodStill(str(error), code=error.code) from error
            raise StoodStill(code=FailureCode.JOB_TIMEOUT) from error


class StoodStill(TransientExtractionError):
    """The time that passed says nothing about the item."""


def fail(sessions: Sessions, claimed: Claim, error: ExtractionError) -> None:
    """End the attempt with a reason."""
    job = claimed.job
    logger.warning("ingest_failed", code=error.code, reason=str(error), attempt=job.attempt)
    with sessions() as session:
        media_lifecycle.mark_failed(
            session, job.media_id, error.stage, error.code, str(error), attempt=job.attempt
        )


def interrupt(
    sessions: Sessions,
    claimed: Claim,
    error: ExtractionError,
    *,
    actor_user_id: UUID | None,
    wake: bool,
) -> bool:
    """End the attempt as if it had not been made. If it was the last, the item fails: False."""
    job = claimed.job
    worked = 0.0 if isinstance(error, StoodStill) else time.monotonic() - claimed.began
    logger.warning("ingest_interrupted", code=error.code, reason=str(error), attempt=job.attempt)
    with sessions() as session:
        again = media_lifecycle.interrupt(
            session,
            job.media_id,
            attempt=job.attempt,
            error_code=error.code,
            error_message=str(error),
            worked=timedelta(seconds=worked),
        )
        if again and wake:
            media = session.get_one(Media, job.media_id)
            enqueue(session, media, actor_user_id=actor_user_id)
        return again


def _identity(document: Document) -> str | None:
    """What identifies the item from now on, if it has an address."""
    if document.final_url is None:
        return None
    try:
        return normalize_url_for_dedup(document.final_url)
    except UrlError as error:
        message = f"The page moved to an address that cannot be kept: {error}."
        raise ExtractionError(message, code=FailureCode.INGEST_FAILED) from error
