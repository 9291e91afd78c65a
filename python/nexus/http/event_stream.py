"""Server-sent events whose source is held exactly as long as the connection."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

Subscription = Callable[[], AbstractContextManager[AsyncIterator[bytes]]]


class EventStream(Response):
    """Subscribes when it is sent, so a client that left before that holds nothing."""

    def __init__(self, subscription: Subscription) -> None:
        super().__init__()
        self._subscription = subscription

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._subscription() as events:
            stream = StreamingResponse(
                events, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
            )
            await stream(scope, receive, send)
