"""The statements of search. Each is built once for each set of filters.

Each kind of results is found in two ways: among the newest, which are looked at one by one, and by
the index. What is looked at is chosen first (`MATERIALIZED`): to look at words means to read and
unpack them, which the planner takes to cost nothing. So does ranking them.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ARRAY,
    CTE,
    BigInteger,
    ColumnElement,
    CompoundSelect,
    DateTime,
    Integer,
    Select,
    Subquery,
    Text,
    Uuid,
    and_,
    any_,
    bindparam,
    case,
    cast,
    false,
    func,
    literal,
    null,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR, array
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.selectable import LateralFromClause
from sqlalchemy.types import TypeEngine

from nexus.db.models import Annotation, Fragment, Highlight, SearchPassage, ShelfItem
from nexus.db.plans import PLAN_EACH_TIME
from nexus.search.dictionaries import NO_STEMS
from nexus.services.media_personal import VIEWER_ID
from nexus.services.search_filters import filter_conditions

Condition = ColumnElement[bool] | InstrumentedAttribute[bool]
Statement = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]]

NEWEST = 150
"""Items, highlights or notes that are looked at one by one."""
MOST = 200
"""Of each type, among which the best are chosen."""
ENOUGH = 50
"""So many results are more than anyone looks through: older ones need not be found."""

# How close together the words are counts, and how long the text is.
_RANK = 1 | 32
_MOMENT = bindparam("moment", type_=DateTime(timezone=True))
_ANYWHERE = bindparam("anywhere", type_=TSQUERY())
_LAST_ID = bindparam("last_id", type_=Uuid())
_OWN = array([VIEWER_ID])

_PASSAGE = select(
    SearchPassage.id, SearchPassage.media_id, SearchPassage.dictionary, SearchPassage.words
)
_IN_OWN_LIBRARIES = SearchPassage.library_ids.overlap(bindparam("libraries", type_=ARRAY(Uuid)))
_NOT_LATER = SearchPassage.id <= bindparam("newest_passage", type_=BigInteger())


class Wanted(NamedTuple):
    """What makes one statement differ from another."""

    filters: frozenset[str]
    words: bool
    phrase: bool
    by_index: bool


@lru_cache(maxsize=256)
def newest_items(wanted: Wanted) -> Statement:
    """The items to look at first: the passages in each, and its rank if its title matches.

    In any order. If few titles match, those that the index finds are there, too, without a number
    of passages.
    """
    columns = (ShelfItem.media_id, ShelfItem.saved_at, ShelfItem.words)
    limit = literal(NEWEST, literal_execute=True)
    newest = _materialized(select(_newest_on_shelf(columns, _on_shelf(wanted.filters), limit)))
    matches = newest.c.words.bool_op("@@")(_ANYWHERE)
    passages = (
        select(func.count())
        .select_from(SearchPassage)
        .where(SearchPassage.media_id == newest.c.media_id)
        .scalar_subquery()
    )
    items = select(
        newest.c.media_id,
        newest.c.saved_at.label("moment"),
        passages.label("passages"),
        case((matches, func.ts_rank_cd(newest.c.words, _ANYWHERE, _RANK))).label("rank"),
        _phrase(newest.c.words, wanted),
    )
    if not wanted.by_index:
        return items.execution_options(**_planned(wanted.filters))
    more = _count(select(newest)) >= NEWEST
    few = _count(select(newest).where(matches)) < ENOUGH
    titles = _titles(wanted)
    by_index = select(
        titles.c.media_id,
        titles.c.saved_at,
        null(),
        func.ts_rank_cd(titles.c.words, _ANYWHERE, _RANK),
        _phrase(titles.c.words, wanted),
    ).where(more, few)
    return union_all(items, by_index).execution_options(**_planned(wanted.filters))


def _titles(wanted: Wanted) -> CTE:
    """Items by their titles, authors, sites and tags, as the index finds them."""
    item = ShelfItem
    return _materialized(
        select(item.media_id, item.saved_at, item.words)
        .where(
            array([item.user_id]).overlap(_OWN),
            item.words.bool_op("@@")(_ANYWHERE),
            item.visible,
            item.saved_at <= _MOMENT,
            *filter_conditions(wanted.filters),
        )
        .order_by(item.saved_at.desc())
        .limit(MOST)
    )


@lru_cache(maxsize=256)
def listed_items(
    filters: frozenset[str], *, excluding: bool, goes_on: bool
) -> Select[*tuple[Any, ...]]:
    """A page of all items that the filters let through, the newest first."""
    conditions = _on_shelf(filters)
    if excluding:
        excluded = bindparam("excluded", type_=TSQUERY())
        texts = select(SearchPassage.media_id).where(
            _IN_OWN_LIBRARIES, SearchPassage.words.bool_op("@@")(excluded)
        )
        conditions += [
            ~func.coalesce(ShelfItem.words.bool_op("@@")(excluded), false()),
            ShelfItem.media_id.not_in(texts),
        ]
    if goes_on:
        last = (bindparam("last_moment", type_=DateTime(timezone=True)), _LAST_ID)
        conditions.append(tuple_(ShelfItem.saved_at, ShelfItem.media_id) < tuple_(*last))
    columns = (ShelfItem.media_id, ShelfItem.saved_at)
    limit = bindparam("rows", type_=Integer(), literal_execute=True)
    page = _newest_on_shelf(columns, conditions, limit)
    return (
        select(page.c.media_id, page.c.saved_at.label("moment"))
        .order_by(page.c.saved_at.desc(), page.c.media_id.desc())
        .execution_options(**_planned(filters))
    )


def _newest_on_shelf(
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


@lru_cache(maxsize=256)
def passages(wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Texts with all the words, each by the dictionary it was read with."""
    pieces = _passages_by_index(wanted) if wanted.by_index else _passages_of_newest()
    dictionaries = _written("dictionaries", Text())
    queries = (
        func.unnest(dictionaries, _written("queries", TSQUERY()))
        .table_valued("dictionary", "query", name="queries")
        .render_derived()
    )
    query = cast(queries.c.query, TSQUERY)
    # A dictionary without stems of its own finds the words themselves.
    known = pieces.c.dictionary == any_(dictionaries)
    dictionary = case((known, pieces.c.dictionary), else_=NO_STEMS)
    unpacked = _unpacked(pieces)
    words = unpacked.c.words[1]
    return (
        select(
            pieces.c.id,
            pieces.c.media_id,
            ShelfItem.saved_at.label("moment"),
            func.ts_rank_cd(words, query, _RANK).label("rank"),
            _phrase(words, wanted),
        )
        .select_from(pieces)
        .join(queries, queries.c.dictionary == dictionary)
        .join(unpacked, true())
        .join(
            ShelfItem,
            and_(ShelfItem.media_id == pieces.c.media_id, *_on_shelf(wanted.filters)),
        )
        .where(words.bool_op("@@")(query))
        .execution_options(**_planned(wanted.filters))
    )


