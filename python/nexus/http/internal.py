"""ASGI middleware: only the BFF, which knows the internal secret, may call the API."""

import hmac

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from nexus.errors import ForbiddenError
from nexus.http.envelope import error_response

INTERNAL_HEADER = "X-Nexus-Internal"
_OPEN_PATHS = frozenset({"/healthz", "/readyz"})


class InternalOnlyMiddleware:
    """Enforced wherever an internal secret is set."""

    def __init__(self, app: ASGIApp, *, secret: str) -> None:
        self.app = app
        self._secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _OPEN_PATHS or self._known(scope):
            await self.app(scope, receive, send)
            return
        refusal = ForbiddenError(
            "This address is for internal use. Use the web app, or /api under its address.",
            code="E_INTERNAL_ONLY",
        )
        await error_response(refusal)(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        given = Headers(scope=scope).get(INTERNAL_HEADER, "")
        return hmac.compare_digest(given.encode("latin-1"), self._secret)
