"""HTTP that can reach nothing but what the egress rules allow."""

import contextlib
import socket
import threading
from typing import Any

import httpx

from nexus.config import Settings
from nexus.services.egress import Guard, Target


class PinnedTransport(httpx.BaseTransport):
    """Checks every request, each hop of a redirect included, and dials the address it checked.

    The name stays in the Host header and in TLS, so certificates are verified for it.
    """

    def __init__(self, guard: Guard, inner: httpx.BaseTransport | None = None) -> None:
        self._guard = guard
        # Connections are not kept: the pool knows them by address, and two names may share one.
        limits = httpx.Limits(max_keepalive_connections=0)
        self._inner = inner or httpx.HTTPTransport(trust_env=False, limits=limits)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        target = self._guard.check_url(str(request.url))
        failure: httpx.TransportError | None = None
        for address in self._guard.addresses(target):
            try:
                return self._inner.handle_request(_pinned(request, target, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure

    def close(self) -> None:
        self._inner.close()


class Deadline:
    """Ends a request at a moment, however its bytes come.

    A timeout starts anew with every byte, so a site that trickles, in the head of its answer
    already, would never meet one. Here the connection itself is shut down.
    """

    def __init__(self, seconds: float) -> None:
        self._connection: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._shut_down)
        self._timer.daemon = True
        self.passed = False

    def __enter__(self) -> "Deadline":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def extensions(self) -> dict[str, Any]:
        """What a request needs to be subject to it."""
        return {"trace": self._note_connection}

    def _note_connection(self, event: str, info: dict[str, Any]) -> None:
        # The socket is another one after the handshake.
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._connection = info["return_value"].get_extra_info("socket")
            if self.passed:
                self._shut_down()

    def _shut_down(self) -> None:
        self.passed = True
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)


def _pinned(request: httpx.Request, target: Target, address: str) -> httpx.Request:
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": target.host},
    )


def pinned_client(settings: Settings, **options: Any) -> httpx.Client:
    """An httpx client that can reach nothing but what the rules allow."""
    transport = PinnedTransport(Guard.from_settings(settings))
    return httpx.Client(transport=transport, trust_env=False, **options)
