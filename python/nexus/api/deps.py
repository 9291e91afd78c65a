"""What routes depend on: a session that commits before the answer leaves, and the viewer."""

from collections.abc import AsyncIterator
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from nexus.auth.tokens import Authenticator
from nexus.db.after_commit import run_after_commit
from nexus.errors import UnauthenticatedError
from nexus.services.pagination import DEFAULT_LIMIT, MAX_LIMIT
from nexus.services.users import viewer_for
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient, get_storage_client

# Ending a transaction must never queue behind routes that wait for a connection, or the two
# would wait for each other: it has threads of its own.
_ENDING_THREADS = 8
_ending_limiter: anyio.CapacityLimiter | None = None

_bearer = HTTPBearer(auto_error=False, description="A token of a configured issuer")


async def get_session(request: Request) -> AsyncIterator[Session]:
    """A session for one request: committed when the route returns, rolled back when it raises."""
    session: Session = request.app.state.session_factory()
    try:
        yield session
    except BaseException:
        await _in_ending_thread(session.rollback)
        raise
    else:
        await _in_ending_thread(lambda: _commit(session))
    finally:
        await _in_ending_thread(session.close)


def _commit(session: Session) -> None:
    session.commit()
    run_after_commit(session)


async def _in_ending_thread(action) -> None:  # type: ignore[no-untyped-def]
    global _ending_limiter
    if _ending_limiter is None:
        _ending_limiter = anyio.CapacityLimiter(_ENDING_THREADS)
    with anyio.CancelScope(shield=True):
        await anyio.to_thread.run_sync(action, limiter=_ending_limiter)


# scope="function": the commit happens before the response is sent, so a failed commit can never
# look like a success.
SessionDep = Annotated[Session, Depends(get_session, scope="function")]


def get_viewer(
    request: Request,
    session: SessionDep,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Viewer:
    """The person the bearer token speaks for."""
    if credentials is None:
        raise UnauthenticatedError
    authenticator: Authenticator = request.app.state.authenticator
    return viewer_for(session, authenticator.authenticate(credentials.credentials))


ViewerDep = Annotated[Viewer, Depends(get_viewer, scope="function")]


def get_storage(request: Request) -> StorageClient:
    return get_storage_client(request.app.state.settings)


StorageDep = Annotated[StorageClient, Depends(get_storage)]

CursorParam = Annotated[
    str | None, Query(max_length=2048, description="`next_cursor` of the page before")
]
LimitParam = Annotated[int, Query(ge=1, le=MAX_LIMIT)]
DEFAULT_PAGE = DEFAULT_LIMIT
