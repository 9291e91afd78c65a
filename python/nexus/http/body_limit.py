"""ASGI middleware: no request body grows past a limit, whatever its headers claim."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nexus.errors import TooLargeError
from nexus.http.envelope import error_response

MAX_BODY_BYTES = 1024 * 1024


class BodyLimitMiddleware:
    """Counts the body as it streams in.

    Routes under `exempt_prefix`, and those that take a file by POST, limit it themselves.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        limit: int = MAX_BODY_BYTES,
        exempt_prefix: str | None = None,
        file_paths: frozenset[str] = frozenset(),
    ) -> None:
        self.app = app
        self.limit = limit
        self.exempt_prefix = exempt_prefix
        self.file_paths = file_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._exempt(scope["path"], scope["method"]):
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "0")
        if not announced.isdigit() or int(announced) > self.limit:
            await error_response(self._error())(scope, receive, send)
            return
        received = 0

        async def limited_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.limit:
                raise self._error()
            return message

        await self.app(scope, limited_receive, send)

    def _exempt(self, path: str, method: str) -> bool:
        below = self.exempt_prefix is not None and path.startswith(self.exempt_prefix)
        return below or (method == "POST" and path in self.file_paths)

    def _error(self) -> TooLargeError:
        return TooLargeError(f"The request body is larger than {self.limit // 1024} KiB.")
