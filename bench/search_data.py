"""One reader with any number of long texts, and a neighbour with a few, made inside Postgres.

The words of a text are drawn as in real ones: few are in most texts, most are in few.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from uuid import UUID

import psycopg
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from nexus.search.passages import HEAD_POSITIONS
from nexus.search.stems import DocumentStems
from nexus.search.vectors import vector
from nexus.search.words import split_words

READER, NEIGHBOUR = UUID(int=1 << 64 | 1), UUID(int=1 << 64 | 2)
NEIGHBOURS_ITEMS = 50
WORDS = 1_000
HIGHLIGHTS = 10_000
_VOCABULARY = 30_000
_DIFFERENT_TEXTS = 1_000
_DICTIONARY = "english_stem"
_SYLLABLES = "ka lo mi ren tas bor du fel gan hi jor ket lun mar nos pel qui ros sen tir ul vor wen"
_ENDINGS = ("", "", "", "s", "ed", "ing", "ation")
# Their indexes are built once, after the rows are there.
_INDEXES = ("ix_search_passages_words", "ix_shelf_items_words", "ix_highlights_words")

_PEOPLE = """
    INSERT INTO users (id) SELECT person FROM unnest(%(people)s) person;
    INSERT INTO libraries (id, name, owner_user_id, is_default)
        SELECT person, 'My Library', person, true FROM unnest(%(people)s) person;
    INSERT INTO memberships (library_id, user_id, role)
        SELECT person, person, 'admin' FROM unnest(%(people)s) person;
"""
# Every text has two words of its own, apart from those it shares with others.
_ITEMS = """
    CREATE TEMPORARY TABLE items AS
        SELECT number, gen_random_uuid() AS media_id, gen_random_uuid() AS fragment_id,
            CASE WHEN number %% %(every)s = 0 AND number <= %(every)s::int * %(few)s
                THEN %(neighbour)s ELSE %(reader)s END AS person,
            timestamptz '2024-01-01' + number * interval '1 minute' AS at,
            format('Only%%s here%%s. ', number, number) AS own
        FROM generate_series(1, %(items)s + %(few)s) number;
    INSERT INTO media (id, kind, title, requested_url, canonical_url, created_by_user_id,
            processing_status, processing_attempts, word_count, created_at, updated_at, words)
        SELECT media_id, 'web_article', left(pool.text, 60),
            'https://example.org/' || number, 'https://example.org/' || number, person,
            'ready_for_reading', 1, %(words)s, at, at, pool.title
        FROM items JOIN pool USING (number);
    INSERT INTO library_media (library_id, media_id, created_at)
        SELECT person, media_id, at FROM items;
    INSERT INTO shelf_items (user_id, media_id, saved_at, kind, length, words)
        SELECT person, media_id, at, 'web_article', %(words)s, pool.title
        FROM items JOIN pool USING (number);
    INSERT INTO fragments (id, media_id, idx, html_sanitized, canonical_text)
        SELECT fragment_id, media_id, 0, '', own || pool.text FROM items JOIN pool USING (number);
    INSERT INTO search_passages (media_id, fragment_id, start_offset, end_offset, dictionary,
            library_ids, words)
        SELECT media_id, fragment_id, 0, length(own || pool.text), %(dictionary)s, ARRAY[person],
            pool.words || format('only%%s:1 here%%s:2', number, number)::tsvector
        FROM items JOIN pool USING (number) ORDER BY number;
    INSERT INTO highlights (user_id, fragment_id, start_offset, end_offset, color, exact, prefix,
            suffix, words)
        SELECT person, fragment_id, 0, 60, 'yellow', left(own || pool.text, 60), '', '', pool.title
        FROM items JOIN pool USING (number) WHERE number <= %(highlights)s;
