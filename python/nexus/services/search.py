"""Search in everything a person can read: titles, texts, their highlights and their notes."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from psycopg.errors import QueryCanceled
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from nexus.errors import InvalidRequestError
from nexus.schemas.search import SearchResult, SearchResults
from nexus.search.query import Query, parse_query
from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.search_find import Found, Scope, find_all, read_scope
from nexus.services.search_list import list_matching
from nexus.services.search_results import build_results
from nexus.services.search_words import SearchWords, search_words
from nexus.services.viewer import Viewer

DEFAULT_RESULTS = 20


class _Position(NamedTuple):
    """After which result a page begins, and what was there when the first one was read."""

    newest_passage: int
    moment: datetime
    score: float
    found_at: datetime
    key: str


def search(
    session: Session, viewer: Viewer, *, text: str, cursor: str | None, limit: int
) -> SearchResults:
    """The results of a query, the best first."""
    query = parse_query(text)
    if query.is_empty:
        return SearchResults(results=[], next_cursor=None)
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
) -> SearchResults:
    scope = read_scope(session, viewer, query.filters)
    words = search_words(session, query)
    if not query.terms and not query.filters.places:
        return list_matching(session, viewer, words, scope, cursor=cursor, limit=limit)
    fingerprint = _fingerprint(query)
    after = _position(cursor, fingerprint) if cursor is not None else None
    if after is not None:
        scope = scope._replace(newest_passage=after.newest_passage, moment=after.moment)
    found = find_all(session, viewer, words, scope)
    if after is not None:
        place = (after.score, after.found_at, after.key)
        found = [each for each in found if (each.score, each.moment, each.key) < place]
    results, last = _page(session, viewer, words, found, limit)
    more = last is not None and last is not found[-1]
    return SearchResults(
        results=results,
        next_cursor=_cursor(fingerprint, scope, last) if more and last else None,
    )


def _page(
    session: Session, viewer: Viewer, words: SearchWords, found: Sequence[Found], limit: int
) -> tuple[list[SearchResult], Found | None]:
    """So many results, and what the last one was found as."""
    results: list[SearchResult] = []
    last = None
    for start in range(0, len(found), limit):
        batch = found[start : start + limit]
        for each, result in zip(batch, build_results(session, viewer, words, batch), strict=True):
            if result is not None and len(results) < limit:
                results.append(result)
                last = each
        if len(results) == limit:
            break
    return results, last


def _fingerprint(query: Query) -> str:
    return hashlib.sha256(repr(query).encode()).hexdigest()[:16]


def _cursor(fingerprint: str, scope: Scope, last: Found) -> str:
    there_was = (str(scope.newest_passage), scope.moment)
    return encode_cursor((fingerprint, *there_was, str(last.score), last.moment, last.key))


def _position(cursor: str, fingerprint: str) -> _Position:
    of, newest, moment, score, found_at, key = decode_cursor(
        cursor, (str, str, datetime, str, datetime, str)
    )
    try:
        if of != fingerprint:
            raise ValueError("a cursor of another search")
        return _Position(int(newest), moment, float(score), found_at, key)
    except ValueError:
        raise InvalidRequestError(
            "cursor: this is not a cursor of this search. Start again without a cursor."
        ) from None
