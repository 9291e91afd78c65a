"""Responses that are read from the database while they are sent, in one transaction."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import anyio
from fastapi import Request
from sqlalchemy.orm import Session
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from nexus.http.session import in_ending_thread

# Longer than any line that gets anywhere: a reader that stands still must not hold a snapshot.
_MAX_SECONDS = 6 * 3600


class SessionStream:
    """A session, and what else is to be let go of when the response has ended."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._end = ExitStack()
        self._end.callback(session.close)

    def at_end(self, action: Callable[[], None]) -> None:
        self._end.callback(action)

    def response(self, chunks: Iterator[bytes], headers: dict[str, str]) -> StreamingResponse:
        return _Response(chunks, headers=headers, end=self.close)

    def close(self) -> None:
        self._end.close()


@contextmanager
def session_stream(request: Request) -> Iterator[SessionStream]:
    """For a block that ends with the response, or raises before there is one."""
    stream = SessionStream(request.app.state.session_factory())
    try:
        yield stream
    except BaseException:
        stream.close()
        raise


class _Response(StreamingResponse):
    """If it breaks off, so does the connection: nobody takes a part for the whole."""

    def __init__(
        self, chunks: Iterator[bytes], *, headers: dict[str, str], end: Callable[[], None]
    ) -> None:
        super().__init__(chunks, headers=headers)
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with anyio.fail_after(_MAX_SECONDS):
                await super().__call__(scope, receive, send)
        finally:
            # A rollback, on a thread that no other request waits for.
            await in_ending_thread(self._end)
