"""The statements of search.

Each kind of results is found in two ways: among the newest, which are looked at one by one, and by
the index. What is looked at is chosen first (`MATERIALIZED`): to look at words means to read and
unpack them, which the planner takes to cost nothing. So does ranking them.
"""

from functools import lru_cache
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
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
    false,
    func,
    not_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import TSQUERY, array

from nexus.db.models import Annotation, Fragment, Highlight, SearchPassage, ShelfItem
from nexus.schemas.search import ResultType
from nexus.search.passages import MAX_LENGTH
from nexus.services.media_personal import VIEWER_ID
from nexus.services.search_filters import filter_conditions
from nexus.services.search_parts import (
    ANYWHERE,
    ENOUGH,
    IN_TITLES,
    MOMENT,
    MOST,
    NEWEST,
    OWN,
    Query,
    Wanted,
    constant,
    count,
    found_columns,
    materialized,
    newest_items,
    newest_on_shelf,
    number,
    on_shelf,
    planned,
    score,
)
from nexus.services.search_texts import IN_OWN_LIBRARIES, found_texts

_LAST_ID = bindparam("last_id", type_=Uuid())
_ROWS = bindparam("rows", type_=Integer())
_EXCLUDED = bindparam("excluded", type_=TSQUERY())
_EXCLUDED_PHRASES = bindparam("excluded_phrases", type_=TSQUERY())


