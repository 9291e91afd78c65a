"""Finding texts: the newest are looked at one by one, the others are found by the index.

To look at words means to read and unpack them, which the planner takes to cost nothing. So what is
looked at is chosen first.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    ARRAY,
    CTE,
    BigInteger,
    ColumnElement,
    Subquery,
    Text,
    Uuid,
    and_,
    any_,
    bindparam,
    case,
    cast,
    func,
    not_,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR, array, distinct_on
from sqlalchemy.sql.selectable import LateralFromClause

from nexus.db.models import SearchPassage, ShelfItem
from nexus.db.models.search import BUCKET_BITS, PASSAGE_BUCKETS
from nexus.search.dictionaries import NO_STEMS
from nexus.services.search_parts import (
    ENOUGH,
    MOST,
    MOST_WITH_PHRASES,
    NEWEST,
    Query,
    Wanted,
    constant,
    count,
    found_columns,
    materialized,
    number,
    on_shelf,
    score,
    written,
)

_SAMPLE = 15
"""Passages that show whether words are common."""
_COMMON = _SAMPLE * ENOUGH // NEWEST
"""If so many of them match, the newest ones have enough."""

_RECENT = 4
"""Buckets among which most words are found often enough: some 16,000 passages."""

IN_OWN_LIBRARIES = SearchPassage.library_ids.overlap(bindparam("libraries", type_=ARRAY(Uuid)))
_IN_RECENT_BUCKETS = PASSAGE_BUCKETS.overlap(bindparam("recent_buckets", type_=ARRAY(BigInteger)))
_NOT_LATER = SearchPassage.id <= bindparam("newest_passage", type_=BigInteger())
_PASSAGE = (
    SearchPassage.id,
    SearchPassage.media_id,
    SearchPassage.dictionary,
    SearchPassage.words,
)


def found_texts(wanted: Wanted, newest: CTE) -> Query:
    """Of each text with all the words its best passage."""
    near = _passages_of(newest)
    found = [*_in_newest(wanted, newest, near)]
    if "texts" in wanted.indexed:
        few = sum((count(each) for each in found[1:]), count(found[0])) < number(ENOUGH)
        by_index = _matching_on_shelf(_by_index(wanted), wanted)
        found.append(by_index.where(few, _there_are_more(newest, near)).cte("older"))
    every = union_all(*(select(each) for each in found)).subquery()
    # Of equals, the first in the text.
    best = (
        select(every)
        .ext(distinct_on(every.c.media_id))
        .order_by(every.c.media_id, every.c.score.desc(), every.c.id)
        .subquery()
    )
    return select(
        *found_columns(
            "passage",
            media_id=best.c.media_id,
            moment=best.c.saved_at,
            score=best.c.score,
            passage_id=best.c.id,
        )
    )


def _in_newest(wanted: Wanted, newest: CTE, near: CTE) -> Iterator[CTE]:
    """Those of the newest that match: of common words, and of those the index does not know."""
    if wanted.short_prefix or "texts" not in wanted.indexed:
        yield materialized(_matching(select(near).subquery(), wanted), "all")
        return
    first = select(near).limit(number(_SAMPLE)).subquery()
    sample = materialized(_matching(first, wanted), "sample")
    common = count(sample) >= number(_COMMON)
    look_on = or_(common, not_(_there_are_more(newest, near)))
    others = select(near).offset(number(_SAMPLE)).subquery()
    yield sample
    yield materialized(_matching(others, wanted).where(look_on), "others")


def _there_are_more(newest: CTE, near: CTE) -> ColumnElement[bool]:
    """Whether the newest are not all there are."""
    return or_(count(newest) >= number(NEWEST), count(near) >= number(NEWEST))


def _passages_of(newest: CTE) -> CTE:
    """Those of the newest items. Read one after the other, as far as anyone asks for them."""
    limit = number(NEWEST)
    # With a limit of its own, each item is looked up; otherwise the planner may read the table.
    passage = (
        select(*_PASSAGE)
        .where(SearchPassage.media_id == newest.c.media_id, _NOT_LATER)
        .limit(limit)
        .lateral()
    )
    query = select(passage, newest.c.saved_at).select_from(newest).join(passage, true())
    return materialized(query.limit(limit), "near")


def _by_index(wanted: Wanted) -> CTE:
    """The newest that the index finds: the words of others are not unpacked."""
    found = (
        IN_OWN_LIBRARIES,
        SearchPassage.words.bool_op("@@")(bindparam("by_index", type_=TSQUERY())),
        _NOT_LATER,
    )
    most = number(MOST_WITH_PHRASES if wanted.phrases else MOST)
    if not wanted.filters:
        # Not simply by id: to walk back through the table would be to look at everybody's.
        newest_first = (SearchPassage.id + number(0)).desc()
        newest = select(*_PASSAGE).where(*found).order_by(newest_first).limit(most)
        # Of a common word, an index finds thousands; to put all of them in order takes its time.
        recent = materialized(newest.where(_IN_RECENT_BUCKETS), "recent")
        enough = count(recent) >= most
        either = union_all(
            select(recent).where(enough), select(newest.subquery()).where(not_(enough))
        )
        return materialized(select(either.subquery()), "by_index")
    own = materialized(select(SearchPassage.id, SearchPassage.media_id).where(*found), "own")
    kept = and_(ShelfItem.media_id == own.c.media_id, *on_shelf(wanted.filters))
    newest = select(own.c.id).join(ShelfItem, kept).order_by(own.c.id.desc()).limit(most)
    return materialized(
        select(*_PASSAGE).where(SearchPassage.id.in_(newest.scalar_subquery())), "by_index"
    )


def recent_buckets(newest_passage: int) -> list[int]:
    """Where the newest passages are."""
    newest = newest_passage >> BUCKET_BITS
    return [newest - back for back in range(_RECENT)]


def _matching_on_shelf(pieces: CTE, wanted: Wanted) -> Query:
    """Those with all the words, and when the person saved them."""
    kept = and_(ShelfItem.media_id == pieces.c.media_id, *on_shelf(wanted.filters))
    return _look_at(pieces, wanted, ShelfItem.saved_at).join(ShelfItem, kept)


def _matching(pieces: Subquery, wanted: Wanted) -> Query:
    """Those with all the words."""
    return _look_at(pieces, wanted, pieces.c.saved_at)


def _look_at(pieces: CTE | Subquery, wanted: Wanted, moment: Any) -> Query:
    """Each by the dictionary it was read with."""
    dictionaries = written("dictionaries", Text())
    queries = (
        func.unnest(dictionaries, written("queries", TSQUERY()))
        .table_valued("dictionary", "query", name="queries")
        .render_derived()
    )
    query: ColumnElement[Any] = cast(queries.c.query, TSQUERY)
    # A dictionary without stems of its own finds the words themselves.
    known = pieces.c.dictionary == any_(dictionaries)
    dictionary = case((known, pieces.c.dictionary), else_=constant(NO_STEMS))
    unpacked = _unpacked(pieces)
    words = unpacked.c.words[number(1)]
    return (
        select(
            pieces.c.id,
            pieces.c.media_id,
            moment.label("saved_at"),
            score("passage", words, query, wanted),
        )
        .select_from(pieces)
        .join(queries, queries.c.dictionary == dictionary)
        .join(unpacked, true())
        .where(words.bool_op("@@")(query))
    )


def _unpacked(pieces: CTE | Subquery) -> LateralFromClause:
    """The words of a passage as the only one of an array, which contains them unpacked.

    Otherwise each function unpacks them for itself, and that takes longer than all the rest.
    """
    words: array[Any] = array([pieces.c.words], type_=ARRAY(TSVECTOR))
    # With an offset, the planner does not replace the column by what it is made of.
    return select(words.label("words")).offset(number(0)).correlate(pieces).lateral()
