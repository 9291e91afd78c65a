"""`/api/*`: the browser's requests, forwarded to the API for the person who is signed in.

The browser never sees a bearer token and never talks to the API; cookies never leave the BFF.
"""

import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

import anyio
import httpx
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from nexus.auth.opaque import API_TOKEN_PREFIX
from nexus.auth.tokens import LocalTokens
from nexus.bff.compression import compressed, compressed_headers, may_compress
from nexus.bff.csrf import bearer_of
from nexus.bff.deps import find_signed_in, session_token
from nexus.bff.lanes import Lanes
from nexus.bff.request_rate import RequestRate
from nexus.config import Settings
from nexus.errors import UnauthenticatedError, UnavailableError
from nexus.http.internal import INTERNAL_HEADER
from nexus.http.received_file import refuse_announced, upload_incomplete
from nexus.http.request_context import REQUEST_ID_HEADER
from nexus.http.session import in_transaction
from nexus.logging import current_request_id, get_logger
from nexus.schemas.imports import MAX_IMPORT_BYTES
from nexus.services.api_tokens import VISIBLE_PREFIX
from nexus.services.sessions import SignedIn

logger = get_logger(__name__)
router = APIRouter(prefix="/api")

FILE_PATH = "/api/imports"
"""Takes a file as body, which passes through as it comes; the API limits it."""

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
    "x-nexus-items",
)


@router.api_route("/{path:path}", methods=_METHODS, include_in_schema=False)
async def forward(request: Request) -> Response:
    """Check who asks, hand the request on, stream the answer back."""
    settings: Settings = request.app.state.settings
    rate: RequestRate = request.app.state.request_rate
    shown = _shown(request)
    rate.refuse_early(shown.digest)
    async with rate.turn(credential=shown.digest):
        account, token = await _caller(request, shown)
    headers = {
        name: value for name in _REQUEST_HEADERS if (value := request.headers.get(name)) is not None
    }
    headers["authorization"] = f"Bearer {token}"
    # The body passes through as it comes, without the header that would name an encoding.
    headers["accept-encoding"] = "identity"
    headers[REQUEST_ID_HEADER] = current_request_id() or ""
    headers |= _internal(settings)
    lanes: Lanes = request.app.state.lanes
    lane = lanes.of(request.scope["path"].removeprefix("/api"))
    if _is_file(request):
        refuse_announced(request, max_bytes=MAX_IMPORT_BYTES)
    outgoing = lane.client.build_request(
        request.method,
        "/",
        headers=headers,
        content=request.stream() if _is_file(request) else await request.body() or None,
        extensions={"target": _target(request)},
    )
    # A body that trickles in holds no place, but for files, whose lane is their own.
    await lane.places.take(account)
    try:
        async with rate.turn(credential=shown.digest) if lane is lanes.others else nullcontext():
            answer = await lane.client.send(outgoing, stream=True)
    except BaseException as error:
        lane.places.give_back(account)
        if isinstance(error, ClientDisconnect):
            raise upload_incomplete() from error
        if not isinstance(error, httpx.TransportError):
            raise
        logger.error("api_unreachable", error=repr(error))
        raise UnavailableError("Nexus is starting or restarting. Try again in a moment.") from error
    return _Forwarded(
        answer,
        compress=may_compress(
            request.headers, Headers(answer.headers), https=settings.secure_cookies
        ),
        give_back=partial(lane.places.give_back, account),
    )


async def ask_for_ourselves(request: Request, path: str, *, timeout: float) -> bytes | None:
    """What the API answers the front itself, on nobody's behalf; None when it does not."""
    settings: Settings = request.app.state.settings
    lanes: Lanes = request.app.state.lanes
    try:
        answer = await lanes.others.client.get(path, headers=_internal(settings), timeout=timeout)
        answer.raise_for_status()
    except httpx.HTTPError as error:
        logger.warning("api_unreachable", error=repr(error))
        return None
    return answer.content


class _Forwarded(StreamingResponse):
    """The API's answer, passed on as it comes; let go of however the browser's request ends."""

    def __init__(
        self, answer: httpx.Response, *, compress: bool, give_back: Callable[[], None]
    ) -> None:
        body = answer.aiter_raw()
        headers = {
            name: answer.headers[name] for name in _RESPONSE_HEADERS if name in answer.headers
        }
        if compress:
            body, headers = compressed(body), compressed_headers(headers)
        super().__init__(body, status_code=answer.status_code, headers=headers)
        self._answer = answer
        self._give_back = give_back

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            try:
                with anyio.CancelScope(shield=True):
                    await self._answer.aclose()
            finally:
                self._give_back()


def _is_file(request: Request) -> bool:
    return request.method == "POST" and request.scope["path"] == FILE_PATH


def _internal(settings: Settings) -> dict[str, str]:
    if settings.internal_secret is None:
        return {}
    return {INTERNAL_HEADER: settings.internal_secret.get_secret_value()}


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the caller shows: a bearer token, a session cookie, or both, where the token counts."""

    bearer: str | None
    cookie: str | None
    digest: str
    """The one that counts, as it may be remembered."""


def _shown(request: Request) -> _Shown:
    bearer, cookie = bearer_of(request.headers), session_token(request)
    credential = bearer or cookie
    if credential is None:
        raise UnauthenticatedError
    return _Shown(bearer, cookie, hashlib.sha256(credential.encode()).hexdigest())


async def _caller(request: Request, shown: _Shown) -> tuple[str, str]:
    """Whose limits count, and the token to show the API: ours for the person, or an issuer's own.

    An issuer's token is checked by the API. Until then it speaks for nobody but itself, or a forged
    one could use up what another person may ask for.
    """
    rate: RequestRate = request.app.state.request_rate
    bearer, cookie = shown.bearer, shown.cookie
    if bearer is not None and not bearer.startswith(API_TOKEN_PREFIX):
        rate.count(shown.digest, credential=shown.digest)
        return shown.digest, bearer
    person = await run_in_threadpool(
        in_transaction,
        request.app.state.session_factory,
        lambda session: find_signed_in(session, cookie=cookie, bearer=bearer),
    )
    if bearer is not None:
        _log_token_use(request, bearer, person)
    if person is None:
        raise UnauthenticatedError("Your session has ended. Sign in again.")
    account = str(person.user_id)
    rate.count(account, credential=shown.digest)
    tokens: LocalTokens = request.app.state.local_tokens
    return account, tokens.of(person.user_id, person.email)


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
