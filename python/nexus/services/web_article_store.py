"""The final write of an article, in one transaction: its identity, its text, or its merging."""

from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, Media
from nexus.html.sanitize import SanitizedHtml
from nexus.services import media_lifecycle
from nexus.services.images.measure import measure_soon
from nexus.services.images.sizes import Size, keep_images
from nexus.services.media_merge import merge_media, take_identity
from nexus.services.saved_addresses import remember_final_address
from nexus.services.titles import clean_title
from nexus.services.url_normalize import normalize_url_for_display

Outcome = Literal["stored", "merged", "outdated"]

# The other row can vanish while we look at it, when its last reader removes it just then.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Article:
    """A fetched and cleaned article. Only the sanitizer makes its HTML."""

    final_url: str
    canonical_url: str
    title: str
    html_sanitized: SanitizedHtml
    canonical_text: str
    image_sizes: dict[str, Size] = field(default_factory=dict)
    """What the page says of its images, by address."""


def store_article(
    session: Session,
    *,
    media_id: UUID,
    attempt: int,
    actor_user_id: UUID | None,
    article: Article,
) -> Outcome:
    """Make the item readable, or merge it into the one that already is this page."""
    media = media_lifecycle.lock_current_attempt(session, media_id, attempt=attempt)
    if media is None:
        return "outdated"
    canonical_url = article.canonical_url
    for _ in range(_TRIES):
        if take_identity(session, media, canonical_url=canonical_url):
            _write(session, media, article, attempt=attempt)
            remember_final_address(session, media, final_url=article.final_url)
            return "stored"
        winner = _hold_winner(session, canonical_url)
        if winner is not None:
            merge_media(session, loser=media, winner=winner, reader_id=actor_user_id)
            remember_final_address(session, winner, final_url=article.final_url)
            _revive_with(session, winner, article)
            return "merged"
    raise RuntimeError(f"the owner of {canonical_url} keeps vanishing")


def _hold_winner(session: Session, canonical_url: str) -> Media | None:
    """The row that is this page already, locked so that it cannot vanish or change under us."""
    return session.scalars(
        select(Media)
        .where(Media.kind == MediaKind.WEB_ARTICLE, Media.canonical_url == canonical_url)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one_or_none()


def _write(session: Session, media: Media, article: Article, *, attempt: int) -> None:
    media.title = clean_title(article.title)
    media.canonical_source_url = normalize_url_for_display(article.final_url)
    fragment = Fragment(
        media_id=media.id,
        idx=0,
        html_sanitized=article.html_sanitized,
        canonical_text=article.canonical_text,
    )
    session.add(fragment)
    session.flush()
    some_unknown = keep_images(
        session,
        fragment_id=fragment.id,
        html_sanitized=article.html_sanitized,
        declared=article.image_sizes,
    )
    if some_unknown:
        measure_soon(session)
    media_lifecycle.mark_ready_for_reading(session, media.id, attempt=attempt)


def _revive_with(session: Session, winner: Media, article: Article) -> None:
    """Nobody is left with a dead row: a failed winner gets the text that was just fetched."""
    if winner.processing_status is not ProcessingStatus.FAILED:
        return
    media_lifecycle.revive_media(session, winner.id)
    media_lifecycle.worker_start_attempt(session, winner.id)
    session.refresh(winner)
    _write(session, winner, article, attempt=winner.processing_attempts)
