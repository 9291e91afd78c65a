"""A search without words: the items that its filters let through, the newest first."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.services.pagination import decode_cursor, encode_cursor
from nexus.services.search_filters import filter_values
from nexus.services.search_find import Scope, found_item
from nexus.services.search_results import build_results
from nexus.services.search_statements import listed_items
from nexus.services.search_words import SearchWords
from nexus.services.viewer import Viewer


def list_matching(
    session: Session,
    viewer: Viewer,
    words: SearchWords,
    scope: Scope,
    *,
    cursor: str | None,
    limit: int,
) -> dict[str, Any]:
    """A page of them; there is no end to the pages but that of the items."""
    filters = filter_values(words.query.filters)
    values = {
        "viewer_id": viewer.user_id,
        "moment": scope.moment,
        "libraries": scope.libraries,
        "rows": limit + 1,
        **filters,
    }
    excluded = {
        "excluded": words.excluded_words(),
        "excluded_phrases": words.excluded_phrases(),
    }
    values |= {name: query for name, query in excluded.items() if query}
    if cursor is not None:
        values["last_moment"], values["last_id"] = decode_cursor(cursor, (datetime, UUID))
    statement = listed_items(
        frozenset(filters),
        words=bool(excluded["excluded"]),
        phrases=bool(excluded["excluded_phrases"]),
        goes_on=cursor is not None,
    )
    rows = session.execute(statement, values).all()
    found = [found_item(row.media_id, row.moment) for row in rows[:limit]]
    results = [result for result in build_results(session, viewer, words, found) if result]
    last = found[-1] if len(rows) > limit else None
    return {
        "results": results,
        "next_cursor": encode_cursor((last.moment, last.media_id)) if last else None,
    }
