"""Saving a web page: a provisional row now, everything else by a worker later."""

from uuid import UUID

from sqlalchemy.orm import Session

from nexus.db.after_commit import NOT_DONE
from nexus.db.enums import MediaKind, ProcessingStatus, UsageOperation
from nexus.db.models import Media
from nexus.schemas.media import FromUrlResponse
from nexus.services.enqueue import enqueue
from nexus.services.library_media import ensure_in_default_library
from nexus.services.media_merge import merge_media
from nexus.services.quota import record_usage, require_quota
from nexus.services.saved_addresses import find_saved, remember_address
from nexus.services.titles import clean_title
from nexus.services.url_normalize import normalize_url_for_display, validate_requested_url
from nexus.services.viewer import Viewer


def create_provisional_web_article(db: Session, viewer_id: UUID, url: str) -> FromUrlResponse:
    """A pending article in the viewer's default library. Nothing is fetched or compared here."""
    return _provisional(_add(db, viewer_id, url))


def _add(db: Session, viewer_id: UUID, url: str) -> Media:
    validate_requested_url(url)
    require_quota(db, user_id=viewer_id, operation=UsageOperation.INGEST_URLS, amount=1)
    media = Media(
        kind=MediaKind.WEB_ARTICLE,
        title=clean_title(url),
        requested_url=url,
        canonical_source_url=normalize_url_for_display(url),
        created_by_user_id=viewer_id,
    )
    db.add(media)
    db.flush()
    ensure_in_default_library(db, user_id=viewer_id, media_id=media.id)
    _replace_failed(db, media, viewer_id=viewer_id, url=url)
    remember_address(db, media, user_id=viewer_id, requested_url=url)
    record_usage(
        db,
        user_id=viewer_id,
        operation=UsageOperation.INGEST_URLS,
        amount=1,
        media_id=media.id,
    )
    return media


def _provisional(media: Media) -> FromUrlResponse:
    return FromUrlResponse(
        media_id=media.id,
        duplicate=False,
        processing_status=ProcessingStatus.PENDING,
        ingest_enqueued=NOT_DONE,
    )


def _replace_failed(db: Session, media: Media, *, viewer_id: UUID, url: str) -> None:
    """Saving the address of a failed item again replaces it, so that no dead row is left."""
    known = find_saved(db, user_id=viewer_id, kind=MediaKind.WEB_ARTICLE, url=url)
    if known is None or known.kind is not MediaKind.WEB_ARTICLE:
        return  # a file is kept, and the page of its address finds it again
    if known.processing_status is ProcessingStatus.FAILED:
        merge_media(db, loser=known, winner=media, reader_id=None)


def enqueue_web_article_from_url(
    db: Session, viewer: Viewer, url: str, request_id: str | None
) -> FromUrlResponse:
    """Save the page and hand it to a worker once it is committed."""
    media = _add(db, viewer.user_id, url)
    enqueued = enqueue(db, media, actor_user_id=viewer.user_id, request_id=request_id)
    return _provisional(media).model_copy(update={"ingest_enqueued": enqueued})
