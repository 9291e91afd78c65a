"""ASGI middleware: requests must name this site, and changes must come from its own pages."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from nexus.bff.addresses import OwnAddresses
from nexus.errors import ApiError, ForbiddenError, InvalidRequestError
from nexus.http.envelope import error_response

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# A signed URL is itself the proof that its maker was allowed to.
_SIGNED_PREFIX = "/storage/"
# The only routes where a bearer token is accepted, and replaces the cookie.
_TOKEN_PREFIX = "/api/"  # noqa: S105
# Probed by whatever monitors the process, under names of its own; they reveal nothing.
_HEALTH_PATHS = frozenset({"/healthz", "/readyz"})


class OwnSiteMiddleware:
    """The `Host` must be ours; changes need our own Origin, or the browser's word for it.

    A request to the API with a bearer token needs no Origin: browsers never add a token by
    themselves.
    """

    def __init__(self, app: ASGIApp, *, addresses: OwnAddresses, origin: str) -> None:
        self.app = app
        self._addresses = addresses
        self._origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await error_response(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> ApiError | None:
        headers = Headers(scope=scope)
        if scope["path"] in _HEALTH_PATHS:
            return None
        if not self._addresses.knows_host(headers.get("host", "")):
            return InvalidRequestError(
                f"Nexus is not served under this name. Open {self._origin}, or ask the person who "
                "runs this server to set NEXUS_PUBLIC_URL to the address you used.",
                code="E_UNKNOWN_HOST",
            )
        if self._may_change(scope, headers):
            return None
        return ForbiddenError(
            f"This change did not come from a Nexus page. Open {self._origin} and try again.",
            code="E_CSRF",
        )

    def _may_change(self, scope: Scope, headers: Headers) -> bool:
        path: str = scope["path"]
        if scope["method"] in _SAFE_METHODS or path.startswith(_SIGNED_PREFIX):
            return True
        if path.startswith(_TOKEN_PREFIX) and bearer_of(headers) is not None:
            return True
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") == "same-origin"
        return self._addresses.knows_origin(origin)


def bearer_of(headers: Headers) -> str | None:
    """The bearer token of a request, if it has one."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
