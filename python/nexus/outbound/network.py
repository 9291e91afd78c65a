"""Connections that count every byte against the request they carry, and end with its deadline.

Timeouts start again with every byte, and a parser sees a body only once framing and interim
responses are gone; here, below all of them, nothing can be left out of the count.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from ssl import SSLContext
from typing import Any

import httpcore

from nexus.outbound.limits import Budget, DeadlinePassed
from nexus.outbound.names import DNS_SECONDS, system_resolve

_WRITE_BYTES = 16 * 1024
_current: ContextVar[Budget] = ContextVar("budget of the request that is being sent")


@contextmanager
def spending(budget: Budget) -> Iterator[None]:
    """Connections opened or written to within belong to this budget from then on."""
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)


class BoundedNetwork(httpcore.NetworkBackend):
    """Opens connections whose lookups, handshakes and bytes are limited."""

    def __init__(self, system: httpcore.NetworkBackend | None = None) -> None:
        self._system = system or httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        budget = _current.get()
        failure: Exception = httpcore.ConnectError("the name has no address")
        for address in system_resolve(host, budget.seconds(DNS_SECONDS)):
            try:
                stream = self._system.connect_tcp(
                    address, port, budget.seconds(timeout), local_address, socket_options
                )
                return BoundedStream(stream, budget)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


class BoundedStream(httpcore.NetworkStream):
    """A connection. One that is kept for another request takes that request's budget."""

    def __init__(self, stream: httpcore.NetworkStream, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        budget = self._budget
        data = self._stream.read(budget.readable(max_bytes), budget.seconds(timeout))
        budget.received(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._budget = _current.get(self._budget)
        for start in range(0, len(buffer), _WRITE_BYTES):
            part = buffer[start : start + _WRITE_BYTES]
            self._stream.write(part, self._budget.seconds(timeout))

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        try:
            # What `ssl` does as well, but only after it took the connection over.
            (server_hostname or "").encode("idna")
            timeout = self._budget.seconds(timeout)
        except UnicodeError as error:
            self.close()
            raise httpcore.ConnectError("no certificate can have this name") from error
        except DeadlinePassed:
            self.close()
            raise
        secured = self._stream.start_tls(ssl_context, server_hostname, timeout)
        return BoundedStream(secured, self._budget)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