def _unpacked(pieces: CTE) -> LateralFromClause:
    """The words of a passage as the only one of an array, which contains them unpacked.

    Otherwise each function unpacks them for itself, and that takes longer than all the rest.
    """
    words: array[Any] = array([pieces.c.words], type_=ARRAY(TSVECTOR))
    # With an offset, the planner does not replace the column by what it is made of.
    query = select(words.label("words")).offset(literal(0, literal_execute=True))
    return query.correlate(pieces).lateral()


def _passages_of_newest() -> CTE:
    return _materialized(
        _PASSAGE.where(SearchPassage.media_id == any_(_written("texts", Uuid())), _NOT_LATER)
    )


def _passages_by_index(wanted: Wanted) -> CTE:
    """The newest that the index finds: the words of others are not unpacked."""
    found = (
        _IN_OWN_LIBRARIES,
        SearchPassage.words.bool_op("@@")(bindparam("by_index", type_=TSQUERY())),
        _NOT_LATER,
    )
    if not wanted.filters:
        # Not simply by id: to walk back through the table would be to look at everybody's.
        newest_first = (SearchPassage.id + 0).desc()
        return _materialized(_PASSAGE.where(*found).order_by(newest_first).limit(MOST))
    own = _materialized(select(SearchPassage.id, SearchPassage.media_id).where(*found))
    on_shelf = and_(ShelfItem.media_id == own.c.media_id, *_on_shelf(wanted.filters))
    newest = select(own.c.id).join(ShelfItem, on_shelf).order_by(own.c.id.desc()).limit(MOST)
    return _materialized(_PASSAGE.where(SearchPassage.id.in_(newest.scalar_subquery())))


