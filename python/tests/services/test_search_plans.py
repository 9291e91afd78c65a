"""Search among thousands of texts: by indexes alone, and whatever the query is."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from bench.hostile_queries import hostile_queries
from bench.search_data import NEIGHBOUR, NEIGHBOURS_ITEMS, READER, Texts, load_texts
from psycopg import sql
from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from nexus.errors import InvalidRequestError
from nexus.schemas.search import SearchResults
from nexus.services.search import search
from nexus.services.viewer import Viewer
from tests.databases import own_database

pytestmark = pytest.mark.heavy

ITEMS = 2_000


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with own_database("search") as engine:
        yield engine


@pytest.fixture(scope="module")
def texts(engine: Engine) -> Texts:
    url = engine.url.render_as_string(hide_password=False)
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        return load_texts(connection, url, items=ITEMS, different=100)


@pytest.fixture
def session(engine: Engine, texts: Texts) -> Iterator[Session]:
    with Session(engine) as session:
        yield session


def found(session: Session, person: UUID, text: str, **page: Any) -> SearchResults:
    viewer = Viewer(person, None, person)
    results = search(session, viewer, text=text, **{"cursor": None, "limit": 20, **page})
    return SearchResults.model_validate(results)


def queries(texts: Texts) -> dict[str, str]:
    rare = next(word for word in texts.texts[0] if word not in texts.common)
    common = texts.common[0]
    return {
        "a rare word": "only77 ",
        "a common word": f"{common} ",
        "common words": f"{common} {texts.common[1]} ",
        "a phrase of common words": f'"{common} {texts.common[1]}"',
        "a rare phrase": f'"{" ".join(texts.texts[0][10:14])}"',
        "a prefix": rare[:4],
        "a short prefix": "k*",
        "a word and a filter": f"{rare} is:unread kind:article after:2024 ",
        "a word, not another": f"{rare} -{common} ",
        "a title": f"in:title {rare} ",
        "highlights": f"in:highlights {rare} ",
        "notes": f"in:notes {rare} ",
        "a filter": "is:archived",
        "not a word": f"-{rare} ",
        "not a phrase": f'-"{common} {texts.common[1]}"',
        "a tag": f"tag:work {rare} ",
        "a site": f"site:example.org {rare} ",
    }


NAMES = list(queries(Texts(random.Random(), [["x"] * 20], ["y", "z"])))


def statements_of(session: Session, person: UUID, text: str) -> list[tuple[str, Any]]:
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        statements.append((statement, parameters))

    event.listen(session.get_bind(), "before_cursor_execute", note)
    try:
        found(session, person, text)
    finally:
        event.remove(session.get_bind(), "before_cursor_execute", note)
    return statements


@pytest.mark.parametrize("name", NAMES)
def test_no_table_is_read_whole(name: str, session: Session, texts: Texts) -> None:
    connection = session.connection().connection.driver_connection
    assert connection is not None
    for statement, parameters in statements_of(session, READER, queries(texts)[name]):
        row = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters).fetchone()
        plan = row[0][0]["Plan"]
        assert "Seq Scan" not in set(_nodes(plan)), f"{statement}\n{json.dumps(plan, indent=1)}"


def _nodes(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["Node Type"]
    for child in plan.get("Plans", []):
        yield from _nodes(child)


def test_words_anywhere_among_thousands_are_found(session: Session, texts: Texts) -> None:
    for number in (1, ITEMS // 2 + 1, ITEMS - 1):
        for query in (f"only{number} ", f'"only{number} here{number}"', f"only{number}* "):
            results = found(session, READER, query).results
            first = results[0].snippet
            start, end = first.hits[0]
            assert first.text[start:end].startswith(f"Only{number}")
    assert found(session, READER, "nowhere ").results == []
    common = found(session, READER, f"{texts.common[0]} ", limit=100)
    assert len(common.results) == 100


def test_a_neighbour_never_reads_what_others_keep(session: Session, texts: Texts) -> None:
    """Few items are looked at one by one: no index that others share is read."""
    for query in queries(texts).values():
        for statement, _ in statements_of(session, NEIGHBOUR, query):
            assert "&&" not in statement or "NOT IN" in statement, query
    listed = found(session, NEIGHBOUR, "kind:article", limit=100).results
    own = {result.media.id for result in listed}
    assert len(own) == NEIGHBOURS_ITEMS
    results = found(session, NEIGHBOUR, f"{texts.common[0]} ", limit=100).results
    assert {result.media.id for result in results} <= own


@pytest.mark.parametrize("mode", ["force_generic_plan", "force_custom_plan"])
def test_a_neighbour_reads_only_passages_of_their_own(
    mode: str, session: Session, texts: Texts
) -> None:
    connection = session.connection().connection.driver_connection
    assert connection is not None
    for query in queries(texts).values():
        for statement, parameters in statements_of(session, NEIGHBOUR, query):
            connection.execute(f"SET LOCAL plan_cache_mode = {mode}")
            plan = _prepared_plan(connection, statement, parameters)
            assert _read(plan, "search_passages") <= 4 * NEIGHBOURS_ITEMS, f"{query}: {statement}"


def _prepared_plan(connection: psycopg.Connection, statement: str, parameters: Any) -> Any:
    """What a statement does that is prepared as the API's are."""
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)))
    for number, name in enumerate(names, start=1):
        statement = statement.replace(f"%({name})s", f"${number}")
    connection.execute(f"PREPARE looked_at AS {statement}")
    values = sql.SQL(", ").join(sql.Literal(parameters[name]) for name in names)
    called = sql.SQL("({})").format(values) if names else sql.SQL("")
    explained = sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE looked_at {}").format(called)
    row = connection.execute(explained).fetchone()
    connection.execute("DEALLOCATE looked_at")
    assert row is not None
    return row[0][0]["Plan"]


def _read(plan: dict[str, Any], table: str) -> float:
    """How many rows of a table were looked at."""
    rows = sum(_read(child, table) for child in plan.get("Plans", []))
    if plan.get("Relation Name") == table:
        looked_at = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
        rows += looked_at * plan["Actual Loops"]
    return rows


def test_any_query_is_understood_or_refused(session: Session) -> None:
    codes = []
    for query in hostile_queries(random.Random(3), 400):
        try:
            found(session, READER, query)
        except InvalidRequestError as error:
            codes.append(error.code)
    assert set(codes) == {"E_SEARCH_INVALID"}
    assert len(codes) < 300
