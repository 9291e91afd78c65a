"""What routes depend on: a session that commits before the answer leaves, and the viewer."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar
from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from nexus.auth.tokens import Authenticator
from nexus.errors import UnauthenticatedError
from nexus.services.pagination import DEFAULT_LIMIT, MAX_LIMIT
from nexus.services.users import Viewer, viewer_for

# Ending a transaction must never queue behind routes that wait for a connection, or the two
# would wait for each other: it has threads of its own.
_ENDING_THREADS = 8
_ending_limiter: RunVar[anyio.CapacityLimiter] = RunVar("ending_limiter")

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
        await _in_ending_thread(session.commit)
    finally:
        await _in_ending_thread(session.close)


async def _in_ending_thread(action: Callable[[], None]) -> None:
    try:
        limiter = _ending_limiter.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(_ENDING_THREADS)
        _ending_limiter.set(limiter)
    with anyio.CancelScope(shield=True):
        await anyio.to_thread.run_sync(action, limiter=limiter)


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

CursorParam = Annotated[
    str | None, Query(max_length=2048, description="`next_cursor` of the page before")
]
LimitParam = Annotated[int, Query(ge=1, le=MAX_LIMIT)]
DEFAULT_PAGE = DEFAULT_LIMIT
