"""The article a new account finds: the product shows itself before anything is fetched."""

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from sqlalchemy import func, insert, select
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor, MediaKind
from nexus.db.models import Annotation, Fragment, Highlight, Media
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import SanitizedHtml, sanitize_html
from nexus.services import media_lifecycle
from nexus.services.highlight_span import span_at
from nexus.services.library_media import ensure_in_default_library
from nexus.services.search_index import read_words, store_words
from nexus.services.search_marks import mark_words

TITLE = "Welcome to Nexus"
# Not an address: no page on the web can ever be merged with it. A new text gets a new name.
_IDENTITY = "nexus:welcome-1"
_SOURCE = Path(__file__).parents[1] / "samples" / "welcome.html"

_HIGHLIGHTS: tuple[tuple[str, HighlightColor, str | None], ...] = (
    (
        "Passages may overlap as much as you like: a sentence can carry one thought, a phrase "
        "inside it another, and a paragraph that contains both a third.",
        HighlightColor.YELLOW,
        None,
    ),
    (
        "a paragraph that contains both a third. None of them is merged, moved or lost",
        HighlightColor.GREEN,
        None,
    ),
    (
        "a phrase inside it another",
        HighlightColor.BLUE,
        "This highlight lies inside a longer one. Click it again to reach the other, or press "
        "j and k to go from one to the next.",
    ),
)


def give_sample_article(session: Session, *, user_id: UUID) -> None:
    """Put the sample into a new person's library, with highlights and a note of their own."""
    fragment_id, text = _stored_sample(session)
    media_id = session.scalars(select(Fragment.media_id).where(Fragment.id == fragment_id)).one()
    ensure_in_default_library(session, user_id=user_id, media_id=media_id)
    for exact, color, note in _HIGHLIGHTS:
        start = text.index(exact)
        highlight = Highlight(
            user_id=user_id,
            fragment_id=fragment_id,
            color=color,
            **asdict(span_at(text, start, start + len(exact))),
            words=mark_words(session, exact, fragment_id=fragment_id),
            # One after the other, as a person would: the newest colour is the one seen.
            created_at=func.clock_timestamp(),
        )
        session.add(highlight)
        session.flush()
        if note is not None:
            words = mark_words(session, note, fragment_id=fragment_id)
            session.add(
                Annotation(highlight_id=highlight.id, user_id=user_id, body=note, words=words)
            )
    session.flush()


def _stored_sample(session: Session) -> tuple[UUID, str]:
    """The one stored copy, created by the first caller, like any article."""
    html, text = _cleaned()
    media_id = session.scalar(
        insert_or_ignore(Media)
        .values(kind=MediaKind.WEB_ARTICLE, title=TITLE, canonical_url=_IDENTITY)
        .on_conflict_do_nothing()
        .returning(Media.id)
    )
    if media_id is not None:
        media_lifecycle.worker_start_attempt(session, media_id)
        fragment_id = session.scalars(
            insert(Fragment)
            .values(media_id=media_id, idx=0, html_sanitized=html, canonical_text=text)
            .returning(Fragment.id)
        ).one()
        words = read_words(session, [text], language="en")
        store_words(session, session.get_one(Media, media_id), [fragment_id], words)
        media_lifecycle.mark_ready_for_reading(session, media_id)
    fragment = session.scalars(
        select(Fragment)
        .join(Media, Media.id == Fragment.media_id)
        .where(Media.canonical_url == _IDENTITY, Media.kind == MediaKind.WEB_ARTICLE)
        .with_for_update(read=True, key_share=True)
    ).one()
    return fragment.id, fragment.canonical_text


@lru_cache(maxsize=1)
def _cleaned() -> tuple[SanitizedHtml, str]:
    html = sanitize_html(_SOURCE.read_text(), "https://localhost/")
    return html, canonicalize(html)
