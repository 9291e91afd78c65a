"""Finding what a search may return, with bounded work however much there is.

First the newest items of the person are looked at one by one. If these are all there are, or if
many of them match because the words are common, that is enough. Otherwise the index finds the
words: it reads the lists of the person's own libraries, and the newest of what it finds are looked
at. Of texts, a few of the newest show whether the words are common.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ARRAY, Row, Uuid, bindparam, select, text
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.orm import Session

from nexus.db.models import SearchPassage
from nexus.schemas.search import ResultType
from nexus.search.query_filters import Filters, Place
from nexus.services import search_statements as statements
from nexus.services.search_filters import Values, filter_values
from nexus.services.search_statements import ENOUGH, NEWEST, Wanted
from nexus.services.search_words import SearchWords
from nexus.services.viewer import Viewer

_SAMPLE = 30
"""Passages that show whether words are common."""
_STATEMENT_TIMEOUT_MS = 5_000

# What a person called an item, and what they marked in it, is worth more than what is written
# somewhere in it. All words one after the other are worth as much as being in the title.
_WORTH: dict[ResultType, float] = {"item": 1.0, "highlight": 0.5, "note": 0.5, "passage": 0.0}
_PHRASE_WORTH = 1.0

Rows = Sequence[Row[*tuple[Any, ...]]]
Statement = Callable[[Wanted], statements.Statement]


class Scope(NamedTuple):
    """What there is to search, the same for all pages of a search."""

    libraries: list[UUID]
    moment: datetime
    newest_passage: int
    items: int
    """How many, up to `NEWEST`."""
    highlights: int
    notes: int


class Found(NamedTuple):
    """Something that matches. Sorted in reverse, the best comes first."""

    score: float
    moment: datetime
    key: str
    type: ResultType
    media_id: UUID
    row: Row[*tuple[Any, ...]]


# A literal: for a limit that it does not know, the planner expects a tenth of the table.
_OWN = f"user_id = :viewer_id LIMIT {NEWEST}"
# A sequential scan would unpack the words of every row, which the planner takes to cost nothing.
# Statements without filters have one good plan: others, made for the words, may read what is not
# the person's own, and planning takes longer than most of them.
_SCOPE = text(
    "SELECT set_config('statement_timeout', :timeout, true),"  # noqa: S608 - no values in it
    " set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),"
    " set_config('plan_cache_mode', :plan, true),"
    " ARRAY(SELECT library_id FROM memberships WHERE user_id = :viewer_id) AS libraries,"
    " now() AS moment, (SELECT coalesce(max(id), 0) FROM search_passages) AS newest_passage,"
    f" (SELECT count(*) FROM (SELECT FROM shelf_items WHERE visible AND {_OWN}) own) AS items,"
    f" (SELECT count(*) FROM (SELECT FROM highlights WHERE {_OWN}) own) AS highlights,"
    f" (SELECT count(*) FROM (SELECT FROM annotations WHERE {_OWN}) own) AS notes"
).bindparams(bindparam("viewer_id", type_=Uuid()))
_WITH_EXCLUDED = (
    select(SearchPassage.media_id)
    .distinct()
    .where(
        SearchPassage.media_id == bindparam("media_ids", type_=ARRAY(Uuid)).any_(),
        SearchPassage.words.bool_op("@@")(bindparam("excluded", type_=TSQUERY())),
    )
)


def read_scope(session: Session, viewer: Viewer, filters: Filters) -> Scope:
    """What the person can search now. Bounds the statements of this transaction, too."""
    values = {
        "viewer_id": viewer.user_id,
        "timeout": str(_STATEMENT_TIMEOUT_MS),
        "plan": "auto" if filter_values(filters) else "force_generic_plan",
    }
    row = session.connection().execute(_SCOPE, values).one()
    return Scope(*row[-len(Scope._fields) :])


def find_all(session: Session, viewer: Viewer, words: SearchWords, scope: Scope) -> list[Found]:
    """All that matches, the best first; of each item, its best passage."""
    return _Finder(session, viewer, words, scope).find()


class _Finder:
    def __init__(self, session: Session, viewer: Viewer, words: SearchWords, scope: Scope) -> None:
        self._session = session
        # Rows need none of what the session does for entities.
        self._connection = session.connection()
        self._words = words
        self._scope = scope
        self._places = words.query.filters.places
        filters = filter_values(words.query.filters)
        self._filters = frozenset(filters)
        self._values: Values = {
            "viewer_id": viewer.user_id,
            "moment": scope.moment,
            **filters,
        }
        self._phrase = words.phrase()
        if self._phrase is not None:
            self._values["phrase"] = self._phrase

    def find(self) -> list[Found]:
        found = [*self._in_items(), *self._in_marks()]
        if self._words.query.excluded:
            found = self._without_excluded(found)
        return sorted(found, reverse=True)

    def _in_items(self) -> Iterator[Found]:
        if not self._looks_in("title"):
            return
        only_titles = bool(self._places)
        values = {"anywhere": self._words.anywhere(weights="A" if only_titles else "")}
        rows = self._execute(statements.newest_items, values, of=self._scope.items)
        items = [row for row in rows if row.passages is not None]
        items.sort(key=lambda item: (item.moment, item.media_id), reverse=True)
        by_index = [row for row in rows if row.passages is None]
        # Either the newest titles are enough, or the index has found these among others.
        titles = by_index or [item for item in items if item.rank is not None]
        for row in titles:
            yield self._found("item", row, str(row.media_id))
        if not only_titles:
            yield from self._in_texts(items, all_items=len(items) < NEWEST)

    def _in_texts(self, items: Rows, *, all_items: bool) -> Iterator[Found]:
        best: dict[UUID, Found] = {}
        for row in self._passages(items, all_items=all_items):
            found = self._found("passage", row, str(row.id))
            other = best.get(row.media_id)
            # Of equals, the first in the text.
            if other is None or (found.score, -row.id) > (other.score, -other.row.id):
                best[row.media_id] = found
        yield from best.values()

    def _passages(self, items: Rows, *, all_items: bool) -> Rows:
        queries = self._words.by_dictionary()
        values = {
            "newest_passage": self._scope.newest_passage,
            "dictionaries": _written(queries),
            "queries": _written(queries.values()),
        }
        texts = _first_texts(items, NEWEST)
        all_seen = all_items and len(texts) == len(items)
        # The index knows nothing of short prefixes: they are found in the newest texts alone.
        few = all_seen or self._words.has_short_prefix
        sample = texts if few else _first_texts(items, _SAMPLE)
        rows = self._execute(statements.passages, values | {"texts": _written(sample)})
        looked_at = sum(item.passages for item in items[: len(sample)])
        if len(sample) < len(texts) and len(rows) * NEWEST >= looked_at * ENOUGH:
            others = {"texts": _written(texts[len(sample) :])}
            rows = [*rows, *self._execute(statements.passages, values | others)]
        if not all_seen and len(rows) < ENOUGH and self._words.query.terms:
            values |= {"libraries": self._scope.libraries, "by_index": self._words.by_index()}
            rows = [*rows, *self._execute(statements.passages, values, of=NEWEST)]
        return rows

    def _in_marks(self) -> Iterator[Found]:
        values = {"anywhere": self._words.anywhere()}
        if self._looks_in("highlights") and self._scope.highlights:
            for row in self._execute(statements.highlights, values, of=self._scope.highlights):
                yield self._found("highlight", row, str(row.highlight_id))
        if self._looks_in("notes") and self._scope.notes:
            for row in self._execute(statements.notes, values, of=self._scope.notes):
                yield self._found("note", row, str(row.highlight_id))

    def _looks_in(self, place: Place) -> bool:
        return not self._places or place in self._places

    def _execute(self, statement: Statement, values: Values, *, of: int = 0) -> Rows:
        """The rows of a statement. The index is used for those who have more than the newest."""
        words = bool(self._words.query.terms)
        wanted = Wanted(
            filters=self._filters,
            words=words,
            phrase=self._phrase is not None,
            by_index=words and of >= NEWEST,
        )
        return self._connection.execute(statement(wanted), self._values | values).all()

    def _found(self, kind: ResultType, row: Row[*tuple[Any, ...]], key: str) -> Found:
        score = _WORTH[kind] + row.rank + (_PHRASE_WORTH if row.phrase else 0.0)
        return Found(round(score, 4), row.moment, key, kind, row.media_id, row)

    def _without_excluded(self, found: list[Found]) -> list[Found]:
        """Another passage of the same item may have what is excluded."""
        values = {
            "media_ids": list({each.media_id for each in found}),
            "excluded": self._words.excluded(),
        }
        unwanted = set(self._session.scalars(_WITH_EXCLUDED, values))
        return [each for each in found if each.media_id not in unwanted]


def _first_texts(items: Rows, most: int) -> list[UUID]:
    """As many of the items as have so many passages together."""
    texts, passages = [], 0
    for item in items:
        passages += item.passages
        if passages > most:
            break
        texts.append(item.media_id)
    return texts


def _written(values: Iterable[UUID | str]) -> str:
    """An array as Postgres reads it. Nothing in ids, names and queries needs escaping."""
    return "{" + ",".join(f'"{value}"' for value in values) + "}"