"""


@dataclass(frozen=True)
class Texts:
    """What was loaded, to draw queries from."""

    chance: random.Random
    texts: list[list[str]]
    common: list[str]

    def queries(self, count: int) -> list[str]:
        """Two words, one, a phrase, the beginning of a word, and words that are everywhere."""
        kinds = self.chance.choices(
            ("two", "one", "phrase", "prefix", "common"), (8, 4, 3, 3, 2), k=count
        )
        return [self._query(kind) for kind in kinds]

    def _query(self, kind: str) -> str:
        text = self.chance.choice(self.texts)
        if kind == "common":
            return " ".join(self.chance.sample(self.common, self.chance.randint(1, 3))) + " "
        if kind == "phrase":
            start = self.chance.randrange(len(text) - 4)
            return f'"{" ".join(text[start : start + 3])}"'
        rare = [word for word in text if word not in self.common]
        if kind == "prefix":
            return self.chance.choice(rare)[: self.chance.randint(4, 6)]
        return " ".join(self.chance.sample(rare, 2 if kind == "two" else 1)) + " "


def load_texts(
    connection: psycopg.Connection, url: str, *, items: int, different: int = _DIFFERENT_TEXTS
) -> Texts:
    """Fill an empty database: so many items for the reader, and the neighbour's few among them."""
    chance = random.Random(19)
    vocabulary = _vocabulary(chance)
    weights = list(accumulate(1 / (place + 2.7) for place in range(_VOCABULARY)))
    texts = [chance.choices(vocabulary, cum_weights=weights, k=WORDS) for _ in range(different)]
    values = {
        "people": [READER, NEIGHBOUR],
        "reader": READER,
        "neighbour": NEIGHBOUR,
        "items": items,
        "few": NEIGHBOURS_ITEMS,
        "every": items // NEIGHBOURS_ITEMS,
        "words": WORDS,
        "highlights": min(items, HIGHLIGHTS),
        "dictionary": _DICTIONARY,
    }
    with connection.transaction():
        # The rows are right by construction, the shelf included; triggers would only take time.
        connection.execute("SET LOCAL session_replication_role = replica")
        indexes = [
            connection.execute("SELECT pg_get_indexdef(%s::regclass)", [name]).fetchone()
            for name in _INDEXES
        ]
        connection.execute(f"DROP INDEX {', '.join(_INDEXES)}")
        _make_pool(connection, url, texts, items + NEIGHBOURS_ITEMS)
        for statement in (_PEOPLE + _ITEMS).split(";\n")[:-1]:
            connection.cursor(binary=False).execute(statement, values)
        connection.execute("SET LOCAL maintenance_work_mem = '512MB'")
        for index in indexes:
            assert index is not None
            connection.execute(index[0])
        connection.execute("DROP TABLE items")
        connection.execute("DROP TABLE pool")
    connection.execute("VACUUM ANALYZE")
    connection.execute("CHECKPOINT")
    return Texts(chance, texts, vocabulary[:100])


def _make_pool(
    connection: psycopg.Connection, url: str, texts: list[list[str]], count: int
) -> None:
    connection.execute(
        "CREATE TEMPORARY TABLE drawn (place int, text text, title tsvector, words tsvector)"
    )
    with connection.cursor().copy("COPY drawn FROM STDIN") as copy:
        for row in _vectors(url, texts):
            copy.write_row(row)
    connection.execute(
        "CREATE TEMPORARY TABLE pool AS SELECT number, drawn.* FROM generate_series(1, %s) number"
        " JOIN drawn ON place = number %% %s",
        [count, len(texts)],
    )
    connection.execute("DROP TABLE drawn")


def _vectors(url: str, texts: list[list[str]]) -> Iterator[tuple[int, str, str, str]]:
    engine = create_engine(url)
    with Session(engine) as session:
        stems = DocumentStems(session, _DICTIONARY)
        for place, text in enumerate(texts):
            written = ". ".join(" ".join(text[at : at + 12]) for at in range(0, len(text), 12))
            words = split_words(written)
            lexemes = stems.lexemes(words)
            title = vector(words[:10], lexemes, weight="A")
            yield (
                place,
                written,
                title,
                f"{title} {vector(words, lexemes, first_position=HEAD_POSITIONS + 1)}",
            )
    engine.dispose()


def _vocabulary(chance: random.Random) -> list[str]:
    syllables = _SYLLABLES.split()
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        stem = "".join(chance.choices(syllables, k=chance.randint(1, 4)))
        found[stem + chance.choice(_ENDINGS)] = None
    return list(found)
