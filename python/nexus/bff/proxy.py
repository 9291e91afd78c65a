"""`/api/*`: the browser's requests, forwarded to the API for the person who is signed in.

The browser never sees a bearer token and never talks to the API; cookies never leave the BFF.
"""

import anyio
import httpx
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from nexus.api.internal import INTERNAL_HEADER
from nexus.auth.opaque import API_TOKEN_PREFIX
from nexus.auth.tokens import mint_local_token
from nexus.bff.api_tokens import VISIBLE_PREFIX
from nexus.bff.csrf import bearer_of
from nexus.bff.deps import find_signed_in, in_transaction, session_token
from nexus.bff.sessions import SignedIn
from nexus.config import Settings
from nexus.errors import UnauthenticatedError, UnavailableError
from nexus.http.request_context import REQUEST_ID_HEADER
from nexus.logging import current_request_id, get_logger

logger = get_logger(__name__)
router = APIRouter(prefix="/api")

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
# What passes in either direction is named; everything else (cookies, hop-by-hop, internals) stays.
_REQUEST_HEADERS = ("accept", "content-type", "if-none-match", "last-event-id", "range")
_RESPONSE_HEADERS = (
    "accept-ranges",
    "cache-control",
    "content-disposition",
    "content-length",
    "content-range",
    "content-security-policy",
    "content-type",
    "etag",
    "retry-after",
    "x-content-type-options",
)
# Event streams send a heartbeat well within this.
_TIMEOUT = httpx.Timeout(60, connect=5)


def create_api_client(settings: Settings) -> httpx.AsyncClient:
    """A connection pool to the API, over TCP or a UNIX socket."""
    url = settings.api_url or "http://127.0.0.1:8421"
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=50)
    if url.startswith("unix:"):
        transport = httpx.AsyncHTTPTransport(uds=url.removeprefix("unix:"), limits=limits)
        return httpx.AsyncClient(
            transport=transport, base_url="http://api", timeout=_TIMEOUT, follow_redirects=False
        )
    return httpx.AsyncClient(
        base_url=url, timeout=_TIMEOUT, limits=limits, follow_redirects=False, trust_env=False
    )


@router.api_route("/{path:path}", methods=_METHODS, include_in_schema=False)
async def forward(request: Request) -> Response:
    """Check who asks, hand the request on, stream the answer back."""
    settings: Settings = request.app.state.settings
    client: httpx.AsyncClient = request.app.state.api_client
    headers = {
        name: value for name in _REQUEST_HEADERS if (value := request.headers.get(name)) is not None
    }
    headers["authorization"] = f"Bearer {await _api_token(request, settings)}"
    # The body passes through as it comes, without the header that would name an encoding.
    headers["accept-encoding"] = "identity"
    headers[REQUEST_ID_HEADER] = current_request_id() or ""
    headers |= _internal(settings)
    outgoing = client.build_request(
        request.method,
        "/",
        headers=headers,
        content=await request.body() or None,
        extensions={"target": _target(request)},
    )
    try:
        answer = await client.send(outgoing, stream=True)
    except httpx.TransportError as error:
        logger.error("api_unreachable", error=repr(error))
        raise UnavailableError("Nexus is starting or restarting. Try again in a moment.") from error
    kept = {name: answer.headers[name] for name in _RESPONSE_HEADERS if name in answer.headers}
    return _Forwarded(answer, headers=kept)


async def ask_for_ourselves(request: Request, path: str, *, timeout: float) -> bytes | None:
    """What the API answers the front itself, on nobody's behalf; None when it does not."""
    settings: Settings = request.app.state.settings
    client: httpx.AsyncClient = request.app.state.api_client
    try:
        answer = await client.get(path, headers=_internal(settings), timeout=timeout)
        answer.raise_for_status()
    except httpx.HTTPError as error:
        logger.warning("api_unreachable", error=repr(error))
        return None
    return answer.content


class _Forwarded(StreamingResponse):
    """The API's answer, passed on as it comes; let go of however the browser's request ends."""

    def __init__(self, answer: httpx.Response, *, headers: dict[str, str]) -> None:
        super().__init__(answer.aiter_raw(), status_code=answer.status_code, headers=headers)
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await self._answer.aclose()


def _internal(settings: Settings) -> dict[str, str]:
    if settings.internal_secret is None:
        return {}
    return {INTERNAL_HEADER: settings.internal_secret.get_secret_value()}


async def _api_token(request: Request, settings: Settings) -> str:
    """The token to show the API: minted for a session or API token, or an issuer's own."""
    bearer = bearer_of(request.headers)
    if bearer is not None and not bearer.startswith(API_TOKEN_PREFIX):
        return bearer
    cookie = session_token(request)
    if bearer is None and cookie is None:
        raise UnauthenticatedError
    person = await run_in_threadpool(
        in_transaction,
        request.app.state.session_factory,
        lambda session: find_signed_in(session, cookie=cookie, bearer=bearer),
    )
    if bearer is not None:
        _log_token_use(request, bearer, person)
    if person is None:
        raise UnauthenticatedError("Your sign-in has ended. Sign in again.")
    assert settings.jwt_secret is not None
    secret = settings.jwt_secret.get_secret_value()
    return mint_local_token(secret, user_id=person.user_id, email=person.email)


def _log_token_use(request: Request, bearer: str, person: SignedIn | None) -> None:
    """The part of a token that its owner sees in the list, never the rest."""
    address = request.client.host if request.client else "unknown"
    known = {"prefix": bearer[:VISIBLE_PREFIX], "address": address}
    if person is None:
        logger.warning("api_token_refused", **known)
    else:
        logger.info("api_token_used", user_id=str(person.user_id), **known)


def _target(request: Request) -> bytes:
    """Path and query byte for byte as they came, without the prefix: nothing is decoded twice."""
    raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
    path = raw.partition(b"?")[0].removeprefix(b"/api") or b"/"
    query = request.scope.get("query_string", b"")
    return path + (b"?" + query if query else b"")
