"""Finding what a search may return, with bounded work however much there is.

First the newest items of the person are looked at one by one. If these are all there are, or if
many of them match because the words are common, that is enough. Otherwise the index finds the
words: it reads the lists of the person's own libraries, and the newest of what it finds are looked
at. Of texts, a few of the newest show whether the words are common. One statement does all of it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import Uuid, bindparam, text
from sqlalchemy.orm import Session

from nexus.db.direct import Direct
from nexus.schemas.search import ResultType
from nexus.search.query import Query
from nexus.search.query_filters import Filters
from nexus.services.search_filters import Values, filter_values
from nexus.services.search_parts import NEWEST, Place, Wanted
from nexus.services.search_statements import best_found
from nexus.services.search_texts import recent_buckets
from nexus.services.search_words import SearchWords
from nexus.services.viewer import Viewer

_TIMEOUT_MS = 5_000
# To leave out a phrase that nearly all texts have means to look at all of them.
_TIMEOUT_WITHOUT_WORDS_MS = 900
_PLACES: dict[str, Place] = {"title": "titles", "highlights": "highlights", "notes": "notes"}


class Scope(NamedTuple):
    """What there is to search, the same for all pages of a search."""

    libraries: list[UUID]
    moment: datetime
    newest_passage: int
    items: int
    """How many, up to `NEWEST`."""
    highlights: int
    notes: int
    passages: int


class After(NamedTuple):
    """A place among what was found, the best first."""

    last_score: int
    last_moment: datetime
    last_key: str


class Found(NamedTuple):
    """Something that matches, and where in the item it is."""

    type: ResultType
    media_id: UUID
    moment: datetime
    score: int
    key: str
    """Of two with the same score and moment, the greater one is first."""
    highlight_id: UUID | None
    fragment_id: UUID | None
    start_offset: int | None
    end_offset: int | None
    dictionary: str | None
    text: str | None
    """Of a highlight or a note, or with a passage in it."""
    text_start: int | None
    """Where that text begins in the fragment of a passage."""

    @property
    def place(self) -> After:
        """Where it is among all that was found."""
        return After(self.score, self.moment, self.key)


def found_item(media_id: UUID, moment: datetime) -> Found:
    """An item as it is listed."""
    return Found("item", media_id, moment, 0, str(media_id), *[None] * 7)


# A literal: for a limit that it does not know, the planner expects a tenth of the table.
_OWN = f"user_id = :viewer_id LIMIT {NEWEST}"
_ITEMS = f"(SELECT media_id FROM shelf_items WHERE visible AND {_OWN}) own"  # noqa: S608
# Looked up for one item after the other: joined, those of everybody may be read.
_OF_ITEM = f"(SELECT FROM search_passages WHERE media_id = own.media_id LIMIT {NEWEST}) passage"
# A sequential scan would unpack the words of every row, which the planner takes to cost nothing.
# Statements without filters have one good plan: others, made for the words, may read what is not
# the person's own, and planning takes longer than most of them.
_SCOPE = Direct(
    text(
        "SELECT set_config('statement_timeout', :timeout, true),"  # noqa: S608 - no values in it
        " set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),"
        " set_config('plan_cache_mode', :plan, true),"
        " ARRAY(SELECT library_id FROM memberships WHERE user_id = :viewer_id) AS libraries,"
        " now() AS moment, (SELECT coalesce(max(id), 0) FROM search_passages) AS newest_passage,"
        " items.count AS items,"
        f" (SELECT count(*) FROM (SELECT FROM highlights WHERE {_OWN}) own) AS highlights,"
        f" (SELECT count(*) FROM (SELECT FROM annotations WHERE {_OWN}) own) AS notes,"
        f" CASE WHEN items.count < {NEWEST} THEN"
        f" (SELECT coalesce(sum((SELECT count(*) FROM {_OF_ITEM})), 0) FROM {_ITEMS})"
        f" ELSE {NEWEST} END AS passages FROM (SELECT count(*) FROM {_ITEMS}) items"
    ).bindparams(bindparam("viewer_id", type_=Uuid()))
)


def read_scope(session: Session, viewer: Viewer, query: Query) -> Scope:
    """What the person can search now. Bounds the statements of this transaction, too."""
    looks_at_all = not query.terms and any(len(term.words) > 1 for term in query.excluded)
    values = {
        "viewer_id": viewer.user_id,
        "timeout": str(_TIMEOUT_WITHOUT_WORDS_MS if looks_at_all else _TIMEOUT_MS),
        "plan": "auto" if filter_values(query.filters) else "force_generic_plan",
    }
    [row] = _SCOPE.rows(session, values)
    return Scope(*row[-len(Scope._fields) :])


class Finder:
    """Finds what matches, page by page."""

    def __init__(self, session: Session, viewer: Viewer, words: SearchWords, scope: Scope) -> None:
        self._session = session
        filters = filter_values(words.query.filters)
        phrase, excluded = words.phrase(), words.excluded()
        places = _places(words.query.filters, scope)
        self._wanted = Wanted(
            filters=frozenset(filters),
            places=places,
            indexed=_indexed(scope) & places if words.query.terms else frozenset(),
            words=bool(words.query.terms),
            phrases=any(len(term.words) > 1 for term in words.query.terms),
            phrase=phrase is not None,
            excluding=bool(excluded),
            short_prefix=words.has_short_prefix,
            goes_on=False,
        )
        self._values: Values = {
            "viewer_id": viewer.user_id,
            "moment": scope.moment,
            "titles": words.anywhere(weights="A" if words.query.filters.places else ""),
            "anywhere": words.anywhere(),
            **filters,
        }
        if phrase is not None:
            self._values["phrase"] = phrase
        if excluded:
            self._values["excluded"] = excluded
        if "texts" in places:
            self._values |= _values_of_texts(words, scope)

    def find(self, *, after: After | None, most: int) -> Sequence[Found]:
        """The best that come after a place; of each item, its best passage."""
        if not self._wanted.places:
            return []
        wanted = self._wanted._replace(goes_on=after is not None)
        values = {**self._values, "rows": most, **(after._asdict() if after else {})}
        return [Found._make(row) for row in _statement(wanted).rows(self._session, values)]


@lru_cache(maxsize=256)
def _statement(wanted: Wanted) -> Direct:
    """Kept: SQLAlchemy takes its time to build one of this size, and to recognise it."""
    return Direct(best_found(wanted))


def _places(filters: Filters, scope: Scope) -> frozenset[Place]:
    """What to look in; nothing is looked for where there is nothing."""
    places = {_PLACES[place] for place in filters.places}
    empty = {
        name for name, has in (("highlights", scope.highlights), ("notes", scope.notes)) if not has
    }
    return frozenset((places or {"titles", "texts", "highlights", "notes"}) - empty)


def _indexed(scope: Scope) -> frozenset[Place]:
    """The index is used for those who have more than the newest."""
    there_are: dict[Place, int] = {
        "titles": scope.items,
        "texts": scope.passages,
        "highlights": scope.highlights,
        "notes": scope.notes,
    }
    return frozenset(place for place, number in there_are.items() if number >= NEWEST)


def _values_of_texts(words: SearchWords, scope: Scope) -> Values:
    queries = words.by_dictionary()
    return {
        "newest_passage": scope.newest_passage,
        "recent_buckets": recent_buckets(scope.newest_passage),
        "dictionaries": _written(queries),
        "queries": _written(queries.values()),
        "libraries": scope.libraries,
        "by_index": words.by_index(),
    }


def _written(values: Iterable[str]) -> str:
    """An array as Postgres reads it. Nothing in names and queries needs escaping."""
    return "{" + ",".join(f'"{value}"' for value in values) + "}"