@lru_cache(maxsize=256)
def highlights(wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """The person's highlights with all the words."""
    return _marks(wanted, Highlight, Highlight.exact)


@lru_cache(maxsize=256)
def notes(wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """The person's notes with all the words."""
    return _marks(wanted, Annotation, Annotation.body)


def _marks(
    wanted: Wanted, mark: type[Highlight] | type[Annotation], text: InstrumentedAttribute[str]
) -> Select[*tuple[Any, ...]]:
    newest = _chosen_marks(wanted, mark)
    rank = func.ts_rank_cd(newest.c.words, _ANYWHERE, _RANK) if wanted.words else literal(0.0)
    query = select(
        Fragment.media_id,
        Highlight.id.label("highlight_id"),
        Highlight.fragment_id,
        Highlight.start_offset,
        Highlight.end_offset,
        text.label("text"),
        newest.c.moment,
        rank.label("rank"),
        _phrase(newest.c.words, wanted),
    ).select_from(newest)
    if mark is Highlight:
        query = query.join(Highlight, Highlight.id == newest.c.id)
    else:
        query = query.join(Annotation, Annotation.id == newest.c.id)
        query = query.join(Highlight, Highlight.id == Annotation.highlight_id)
    query = query.join(Fragment, Fragment.id == Highlight.fragment_id).join(
        ShelfItem, and_(ShelfItem.media_id == Fragment.media_id, *_on_shelf(wanted.filters))
    )
    return query.execution_options(**_planned(wanted.filters))


def _chosen_marks(wanted: Wanted, mark: type[Highlight] | type[Annotation]) -> CTE:
    """Those of the newest that match; if they are few, what the index finds."""
    columns = (mark.id, mark.words, mark.created_at.label("moment"))
    marks = select(*columns).where(mark.created_at <= _MOMENT).order_by(mark.created_at.desc())
    newest = _materialized(marks.where(mark.user_id == VIEWER_ID).limit(NEWEST))
    if not wanted.words:
        return newest
    matching = _materialized(select(newest).where(newest.c.words.bool_op("@@")(_ANYWHERE)))
    if not wanted.by_index:
        return matching
    own = array([mark.user_id]).overlap(_OWN)
    by_index = marks.where(own, mark.words.bool_op("@@")(_ANYWHERE)).limit(MOST).subquery()
    few = _count(select(matching)) < ENOUGH
    return union_all(select(matching).where(~few), select(by_index).where(few)).cte()


def _count(query: Select[*tuple[Any, ...]]) -> ColumnElement[int]:
    """How many rows: as a condition on this names no others, it is decided before any is read."""
    return select(func.count()).select_from(query.subquery()).scalar_subquery()


def _on_shelf(filters: frozenset[str]) -> list[Condition]:
    return [
        ShelfItem.user_id == VIEWER_ID,
        ShelfItem.visible,
        ShelfItem.saved_at <= _MOMENT,
        *filter_conditions(filters),
    ]


def _planned(filters: frozenset[str]) -> dict[str, Any]:
    """Without filters there is one good plan, whatever the words are."""
    return PLAN_EACH_TIME if filters else {}


def _written(name: str, of: TypeEngine[Any]) -> ColumnElement[Any]:
    """An array in its written form: one value is sent, not hundreds."""
    return cast(bindparam(name, type_=Text()), ARRAY(of))


def _phrase(
    words: ColumnElement[Any] | InstrumentedAttribute[Any], wanted: Wanted
) -> ColumnElement[bool]:
    phrase = bindparam("phrase", type_=TSQUERY())
    return (words.bool_op("@@")(phrase) if wanted.phrase else false()).label("phrase")


def _materialized(query: Select[*tuple[Any, ...]]) -> CTE:
    return query.cte().prefix_with("MATERIALIZED")
