"""The session of a request: commits before the response leaves, rolls back on an error."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import wraps
from inspect import iscoroutinefunction
from typing import Annotated, Any, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar
from fastapi import Depends, Request
from fastapi.routing import APIRoute
from sqlalchemy.orm import Session

from nexus.db.after_commit import run_after_commit
from nexus.db.lean_sessions import ReadingSession

T = TypeVar("T")

# Ending a transaction must never queue behind routes that wait for a connection, or the two
# would wait for each other: it has threads of its own.
_ENDING_THREADS = 8
_ENDED = "nexus_ended"
_ending_limiter: RunVar[anyio.CapacityLimiter] = RunVar("ending_limiter")


async def get_session(request: Request) -> AsyncIterator[Session]:
    """A session for one request: committed when the route returns, rolled back when it raises."""
    session: Session = request.app.state.session_factory()
    try:
        yield session
    except BaseException:
        # Closing rolls back.
        await in_ending_thread(session.close)
        raise
    if session.info.get(_ENDED):
        # Its connection is back in the pool: nothing here waits for Postgres.
        session.close()
        return
    await in_ending_thread(lambda: _commit_and_close(session))


request_transaction = asynccontextmanager(get_session)
"""A transaction of its own, for what a dependency does before the route runs."""


def _commit_and_close(session: Session) -> None:
    with session:
        _commit(session)


def _commit(session: Session) -> None:
    session.commit()
    session.info[_ENDED] = True
    run_after_commit(session)


class TransactionRoute(APIRoute):
    """Commits in the thread that ran the route, which spares the hand-over to another.

    That thread waits for nobody. What fails is ended by the session's dependency, as routes of
    other classes are.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _committing(endpoint), **options)


def _committing(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    if iscoroutinefunction(endpoint):
        return endpoint

    @wraps(endpoint)
    def run(**values: Any) -> Any:
        result = endpoint(**values)
        session = values.get("session")
        if isinstance(session, Session) and not isinstance(session, ReadingSession):
            _commit(session)
        return result

    return run


async def in_ending_thread(action: Callable[[], None]) -> None:
    """For what must be done whatever happens to the request, such as ending its transaction."""
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
        # Gives the connection back without a round trip: no thread is needed.
        session.close()


ReadingSessionDep = Annotated[Session, Depends(get_reading_session, scope="function")]


def in_transaction(factory: Callable[[], Session], action: Callable[[Session], T]) -> T:
    """For async code that needs a session only briefly."""
    with factory() as session:
        result = action(session)
        session.commit()
        return result
