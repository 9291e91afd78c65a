"""ASGI middleware: a change must come from a page of this very site."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from nexus.errors import ForbiddenError
from nexus.http.envelope import error_response

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Signed addresses prove by themselves that somebody was allowed to make them.
_SIGNED_PREFIX = "/storage/"


class SameOriginMiddleware:
    """Mutations need our own Origin, or the browser's word that the request is same-origin.

    A request with a bearer token is not judged: browsers do not add one by themselves.
    """

    def __init__(self, app: ASGIApp, *, origin: str) -> None:
        self.app = app
        self._origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._allowed(scope):
            await self.app(scope, receive, send)
            return
        refusal = ForbiddenError(
            "This change did not come from a Nexus page. Reload the page and try again.",
            code="E_CSRF",
        )
        await error_response(refusal)(scope, receive, send)

    def _allowed(self, scope: Scope) -> bool:
        if scope["method"] in _SAFE_METHODS or scope["path"].startswith(_SIGNED_PREFIX):
            return True
        headers = Headers(scope=scope)
        if headers.get("authorization", "").lower().startswith("bearer "):
            return True
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") == "same-origin"
        host = headers.get("host", "")
        return origin in {self._origin, f"{scope['scheme']}://{host}"}
