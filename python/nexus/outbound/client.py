"""An httpx client that takes no more of a response than its limits allow.

No body of a redirect is read, nothing is decompressed by httpx, no cookie is kept, and whatever
goes over a limit closes the connection. Every failure is an `httpx.HTTPError`.
"""

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from nexus.outbound.decode import bounded
from nexus.outbound.limits import BodyTooLarge, Budget, HeadTooLarge, Limits
from nexus.outbound.network import BoundedNetwork, spending

_LIMITS = "nexus.limits"
_LOCATION = "nexus.location"
_CONNECT_SECONDS = 5.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# The body that is handed on is plain, and its framing is gone; cookies belong to nobody; httpx
# would make a request of a location whether it is to be followed or not, and trip over some.
_NOT_HANDED_ON = frozenset(
    {b"content-encoding", b"content-length", b"location", b"set-cookie", b"transfer-encoding"}
)


def within(limits: Limits) -> dict[str, Any]:
    """The `extensions` of a request that has limits of its own."""
    return {_LIMITS: limits}


def location(response: httpx.Response) -> str | None:
    """Where a redirect leads, as the other side wrote it; None for any other response."""
    if response.status_code not in _REDIRECTS:
        return None
    written: bytes = response.extensions[_LOCATION]
    return written.decode("utf-8", "replace") or None


def bounded_client(
    limits: Limits,
    *,
    headers: dict[str, str] | None = None,
    kept_connections: int = 0,
    proxied_for: str | None = None,
    ssl_context: ssl.SSLContext | None = None,
) -> httpx.Client:
    """A client with these limits for every request that does not set its own.

    Follows no redirects. With `proxied_for`, the environment's proxy for that address is used, as
    operators of configured services expect.
    """
    transport = BoundedTransport(
        limits,
        kept_connections=kept_connections,
        proxy=_proxy_for(proxied_for) if proxied_for else None,
        ssl_context=ssl_context or _ssl_context(),
    )
    return httpx.Client(
        transport=transport,
        headers={"Accept-Encoding": "identity", **(headers or {})},
        follow_redirects=False,
        trust_env=False,
    )


@lru_cache(maxsize=1)
def _ssl_context() -> ssl.SSLContext:
    # Reading the certificates takes time and megabytes: once for all.
    return httpx.create_ssl_context()


def _proxy_for(url: str) -> httpcore.Proxy | None:
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxies = getproxies()
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address:
        return None
    proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
    auth = proxy.raw_auth
    return httpcore.Proxy(url=str(proxy.url), auth=auth, headers=proxy.headers.raw)


class BoundedTransport(httpx.BaseTransport):
    """Sends requests over connections that count, and hands on responses that are limited."""

    def __init__(
        self,
        limits: Limits,
        *,
        kept_connections: int,
        proxy: httpcore.Proxy | None,
        ssl_context: ssl.SSLContext,
    ) -> None:
        self._limits = limits
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl_context,
            proxy=proxy,
            max_connections=100,
            max_keepalive_connections=kept_connections,
            keepalive_expiry=5.0,
            network_backend=BoundedNetwork(),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        limits: Limits = request.extensions.get(_LIMITS, self._limits)
        budget = Budget(limits)
        with _httpx_errors(), spending(budget):
            response = self._pool.handle_request(_outgoing(request, limits))
        try:
            return _incoming(response, budget)
        except BaseException:
            response.close()
            raise

    def close(self) -> None:
        self._pool.close()


def _outgoing(request: httpx.Request, limits: Limits) -> httpcore.Request:
    silence = limits.silence_seconds
    timeout = {"connect": min(_CONNECT_SECONDS, silence)} | dict.fromkeys(
        ("read", "write", "pool"), silence
    )
    return httpcore.Request(
        method=request.method,
        url=httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        ),
        headers=request.headers.raw,
        content=request.stream,
        extensions={**request.extensions, "timeout": timeout},
    )


def _incoming(response: httpcore.Response, budget: Budget) -> httpx.Response:
    limits = budget.limits
    if len(response.headers) > limits.headers:
        raise HeadTooLarge("it has too many headers")
    budget.start_body()
    headers = [
        (name, value) for name, value in response.headers if name.lower() not in _NOT_HANDED_ON
    ]
    if 300 <= response.status < 400:
        response.close()
        leads_to = b"".join(_values(response, b"location")[:1])
        return httpx.Response(response.status, headers=headers, extensions={_LOCATION: leads_to})
    is_success = 200 <= response.status < 300
    limit = limits.body_bytes if is_success else limits.failure_bytes
    if is_success and _announced(response) > limits.wire_bytes:
        raise BodyTooLarge("it is too large")
    encoding = b", ".join(_values(response, b"content-encoding")).decode("latin-1").strip().lower()
    stream = _BoundedBody(response, encoding=encoding, limit=limit)
    return httpx.Response(response.status, headers=headers, stream=stream)


def _announced(response: httpcore.Response) -> int:
    lengths = _values(response, b"content-length")
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0


def _values(response: httpcore.Response, wanted: bytes) -> list[bytes]:
    return [value for name, value in response.headers if name.lower() == wanted]


class _BoundedBody(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response, *, encoding: str, limit: int) -> None:
        self._response = response
        self._encoding = encoding
        self._limit = limit

    def __iter__(self) -> Iterator[bytes]:
        assert isinstance(self._response.stream, Iterable)
        with _httpx_errors():
            yield from bounded(self._response.stream, encoding=self._encoding, limit=self._limit)

    def close(self) -> None:
        self._response.close()


@contextmanager
def _httpx_errors() -> Iterator[None]:
    """Failures of the layer below under the names that httpx gives them."""
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
        httpcore.UnsupportedProtocol,
    ) as error:
        known = getattr(httpx, type(error).__name__, httpx.TransportError)
        raise known(str(error) or type(error).__name__) from error
