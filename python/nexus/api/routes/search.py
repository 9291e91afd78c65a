"""Search."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from nexus.api.deps import CursorParam, LimitParam, ViewerDep
from nexus.http.envelope import Envelope, success_response
from nexus.http.session import SessionDep, TransactionRoute
from nexus.schemas.search import SearchResults
from nexus.services import search as searching

router = APIRouter(tags=["search"], route_class=TransactionRoute)


@router.get("/search", response_model=Envelope[SearchResults])
def search(
    session: SessionDep,
    viewer: ViewerDep,
    q: Annotated[
        str,
        Query(
            description='Words, "phrases", -without, prefix*, and the filters `tag:`, '
            "`in:highlights|notes|title`, `kind:`, `site:`, `author:`, `is:`, `before:`, `after:`"
        ),
    ],
    cursor: CursorParam = None,
    limit: LimitParam = searching.DEFAULT_RESULTS,
) -> Response:
    """Everything the viewer can read, and their highlights and notes, ranked.

    `E_SEARCH_INVALID` says what of the query was not understood.
    """
    result = searching.search(session, viewer, text=q, cursor=cursor, limit=limit)
    return success_response(result)