def best_found(wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """The best of all that matches, from a place on, and where in the item each is."""
    every = materialized(select(union_all(*_found(wanted)).subquery()), "found")
    query = select(every)
    if wanted.goes_on:
        last = (
            bindparam("last_score", type_=Integer()),
            bindparam("last_moment", type_=DateTime(timezone=True)),
            bindparam("last_key", type_=Text()),
        )
        query = query.where(tuple_(every.c.score, every.c.moment, every.c.key) < tuple_(*last))
    if wanted.excluding:
        query = query.where(every.c.media_id.not_in(_with_excluded(every)))
    best_first = every.c.score.desc(), every.c.moment.desc(), every.c.key.desc()
    best = materialized(query.order_by(*best_first).limit(_ROWS), "best")
    return _with_places(best).execution_options(**planned(wanted.filters))


def _with_excluded(found: CTE) -> Query:
    """Items that have what is excluded, perhaps in another passage than the one that was found."""
    items = func.array(select(found.c.media_id).distinct().scalar_subquery())
    return select(SearchPassage.media_id).where(
        SearchPassage.media_id == any_(items), SearchPassage.words.bool_op("@@")(_EXCLUDED)
    )


def _found(wanted: Wanted) -> list[Query]:
    """What is looked for in each place."""
    found = []
    if {"titles", "texts"} & wanted.places:
        newest = newest_items(wanted)
        found.append(_found_titles(wanted, newest))
        if "texts" in wanted.places:
            found.append(found_texts(wanted, newest))
    if "highlights" in wanted.places:
        found.append(_found_marks(wanted, "highlight"))
    if "notes" in wanted.places:
        found.append(_found_marks(wanted, "note"))
    return found


def _with_places(best: CTE) -> Select[*tuple[Any, ...]]:
    """Where a passage is and what it says is read for those that are shown."""
    passage, mark = SearchPassage, Highlight
    part = func.substr(
        Fragment.canonical_text,
        passage.start_offset + number(1),
        passage.end_offset - passage.start_offset,
    )
    # Postgres counts the characters of a text to cut it, which takes longer than to send it.
    short = Fragment.length <= number(MAX_LENGTH)
    text = case(
        (best.c.type == constant("passage"), case((short, Fragment.canonical_text), else_=part)),
        (best.c.type == constant("highlight"), mark.exact),
        (best.c.type == constant("note"), Annotation.body),
    )
    return (
        select(
            best.c.type,
            best.c.media_id,
            best.c.moment,
            best.c.score,
            best.c.key,
            best.c.highlight_id,
            func.coalesce(passage.fragment_id, mark.fragment_id).label("fragment_id"),
            func.coalesce(passage.start_offset, mark.start_offset).label("start_offset"),
            func.coalesce(passage.end_offset, mark.end_offset).label("end_offset"),
            passage.dictionary,
            text.label("text"),
            case((short, number(0)), else_=passage.start_offset).label("text_start"),
        )
        .select_from(best)
        .outerjoin(passage, passage.id == best.c.passage_id)
        .outerjoin(Fragment, Fragment.id == passage.fragment_id)
        .outerjoin(mark, mark.id == best.c.highlight_id)
        .outerjoin(
            Annotation, and_(Annotation.highlight_id == mark.id, best.c.type == constant("note"))
        )
        .order_by(best.c.score.desc(), best.c.moment.desc(), best.c.key.desc())
    )


def _found_titles(wanted: Wanted, newest: CTE) -> Query:
    """Items by their titles, authors, sites and tags."""
    matching = materialized(select(newest).where(newest.c.words.bool_op("@@")(IN_TITLES)), "titled")
    chosen = matching
    if "titles" in wanted.indexed:
        few = and_(count(newest) >= number(NEWEST), count(matching) < number(ENOUGH))
        item = ShelfItem
        by_index = (
            select(item.media_id, item.saved_at, item.words)
            .where(
                array([item.user_id]).overlap(OWN),
                item.words.bool_op("@@")(IN_TITLES),
                item.visible,
                item.saved_at <= MOMENT,
                *filter_conditions(wanted.filters),
            )
            .order_by(item.saved_at.desc())
            .limit(number(MOST))
            .subquery()
        )
        chosen = _either(matching, by_index, few, "titles")
    return select(
        *found_columns(
            "item",
            media_id=chosen.c.media_id,
            moment=chosen.c.saved_at,
            score=score("item", chosen.c.words, IN_TITLES, wanted),
        )
    )


def _found_marks(wanted: Wanted, kind: ResultType) -> Query:
    """The person's highlights or notes with all the words."""
    chosen = _chosen_marks(wanted, kind)
    kept = and_(ShelfItem.media_id == Fragment.media_id, *on_shelf(wanted.filters))
    columns = found_columns(
        kind,
        media_id=Fragment.media_id,
        moment=chosen.c.moment,
        score=score(kind, chosen.c.words, ANYWHERE, wanted),
        highlight_id=chosen.c.highlight_id,
    )
    return (
        select(*columns)
        .select_from(chosen)
        .join(Highlight, Highlight.id == chosen.c.highlight_id)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .join(ShelfItem, kept)
    )


def _chosen_marks(wanted: Wanted, kind: ResultType) -> CTE:
    """Those of the newest that match; if they are few, what the index finds."""
    mark = Highlight if kind == "highlight" else Annotation
    highlight_id = Highlight.id if kind == "highlight" else Annotation.highlight_id
    columns = (
        highlight_id.label("highlight_id"),
        mark.words,
        mark.created_at.label("moment"),
    )
    marks = select(*columns).where(mark.created_at <= MOMENT).order_by(mark.created_at.desc())
    own = marks.where(mark.user_id == VIEWER_ID).limit(number(NEWEST))
    newest = materialized(own, f"newest_{kind}s")
    if not wanted.words:
        return newest
    matching = materialized(
        select(newest).where(newest.c.words.bool_op("@@")(ANYWHERE)), f"matching_{kind}s"
    )
    if f"{kind}s" not in wanted.indexed:
        return matching
    by_index = (
        marks.where(array([mark.user_id]).overlap(OWN), mark.words.bool_op("@@")(ANYWHERE))
        .limit(number(MOST))
        .subquery()
    )
    few = count(matching) < number(ENOUGH)
    return _either(matching, by_index, few, f"{kind}s_found")


def _either(newest: CTE, by_index: Subquery, few: ColumnElement[bool], name: str) -> CTE:
    """What the index finds has the newest among it."""
    return union_all(select(newest).where(not_(few)), select(by_index).where(few)).cte(name)


@lru_cache(maxsize=256)
def listed_items(
    filters: frozenset[str], *, words: bool, phrases: bool, goes_on: bool
) -> Select[*tuple[Any, ...]]:
    """A page of all items that the filters let through, the newest first, without some `words` or
    `phrases`.
    """
    conditions = on_shelf(filters)
    if words:
        texts = select(SearchPassage.media_id).where(
            IN_OWN_LIBRARIES, SearchPassage.words.bool_op("@@")(_EXCLUDED)
        )
        conditions += [_is_not_called(_EXCLUDED), ShelfItem.media_id.not_in(texts)]
    if phrases:
        # To look at all texts with the words takes seconds: item by item, until the page is full.
        # With an offset the planner leaves it at that.
        of_item = select(SearchPassage.id).where(
            SearchPassage.media_id == ShelfItem.media_id,
            SearchPassage.words.bool_op("@@")(_EXCLUDED_PHRASES),
        )
        conditions += [_is_not_called(_EXCLUDED_PHRASES), ~of_item.offset(number(0)).exists()]
    if goes_on:
        last = (bindparam("last_moment", type_=DateTime(timezone=True)), _LAST_ID)
        conditions.append(tuple_(ShelfItem.saved_at, ShelfItem.media_id) < tuple_(*last))
    columns = (ShelfItem.media_id, ShelfItem.saved_at)
    limit = bindparam("rows", type_=Integer(), literal_execute=True)
    page = newest_on_shelf(columns, conditions, limit)
    return (
        select(page.c.media_id, page.c.saved_at.label("moment"))
        .order_by(page.c.saved_at.desc(), page.c.media_id.desc())
        .execution_options(**planned(filters))
    )


def _is_not_called(query: ColumnElement[Any]) -> ColumnElement[bool]:
    return ~func.coalesce(ShelfItem.words.bool_op("@@")(query), false())
