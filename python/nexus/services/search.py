"""Search in everything a person can read: titles, texts, their highlights and their notes."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from psycopg.errors import QueryCanceled
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from nexus.errors import InvalidRequestError
from nexus.search.query import Query, parse_query
from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.search_find import After, Finder, Found, Scope, read_scope
from nexus.services.search_list import list_matching
from nexus.services.search_results import build_results
from nexus.services.search_words import search_words
from nexus.services.viewer import Viewer

DEFAULT_RESULTS = 20

Builder = Callable[[Sequence[Found]], Iterable[dict[str, Any] | None]]


class _Position(NamedTuple):
    """After which result a page begins, and what was there when the first one was read."""

    newest_passage: int
    moment: datetime
    after: After


def search(
    session: Session, viewer: Viewer, *, text: str, cursor: str | None, limit: int
) -> dict[str, Any]:
    """The results of a query, the best first, in the form of `SearchResults`."""
    query = parse_query(text)
    if query.is_empty:
        return {"results": [], "next_cursor": None}
    try:
        return _search(session, viewer, query, cursor=cursor, limit=limit)
    except OperationalError as error:
        if not isinstance(error.orig, QueryCanceled):
            raise
        raise InvalidRequestError(
            "This search takes too long, because too much matches. Add a word that is less common.",
            code="E_SEARCH_TOO_BROAD",
        ) from None


def _search(
    session: Session, viewer: Viewer, query: Query, *, cursor: str | None, limit: int
) -> dict[str, Any]:
    scope = read_scope(session, viewer, query)
    words = search_words(session, query)
    if not query.terms and not query.filters.places:
        return list_matching(session, viewer, words, scope, cursor=cursor, limit=limit)
    fingerprint = _fingerprint(query)
    after = None
    if cursor is not None:
        newest_passage, moment, after = _position(cursor, fingerprint)
        scope = scope._replace(newest_passage=newest_passage, moment=moment)
    finder = Finder(session, viewer, words, scope)
    results, last = _page(finder, after, limit, partial(build_results, session, viewer, words))
    return {
        "results": results,
        "next_cursor": _cursor(fingerprint, scope, last) if last else None,
    }


def _page(
    finder: Finder, after: After | None, limit: int, build: Builder
) -> tuple[list[dict[str, Any]], After | None]:
    """So many results, and the last of them unless that is the very last."""
    results: list[dict[str, Any]] = []
    most = limit + 1
    while True:
        found = finder.find(after=after, most=most)
        for start in range(0, len(found), limit):
            batch = found[start : start + limit]
            for each, result in zip(batch, build(batch), strict=True):
                after = each.place
                if result is not None:
                    results.append(result)
                if len(results) == limit:
                    is_last = each is found[-1] and len(found) < most
                    return results, None if is_last else after
        if len(found) < most:
            return results, None
        # Much of what was found cannot be shown. To find is most of the work, however little.
        most *= 4


def _fingerprint(query: Query) -> str:
    return hashlib.sha256(repr(query).encode()).hexdigest()[:16]


def _cursor(fingerprint: str, scope: Scope, after: After) -> str:
    there_was = (str(scope.newest_passage), scope.moment)
    last = (str(after.last_score), after.last_moment, after.last_key)
    return encode_cursor((fingerprint, *there_was, *last))


def _position(cursor: str, fingerprint: str) -> _Position:
    of, newest, moment, score, found_at, key = decode_cursor(
        cursor, (str, str, datetime, str, datetime, str)
    )
    try:
        if of != fingerprint:
            raise ValueError("a cursor of another search")
        after = After(_within(score, 31), found_at, key)
        return _Position(_within(newest, 63), moment, after)
    except ValueError:
        raise InvalidRequestError(
            "cursor: this is not a cursor of this search. Start again without a cursor."
        ) from None


def _within(value: str, bits: int) -> int:
    """A number that the database can compare with its own."""
    number = int(value)
    if not 0 <= number < 1 << bits:
        raise ValueError("too large a number")
    return number
