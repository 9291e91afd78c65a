"""The final write of a document, in one transaction: its identity and text, or a merge."""

from dataclasses import asdict
from typing import Literal
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import Fragment, Media, MediaOutline, MediaPicture
from nexus.extractors.interface import Document, Job
from nexus.extractors.kinds import FILE_KINDS
from nexus.ids import consecutive_ids
from nexus.services import media_lifecycle
from nexus.services.images.measure import measure_soon
from nexus.services.images.sizes import keep_images
from nexus.services.imports.books import take_over_highlights
from nexus.services.media_merge import hold, merge_media, take_identity
from nexus.services.reading import take_up_positions
from nexus.services.saved_addresses import remember_final_address
from nexus.services.search_index import DocumentWords, read_words, store_words
from nexus.services.titles import clean_title
from nexus.services.unplaced import wait_for_text
from nexus.services.url_normalize import normalize_url_for_display
from nexus.text import count_words

Outcome = Literal["stored", "merged", "outdated"]

# Executed on the connection: for a session these would be entities, which takes as long again.
_FRAGMENTS = insert(Fragment)
_insert_outline = insert(MediaOutline)
_OUTLINE = _insert_outline.on_conflict_do_update(
    index_elements=[MediaOutline.media_id],
    set_={column.name: column for column in _insert_outline.excluded},
)


def store_document(
    session: Session,
    job: Job,
    document: Document,
    *,
    canonical_url: str | None,
    actor_user_id: UUID | None,
) -> Outcome:
    """Make the item readable, or merge it into the one that already is this page.

    Under the fence of the attempt: one that is no longer current writes nothing.
    """
    texts = (text.canonical_text for text in document.fragments)
    # Before anything is locked: for a long document it takes a moment.
    words = read_words(session, texts, language=document.metadata.language)
    media = media_lifecycle.lock_current_attempt(session, job.media_id, attempt=job.attempt)
    if media is None:
        return "outdated"
    if document.final_url is None or canonical_url is None:
        _write(session, media, document, words)
        return "stored"
    same_page = select(Media).where(Media.kind == media.kind, Media.canonical_url == canonical_url)
    winner = take_identity(
        session, media, lambda: hold(session, same_page), canonical_url=canonical_url
    )
    if winner is None:
        _write(session, media, document, words)
        remember_final_address(session, media, final_url=document.final_url)
        return "stored"
    merge_media(session, loser=media, winner=winner, reader_id=actor_user_id)
    remember_final_address(session, winner, final_url=document.final_url)
    _revive_with(session, winner, document, words)
    return "merged"


def _write(session: Session, media: Media, document: Document, words: DocumentWords) -> None:
    """Make an item readable whose row is locked for its current attempt."""
    # All of its columns in one update, the last of all: each update announces the item.
    with session.no_autoflush:
        if document.title is not None:
            media.title = clean_title(document.title)
        if document.final_url is not None:
            media.canonical_source_url = normalize_url_for_display(document.final_url)
        _describe(media, document)
        _keep_outline(session, media, document)
        _keep_pictures(session, media, document)
        fragment_ids = _keep_text(session, media, document)
        store_words(session, media, fragment_ids, words)
        media_lifecycle.finish_attempt(media)
    session.flush()
    take_over_highlights(session, media)
    wait_for_text(session, media_id=media.id)


def _keep_text(session: Session, media: Media, document: Document) -> list[UUID]:
    ids = consecutive_ids(len(document.fragments))
    fragments = list(zip(ids, document.fragments, strict=True))
    rows = [
        {"id": id, "media_id": media.id, "idx": idx, **asdict(text)}
        for idx, (id, text) in enumerate(fragments)
    ]
    if rows:
        session.connection().execute(_FRAGMENTS, rows)
    take_up_positions(session, media_id=media.id)
    texts = ((id, text.html_sanitized) for id, text in fragments)
    if keep_images(session, texts, declared=document.image_sizes):
        measure_soon(session)
    return ids


def _keep_pictures(session: Session, media: Media, document: Document) -> None:
    """Those of an earlier text go; their bytes are deleted once no row names them."""
    if media.kind not in FILE_KINDS:
        return
    session.execute(delete(MediaPicture).where(MediaPicture.media_id == media.id))
    rows = [
        {
            "media_id": media.id,
            "name": picture.storage_path.rpartition("/")[2],
            "storage_path": picture.storage_path,
            "size_bytes": picture.size_bytes,
        }
        for picture in document.pictures
    ]
    if rows:
        session.execute(insert(MediaPicture), rows)


def _describe(media: Media, document: Document) -> None:
    """What the document says about itself, and how much there is to read."""
    for name, value in asdict(document.metadata).items():
        setattr(media, name, list(value) if isinstance(value, tuple) else value)
    words = sum(count_words(text.canonical_text) for text in document.fragments)
    # None at all means that there is no text, as in a scan or a comic; signs alone are something.
    media.word_count = max(words, int(any(text.canonical_text for text in document.fragments)))
    media.page_count = len(document.pages) or None


def _keep_outline(session: Session, media: Media, document: Document) -> None:
    outline = {
        "media_id": media.id,
        "contents": [asdict(entry) for entry in document.contents],
        "pages": [asdict(page) for page in document.pages],
        "fingerprint": document.fingerprint,
        "extractor_version": document.extractor_version,
        "start": asdict(document.start) if document.start else None,
        "fixed_layout": document.fixed_layout,
    }
    session.connection().execute(_OUTLINE, outline)


def _revive_with(session: Session, winner: Media, document: Document, words: DocumentWords) -> None:
    """A failed winner gets the text that was just fetched, so that nobody keeps a dead row."""
    if winner.processing_status is not ProcessingStatus.FAILED:
        return
    media_lifecycle.revive_media(session, winner.id)
    media_lifecycle.worker_start_attempt(session, winner.id)
    session.refresh(winner)
    _write(session, winner, document, words)
