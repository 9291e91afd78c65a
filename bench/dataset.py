"""Readers, articles and highlights in any number, the same ones every time, loaded by COPY."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg

from bench.text import words
from nexus.services.highlight_span import span_at

OTHER_READERS = 100
TARGETS = 20
HIGHLIGHTS_PER_TARGET = 200
TARGET_WORDS = 4_000
_START = datetime(2024, 1, 1, tzinfo=UTC)
_COLORS = ("yellow", "green", "blue", "pink", "purple")
_HIGHLIGHT_COLUMNS = (
    "id, user_id, fragment_id, start_offset, end_offset, color, exact, prefix, suffix, "
    "created_at, updated_at"
)


@dataclass(frozen=True)
class Article:
    media_id: UUID
    fragment_id: UUID
    owner: UUID
    library_id: UUID
    saved_at: datetime
    text: str


@dataclass(frozen=True)
class Dataset:
    """Which reader sends requests, and for what."""

    reader: UUID
    media: int
    highlights: int
    to_read: list[Article]
    """Each with HIGHLIGHTS_PER_TARGET highlights of the reader."""
    to_mark: list[Article]
    """Without any, for new ones."""

    def creation(self, number: int) -> tuple[UUID, dict[str, object]]:
        """The fragment and the body of the n-th new highlight; no two are alike."""
        article = self.to_mark[number % TARGETS]
        start = number // TARGETS
        span = asdict(span_at(article.text, start, start + 41))
        return article.fragment_id, {**span, "color": _COLORS[number % 5]}


def load(connection: psycopg.Connection, *, media: int, highlights: int) -> Dataset:
    """Fill an empty database. Half of everything is one reader's, the rest that of a hundred."""
    chance = random.Random(8)
    libraries = {_uuid(chance): _uuid(chance) for _ in range(OTHER_READERS + 1)}
    reader, *others = libraries
    articles = [
        _article(
            chance, number, reader if number % 2 else others[number % OTHER_READERS], libraries
        )
        for number in range(media)
    ]
    own = [article for article in articles if article.owner == reader]
    # The first ones: far from the newest page, so that nothing is near by accident.
    to_read, to_mark = own[:TARGETS], own[TARGETS : 2 * TARGETS]
    with connection.transaction():
        # The rows are right by construction; checking each key would only take time.
        connection.execute("SET LOCAL session_replication_role = replica")
        _copy_people(connection, libraries)
        _copy_articles(connection, articles)
        notes: list[tuple[object, ...]] = []
        rows = _highlights(chance, articles, to_read, to_mark, highlights)
        _copy_highlights(connection, _noting(rows, notes, chance))
        columns = "id, highlight_id, user_id, body, created_at, updated_at"
        _copy(connection, f"annotations ({columns})", notes)
    connection.execute("VACUUM ANALYZE")
    return Dataset(reader, media, highlights, to_read, to_mark)


def _article(
    chance: random.Random, number: int, owner: UUID, libraries: dict[UUID, UUID]
) -> Article:
    length = TARGET_WORDS if number < 4 * TARGETS else 60
    saved_at = _START + timedelta(minutes=number)
    ids = (_uuid(chance), _uuid(chance))
    return Article(*ids, owner, libraries[owner], saved_at, words(chance, length))


