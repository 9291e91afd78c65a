"""The session of a request: commits before the response leaves, rolls back on an error."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar
from fastapi import Depends, Request
from sqlalchemy.orm import Session

from nexus.db.after_commit import run_after_commit

T = TypeVar("T")

# Ending a transaction must never queue behind routes that wait for a connection, or the two
# would wait for each other: it has threads of its own.
_ENDING_THREADS = 8
_ending_limiter: RunVar[anyio.CapacityLimiter] = RunVar("ending_limiter")


async def get_session(request: Request) -> AsyncIterator[Session]:
    """A session for one request: committed when the route returns, rolled back when it raises."""
    async with request_transaction(request) as session:
        yield session


@asynccontextmanager
async def request_transaction(request: Request) -> AsyncIterator[Session]:
    """A transaction of its own, for what a dependency does before the route runs."""
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
        # Gives the connection back without a round trip: no thread is needed.
        session.close()


ReadingSessionDep = Annotated[Session, Depends(get_reading_session, scope="function")]


def in_transaction(factory: Callable[[], Session], action: Callable[[Session], T]) -> T:
    """For async code that needs a session only briefly."""
    with factory() as session, session.begin():
        return action(session)
