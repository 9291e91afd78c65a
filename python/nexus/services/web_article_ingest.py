"""A saved address becomes a readable article: claim, fetch, clean, store.

The same function runs in a worker, inline and in eager mode. It is given a way to open sessions,
because fetching takes seconds and must not hold a transaction open.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MediaKind
from nexus.db.models import Media
from nexus.egress.url_parse import UrlError
from nexus.extractors.web_article.node_client import (
    Extracted,
    IngestFailed,
    IngestTimeout,
    IngestTooMuchMemory,
    extract,
)
from nexus.html.cleaning import CleaningFailed, clean_page, warm_up
from nexus.logging import get_logger, task_log_context
from nexus.metrics.ingest import record_attempt
from nexus.services import media_lifecycle
from nexus.services.ingest_turns import start_next
from nexus.services.lease import lease_kept_alive
from nexus.services.url_normalize import normalize_url_for_dedup
from nexus.services.web_article_store import Article, store_article

logger = get_logger(__name__)

Sessions = Callable[[], AbstractContextManager[Session]]


class _Failure(Exception):
    """Why an article could not be made, as it is recorded and shown."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class _Claim:
    """An article that is ours to read."""

    media_id: UUID
    attempt: int
    url: str
    creator_id: UUID | None

    @classmethod
    def of(cls, media: Media) -> "_Claim":
        # Where it is filed already, which has no tracking in it; else as it was asked for.
        url = media.canonical_url or media.requested_url or ""
        return cls(media.id, media.processing_attempts, url, media.created_by_user_id)


def ingest_web_article(sessions: Sessions, *, media_id: UUID, actor_user_id: UUID | None) -> None:
    """Ingest one article. Anything but a pending article is left alone."""
    claim = _claim(sessions, media_id)
    if claim is not None:
        _ingest(sessions, claim, actor_user_id=actor_user_id)


def ingest_next_article(
    sessions: Sessions, *, named: UUID, actor_user_id: UUID | None, request_id: str | None
) -> bool:
    """Ingest the article whose turn it is. False when there is none.

    The one named by the message that woke us may have to wait, or have been read already.
    """
    claim = _claim_next(sessions)
    if claim is None:
        return False
    is_named = claim.media_id == named
    with task_log_context(request_id if is_named else None, media_id=claim.media_id):
        _ingest(sessions, claim, actor_user_id=actor_user_id if is_named else claim.creator_id)
    return True


def _ingest(sessions: Sessions, claim: _Claim, *, actor_user_id: UUID | None) -> None:
    media_id, attempt = claim.media_id, claim.attempt
    began = time.monotonic()
    try:
        with lease_kept_alive(sessions, media_id=media_id, attempt=attempt):
            warm_up()
            article = _clean(_fetch(claim.url))
    except _Failure as failure:
        _record_failure(sessions, media_id, attempt, failure)
        record_attempt(failure.code, seconds=time.monotonic() - began)
        return
    with sessions() as session:
        outcome = store_article(
            session,
            media_id=media_id,
            attempt=attempt,
            actor_user_id=actor_user_id,
            article=article,
        )
    record_attempt(outcome, seconds=time.monotonic() - began)
    logger.info("article_ingested", outcome=outcome, attempt=attempt)


def _claim(sessions: Sessions, media_id: UUID) -> _Claim | None:
    with sessions() as session:
        media = session.get(Media, media_id)
        if media is None or media.kind is not MediaKind.WEB_ARTICLE or not media.requested_url:
            logger.info("ingest_nothing_to_do", media_id=str(media_id))
            return None
        if not media_lifecycle.worker_start_attempt(session, media_id):
            return None
        session.refresh(media)
        return _Claim.of(media)


def _claim_next(sessions: Sessions) -> _Claim | None:
    with sessions() as session:
        media = start_next(session)
        return None if media is None else _Claim.of(media)


def _fetch(url: str) -> Extracted:
    try:
        return extract(url)
    except IngestTimeout as error:
        raise _Failure("E_INGEST_TIMEOUT", str(error)) from error
    except IngestTooMuchMemory as error:
        raise _Failure("E_INGEST_TOO_MUCH_MEMORY", str(error)) from error
    except IngestFailed as error:
        raise _Failure("E_INGEST_FAILED", str(error)) from error


def _clean(extracted: Extracted) -> Article:
    try:
        page = clean_page(extracted.content_html, extracted.base_url)
    except CleaningFailed as error:
        logger.warning("sanitization_failed", url=extracted.final_url, reason=str(error))
        raise _Failure("E_SANITIZATION_FAILED", str(error)) from error
    if not page.text:
        raise _Failure("E_INGEST_FAILED", "No article text was found on this page.")
    return Article(
        final_url=extracted.final_url,
        canonical_url=_identity(extracted.final_url),
        title=extracted.title,
        html_sanitized=page.html,
        canonical_text=page.text,
        image_sizes=page.image_sizes,
    )


def _identity(final_url: str) -> str:
    try:
        return normalize_url_for_dedup(final_url)
    except UrlError as error:
        message = f"The page moved to an address that cannot be kept: {error}."
        raise _Failure("E_INGEST_FAILED", message) from error


def _record_failure(sessions: Sessions, media_id: UUID, attempt: int, failure: _Failure) -> None:
    logger.warning("article_failed", code=failure.code, reason=failure.message, attempt=attempt)
    with sessions() as session:
        media_lifecycle.mark_failed(
            session,
            media_id,
            FailureStage.EXTRACT,
            failure.code,
            failure.message,
            attempt=attempt,
        )
