"""What the statements of search consist of."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    ARRAY,
    CTE,
    BigInteger,
    ColumnElement,
    DateTime,
    Dialect,
    Integer,
    Select,
    Subquery,
    Text,
    Uuid,
    bindparam,
    case,
    cast,
    false,
    func,
    literal_column,
    null,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import TSQUERY, array
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.types import TypeDecorator, TypeEngine

from nexus.db.models import ShelfItem
from nexus.db.plans import PLAN_EACH_TIME
from nexus.schemas.search import ResultType
from nexus.services.media_personal import VIEWER_ID
from nexus.services.search_filters import filter_conditions

Column = ColumnElement[Any] | InstrumentedAttribute[Any]
Condition = ColumnElement[bool] | InstrumentedAttribute[bool]
Query = Select[*tuple[Any, ...]]
Place = Literal["titles", "texts", "highlights", "notes"]

NEWEST = 150
"""Items, passages, highlights or notes that are looked at one by one."""
MOST = 100
"""Of each type, among which the best are chosen."""
MOST_WITH_PHRASES = 200
"""The index does not know which words are next to each other: more are looked at."""
ENOUGH = 50
"""So many results are more than anyone looks through: older ones need not be found."""

MOMENT = bindparam("moment", type_=DateTime(timezone=True))
ANYWHERE = bindparam("anywhere", type_=TSQUERY())
IN_TITLES = bindparam("titles", type_=TSQUERY())
OWN = array([VIEWER_ID])

# How close together the words are counts, and how long the text is.
_RANK = literal_column("33", Integer())
# What a person called an item, and what they marked in it, is worth more than what is written
# somewhere in it. All words one after the other are worth as much as being in the title.
_WORTH: dict[ResultType, str] = {"item": "1", "highlight": "0.5", "note": "0.5", "passage": "0"}
_PHRASE_WORTH = literal_column("1", Integer())
# Scores are whole numbers: what differs by less is equal, and then the newer one is first.
_SCORES = literal_column("10000", Integer())


class Wanted(NamedTuple):
    """What makes one statement differ from another."""

    filters: frozenset[str]
    places: frozenset[Place]
    """What is looked in."""
    indexed: frozenset[Place]
    """Those of which the person has more than is looked at one by one."""
    words: bool
    phrases: bool
    """Some of the words must be next to each other."""
    phrase: bool
    """There are several words: they are worth more next to each other."""
    excluding: bool
    short_prefix: bool
    """The index knows nothing of short prefixes: they are found in the newest texts alone."""
    goes_on: bool


def score(kind: ResultType, words: Column, query: ColumnElement[Any], wanted: Wanted) -> Column:
    """How good a match is; higher is better."""
    worth: ColumnElement[Any] = literal_column(_WORTH[kind])
    if wanted.words:
        worth += func.ts_rank_cd(words, query, _RANK)
    if wanted.phrase:
        phrase = words.bool_op("@@")(bindparam("phrase", type_=TSQUERY()))
        worth += case((phrase, _PHRASE_WORTH), else_=literal_column("0"))
    return cast(func.round(worth * _SCORES), Integer).label("score")


def found_columns(
    kind: ResultType,
    *,
    media_id: Column,
    moment: Column,
    score: Column,
    passage_id: Column | None = None,
    highlight_id: Column | None = None,
) -> list[ColumnElement[Any]]:
    """The columns that all types of results have in common. The key tells equals apart."""
    key = next(each for each in (passage_id, highlight_id, media_id) if each is not None)
    return [
        constant(kind).label("type"),
        media_id.label("media_id"),
        moment.label("moment"),
        score.label("score"),
        cast(key, Text).collate("C").label("key"),
        cast(null() if passage_id is None else passage_id, BigInteger).label("passage_id"),
        cast(null() if highlight_id is None else highlight_id, Uuid).label("highlight_id"),
    ]


def on_shelf(filters: frozenset[str]) -> list[Condition]:
    """Conditions on `ShelfItem`: what the person can search, and the filters let through."""
    return [
        ShelfItem.user_id == VIEWER_ID,
        ShelfItem.visible,
        ShelfItem.saved_at <= MOMENT,
        *filter_conditions(filters),
    ]


def newest_on_shelf(
    columns: Sequence[InstrumentedAttribute[Any]],
    conditions: Sequence[Condition],
    limit: ColumnElement[int],
) -> Subquery:
    """Of what is archived and of what is not, one after the other: an index has each in order."""
    pages = []
    for archived in (false(), true()):
        page = (
            select(*columns)
            .where(*conditions, ShelfItem.archived == archived)
            .order_by(ShelfItem.saved_at.desc(), ShelfItem.media_id.desc())
            .limit(limit)
        )
        pages.append(select(page.subquery()))
    items = union_all(*pages).subquery()
    newest = items.c.saved_at.desc(), items.c.media_id.desc()
    return select(items).order_by(*newest).limit(limit).subquery()


def newest_items(wanted: Wanted) -> CTE:
    """The items to look at first, the newest first."""
    columns = (ShelfItem.media_id, ShelfItem.saved_at, ShelfItem.words)
    return materialized(
        select(newest_on_shelf(columns, on_shelf(wanted.filters), number(NEWEST))), "newest"
    )


def planned(filters: frozenset[str]) -> dict[str, Any]:
    """Without filters there is one good plan, whatever the words are."""
    return PLAN_EACH_TIME if filters else {}


def count(query: CTE | Query) -> ColumnElement[int]:
    """How many rows: as a condition on this names no others, it is decided before any is read."""
    rows = query if isinstance(query, CTE) else query.subquery()
    return select(func.count()).select_from(rows).scalar_subquery()


def constant(value: str) -> ColumnElement[str]:
    """Part of the statement, as `number` is. Must not need escaping."""
    return literal_column(f"'{value}'", Text())


def number(value: int) -> ColumnElement[int]:
    """Part of the statement: for a limit that it does not know, the planner expects too much."""
    return literal_column(str(value), Integer())


class _Written(TypeDecorator[str]):
    """An array as Postgres reads it: one value is sent, not hundreds."""

    impl = ARRAY
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> None:
        """What is written needs no work."""


def written(name: str, of: TypeEngine[Any]) -> ColumnElement[Any]:
    """An array sent in its written form, and read once: a cast would be made for each row."""
    return cast(bindparam(name, type_=_Written(of)), ARRAY(of))


def materialized(query: Query, name: str) -> CTE:
    """What is read once, whatever is made of it."""
    return query.cte(name).prefix_with("MATERIALIZED")
