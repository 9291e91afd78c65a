"""The text of an article out of an archive: cleaned as a page is, and the person's own."""

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, LibraryMedia, Media
from nexus.egress.url_parse import parse_web_url
from nexus.errors import InvalidRequestError
from nexus.extractors.interface import Document, FragmentText, Job, Metadata
from nexus.extractors.web_article import contents_of
from nexus.extractors.web_article.metadata import validated
from nexus.html.cleaning import CleaningFailed, clean_page
from nexus.importers.nexus import Json, dicts
from nexus.importers.records import InvalidFile
from nexus.services import media_lifecycle
from nexus.services.document_store import store_document
from nexus.services.imports.lines import Line
from nexus.services.media_create import shared_addresses
from nexus.services.saved_addresses import find_saved
from nexus.services.titles import clean_title
from nexus.services.url import canonicalize_url, validate_url
from nexus.services.url_normalize import normalize_url_for_display
from nexus.services.viewer import Viewer

_KIND = MediaKind.WEB_ARTICLE


def restore_text(
    session: Session, viewer: Viewer, line: Line, entry: Json, text: Json, *, now: datetime
) -> None:
    """The person's item with this address, the page everybody has if it has this very text, or a
    row of the person's own."""
    url = web_address(line.item.url)
    own = find_saved(session, user_id=viewer.user_id, kind=_KIND, url=url) if url else None
    if own is not None:
        put_on_shelf(session, viewer, line, own.id, now=now)
        return
    document = _document(entry, text)
    shared = _with_this_text(session, url, document) if url else None
    if shared is not None:
        put_on_shelf(session, viewer, line, shared, now=now)
        return
    media = Media(
        id=uuid4(),
        kind=_KIND,
        title=clean_title(line.item.title or url or "Untitled"),
        requested_url=url,
        canonical_source_url=source_of(entry),
        created_by_user_id=viewer.user_id,
    )
    session.add(media)
    session.flush()
    put_on_shelf(session, viewer, line, media.id, now=now)
    media_lifecycle.worker_start_attempt(session, media.id)
    job = Job(media.id, media.processing_attempts, _KIND)
    store_document(session, job, document, canonical_url=None, actor_user_id=viewer.user_id)


def put_on_shelf(
    session: Session, viewer: Viewer, line: Line, media_id: UUID, *, now: datetime
) -> None:
    """Into the person's default library, as saved when the archive says."""
    statement = insert(LibraryMedia).values(
        library_id=viewer.default_library_id, media_id=media_id, created_at=line.saved_at(now)
    )
    new = session.scalar(statement.on_conflict_do_nothing().returning(LibraryMedia.media_id))
    line.media_id, line.new = media_id, new is not None


def source_of(entry: Json) -> str | None:
    source = web_address(entry.get("source"))
    return normalize_url_for_display(source) if source else None


def web_address(url: object) -> str | None:
    """The address, if it is one that could be saved."""
    if not isinstance(url, str):
        return None
    try:
        validate_url(url)
    except InvalidRequestError:
        return None
    return url


def _document(entry: Json, text: Json) -> Document:
    """An article has one fragment. It comes out as it was, unless it is not what it should be."""
    first = next(iter(dicts(text.get("fragments"))), {})
    html = first.get("html")
    try:
        cleaned = clean_page(html if isinstance(html, str) else "", "")
    except CleaningFailed as error:
        raise InvalidFile(str(error)) from None
    if not cleaned.text:
        raise InvalidFile("This item has no text in the archive")
    return Document(
        fragments=(FragmentText(cleaned.html, cleaned.text),),
        image_sizes=cleaned.image_sizes,
        metadata=_metadata(entry),
        contents=contents_of(cleaned.headings),
    )


def _metadata(entry: Json) -> Metadata:
    declared = {
        "authors": entry.get("authors"),
        "site_name": entry.get("site"),
        "published_at": entry.get("published"),
        "language": entry.get("language"),
        "excerpt": entry.get("excerpt"),
        "lead_image_url": entry.get("image"),
    }
    return validated(declared, source_of(entry) or "")


def _with_this_text(session: Session, url: str, document: Document) -> UUID | None:
    """The page that anyone gets who saves this address, if it has the very same text."""
    parsed = parse_web_url(url)
    addresses = shared_addresses(_KIND, parsed, canonicalize_url(parsed))
    candidates = session.scalars(
        select(Media.id)
        .where(
            Media.kind == _KIND,
            Media.canonical_url.in_(addresses),
            Media.processing_status == ProcessingStatus.READY_FOR_READING,
        )
        .order_by(Media.id)
        .with_for_update(read=True, key_share=True)
    ).all()
    wanted = [(one.html_sanitized, one.canonical_text) for one in document.fragments]
    for media_id in candidates:
        query = select(Fragment.html_sanitized, Fragment.canonical_text)
        rows = session.execute(query.where(Fragment.media_id == media_id).order_by(Fragment.idx))
        if [tuple(row) for row in rows] == wanted:
            return media_id
    return None
