"""The words of documents, kept for search in the transaction that stores the text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from sqlalchemy import Insert, Uuid, bindparam, func, insert, select
from sqlalchemy.orm import Session

from nexus.db.models import LibraryMedia, Media, SearchPassage
from nexus.search.dictionaries import choose_dictionary
from nexus.search.passages import HEAD_POSITIONS, Passage, passages
from nexus.search.stems import DocumentStems
from nexus.search.vectors import vector
from nexus.services.search_names import name_item

_BATCH_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class PassageWords:
    """A passage of the fragment with this index, and its words as Postgres takes them."""

    fragment_idx: int
    start: int
    end: int
    vector: str


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """The words of a document, ready to be stored."""

    dictionary: str
    passages: list[PassageWords]


def read_words(session: Session, texts: Iterable[str], *, language: str | None) -> DocumentWords:
    """The words of a document's fragments. Takes a second for a long one, and locks nothing."""
    texts = list(texts)
    dictionary = choose_dictionary(language, "\n".join(text[:1_000] for text in texts[:20]))
    stems = DocumentStems(session, dictionary)
    found: list[PassageWords] = []
    for batch in _batches(texts):
        lexemes = stems.lexemes(word for _, passage in batch for word in passage.words)
        for idx, passage in batch:
            words = vector(passage.words, lexemes, first_position=HEAD_POSITIONS + 1)
            found.append(PassageWords(idx, passage.start, passage.end, words))
    return DocumentWords(dictionary, found)


def _batches(texts: Iterable[str]) -> Iterator[list[tuple[int, Passage]]]:
    """Passages and the indexes of their texts: enough to ask the database once for their words."""
    batch: list[tuple[int, Passage]] = []
    words = 0
    for idx, text in enumerate(texts):
        for passage in passages(text):
            batch.append((idx, passage))
            words += len(passage.words)
            if words >= _BATCH_WORDS:
                yield batch
                batch, words = [], 0
    if batch:
        yield batch


def store_words(
    session: Session, media: Media, fragment_ids: Sequence[UUID], words: DocumentWords
) -> None:
    """Keep the words of an item that has none yet. The caller has locked its row, so that no
    library gains or loses it meanwhile.
    """
    head = name_item(session, media, dictionary=words.dictionary)
    shared = {"media_id": media.id, "held_id": media.id, "dictionary": words.dictionary}
    rows = [
        {
            **shared,
            "fragment_id": fragment_ids[passage.fragment_idx],
            "start_offset": passage.start,
            "end_offset": passage.end,
            "words": f"{head} {passage.vector}",
        }
        for passage in words.passages
    ]
    if rows:
        session.connection().execute(_passages(), rows)


@cache
def _passages() -> Insert:
    """Built once: every article needs it. The libraries are those that hold the item now."""
    held = select(LibraryMedia.library_id).where(
        LibraryMedia.media_id == bindparam("held_id", type_=Uuid())
    )
    names = ("media_id", "fragment_id", "start_offset", "end_offset", "dictionary", "words")
    columns = {name: bindparam(name, type_=SearchPassage.__table__.c[name].type) for name in names}
    return insert(SearchPassage).values(library_ids=func.array(held.scalar_subquery()), **columns)
