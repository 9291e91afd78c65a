"""What routes depend on: a session that commits before the answer leaves, and the viewer."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar
from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from nexus.auth.tokens import Authenticator, Identity
from nexus.db.after_commit import run_after_commit
from nexus.errors import UnauthenticatedError
from nexus.services.pagination import DEFAULT_LIMIT, MAX_LIMIT
from nexus.services.users import viewer_for
from nexus.services.viewer import KnownViewers, Viewer
from nexus.storage import StorageClient, get_storage_client

# Ending a transaction must never queue behind routes that wait for a connection, or the two
# would wait for each other: it has threads of its own.
_ENDING_THREADS = 8
_ending_limiter: RunVar[anyio.CapacityLimiter] = RunVar("ending_limiter")

_bearer = HTTPBearer(auto_error=False, description="A token of a configured issuer")


async def get_session(request: Request) -> AsyncIterator[Session]:
    """A session for one request: committed when the route returns, rolled back when it raises."""
    async with _transaction(request) as session:
        yield session


@asynccontextmanager
async def _transaction(request: Request) -> AsyncIterator[Session]:
    session: Session = request.app.state.session_factory()
    try:
        yield session
    except BaseException:
        # Closing rolls back.
        await _in_ending_thread(session.close)
        raise
    await _in_ending_thread(lambda: _commit_and_close(session))


def _commit_and_close(session: Session) -> None:
    with session:
        session.commit()
        run_after_commit(session)


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


async def get_reading_session(request: Request) -> AsyncIterator[Session]:
    """A session for a route that changes nothing: no transaction to begin or end."""
    session: Session = request.app.state.reading_session_factory()
    try:
        yield session
    finally:
        # Gives the connection back, which asks nothing of the server: no thread is needed.
        session.close()


ReadingSessionDep = Annotated[Session, Depends(get_reading_session, scope="function")]


async def get_identity(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Identity:
    """Whom the bearer token speaks for, without asking the database."""
    if credentials is None:
        raise UnauthenticatedError
    authenticator: Authenticator = request.app.state.authenticator
    token = credentials.credentials
    if authenticator.may_fetch_keys:
        return await anyio.to_thread.run_sync(authenticator.authenticate, token)
    # Quicker done than handed to a thread.
    return authenticator.authenticate(token)


IdentityDep = Annotated[Identity, Depends(get_identity)]


async def get_viewer(request: Request, identity: IdentityDep) -> Viewer:
    """The person the bearer token speaks for, made on first sight."""
    known: KnownViewers = request.app.state.known_viewers
    library_id = known.default_library_id(identity.user_id)
    if library_id is not None:
        return Viewer(identity.user_id, identity.email, library_id)
    async with _transaction(request) as session:
        return await anyio.to_thread.run_sync(viewer_for, session, identity, known)


ViewerDep = Annotated[Viewer, Depends(get_viewer)]


def get_storage(request: Request) -> StorageClient:
    return get_storage_client(request.app.state.settings)


StorageDep = Annotated[StorageClient, Depends(get_storage)]

CursorParam = Annotated[
    str | None, Query(max_length=2048, description="`next_cursor` of the page before")
]
LimitParam = Annotated[int, Query(ge=1, le=MAX_LIMIT)]
DEFAULT_PAGE = DEFAULT_LIMIT