def _highlights(
    chance: random.Random,
    articles: list[Article],
    to_read: list[Article],
    to_mark: list[Article],
    count: int,
) -> Iterator[tuple[object, ...]]:
    for article in to_read:
        for number in range(HIGHLIGHTS_PER_TARGET):
            # A step shorter than the passage: each overlaps its neighbours.
            yield _highlight(chance, article, 60 * number, 60 * number + 110)
    marked = {article.fragment_id for article in to_read + to_mark}
    rest = [article for article in articles if article.fragment_id not in marked]
    for number in range(count - HIGHLIGHTS_PER_TARGET * len(to_read)):
        article = rest[number % len(rest)]
        start = 12 * (number // len(rest))
        yield _highlight(chance, article, start, start + 60)


def _noting(
    rows: Iterable[tuple[object, ...]], notes: list[tuple[object, ...]], chance: random.Random
) -> Iterator[tuple[object, ...]]:
    """The same rows; every tenth gets a note."""
    for number, row in enumerate(rows):
        if number % 10 == 0:
            notes.append((_uuid(chance), row[0], row[1], words(chance, 12), row[-1], row[-1]))
        yield row


def _highlight(chance: random.Random, article: Article, start: int, end: int) -> tuple[object, ...]:
    span = span_at(article.text, start, end)
    moment = article.saved_at + timedelta(seconds=start)
    color = _COLORS[chance.randrange(5)]
    keys = (_uuid(chance), article.owner, article.fragment_id)
    strings = (span.exact, span.prefix, span.suffix)
    return (*keys, span.start_offset, span.end_offset, color, *strings, moment, moment)


def _copy_people(connection: psycopg.Connection, libraries: dict[UUID, UUID]) -> None:
    _copy(connection, "users (id, created_at)", ((user, _START) for user in libraries))
    _copy(
        connection,
        "libraries (id, name, owner_user_id, is_default)",
        ((library, "My Library", user, True) for user, library in libraries.items()),
    )
    _copy(
        connection,
        "memberships (library_id, user_id, role)",
        ((library, user, "admin") for user, library in libraries.items()),
    )


def _copy_articles(connection: psycopg.Connection, articles: list[Article]) -> None:
    _copy(
        connection,
        "media (id, kind, title, requested_url, canonical_url, canonical_source_url,"
        " created_by_user_id, processing_status, processing_attempts, processing_started_at,"
        " processing_completed_at, created_at, updated_at)",
        (_media_row(number, article) for number, article in enumerate(articles)),
    )
    _copy(
        connection,
        "library_media (library_id, media_id, created_at)",
        ((article.library_id, article.media_id, article.saved_at) for article in articles),
    )
    # Triggers do this for rows that are added one by one.
    connection.execute(
        "SELECT put_on_shelves(array_agg(user_id), array_agg(media_id),"
        " array_agg(library_media.created_at))"
        " FROM library_media JOIN memberships USING (library_id)"
    )
    _copy(
        connection,
        "fragments (id, media_id, idx, html_sanitized, canonical_text, created_at)",
        (
            (item.fragment_id, item.media_id, 0, f"<p>{item.text}</p>", item.text, item.saved_at)
            for item in articles
        ),
    )
    # The index of their words is of no use here, and would take longest to fill.
    connection.execute(
        "INSERT INTO search_passages (media_id, fragment_id, start_offset, end_offset, dictionary,"
        " library_ids, words)"
        " SELECT media_id, fragments.id, 0, length(canonical_text), 'english_stem',"
        " ARRAY[library_id], '' FROM fragments JOIN library_media USING (media_id)"
    )
    _copy(
        connection,
        "fragment_images (fragment_id, idx, address, width, height)",
        (
            (item.fragment_id, idx, f"https://example.org/{item.fragment_id}/{idx}.png", 640, 480)
            for item in articles
            for idx in range(2)
        ),
    )


def _media_row(number: int, article: Article) -> tuple[object, ...]:
    address = f"https://site-{number % 997}.example.org/articles/{number}/{article.text[:40]}"
    address = address.replace(" ", "-")
    at = article.saved_at
    addresses = (address, address, address)
    state = (article.owner, "ready_for_reading", 1, at, at, at, at)
    return (article.media_id, "web_article", article.text[:70], *addresses, *state)


def _copy_highlights(connection: psycopg.Connection, rows: Iterable[tuple[object, ...]]) -> None:
    _copy(connection, f"highlights ({_HIGHLIGHT_COLUMNS})", rows)


def _copy(connection: psycopg.Connection, into: str, rows: Iterable[tuple[Any, ...]]) -> None:
    with connection.cursor().copy(f"COPY {into} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _uuid(chance: random.Random) -> UUID:
    return UUID(int=chance.getrandbits(128), version=4)


def data_of(body: bytes) -> Any:
    """What is in the envelope of a response."""
    return json.loads(body)["data"]
