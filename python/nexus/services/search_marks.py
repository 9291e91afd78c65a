"""The words of highlights and notes, kept in their rows."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.models import SearchPassage
from nexus.search.dictionaries import choose_dictionary
from nexus.search.stems import DocumentStems
from nexus.search.vectors import MAX_POSITION, vector
from nexus.search.words import split_words

# A `tsvector` holds no more positions; longer words than usual still leave it under its limit.
_MAX_LENGTH = 4 * MAX_POSITION

_MOST_KNOWN = 2_000
_dictionaries: dict[UUID, str] = {}


def mark_words(session: Session, text: str, *, fragment_id: UUID) -> str:
    """The words of a highlight or a note, by the dictionary of the text it belongs to."""
    words = split_words(text[:_MAX_LENGTH])
    dictionary = _dictionary_of(session, fragment_id) or choose_dictionary(None, text)
    return vector(words, DocumentStems(session, dictionary).lexemes(words))


def _dictionary_of(session: Session, fragment_id: UUID) -> str | None:
    """None until the text is indexed; from then on it never changes."""
    known = _dictionaries.get(fragment_id)
    if known is None:
        of_text = select(SearchPassage.dictionary).where(SearchPassage.fragment_id == fragment_id)
        known = session.scalar(of_text.limit(1))
        if known is not None:
            if len(_dictionaries) >= _MOST_KNOWN:
                _dictionaries.clear()
            _dictionaries[fragment_id] = known
    return known
