"""uvicorn's protocols with limits on clients that keep a connection open and send nothing.

uvicorn waits without a limit for the rest of a request's head or body. Used by its `--http` option:
`nexus.http.guarded:GuardedH11` faces the world, because its parser bounds the size of a head;
`nexus.http.guarded:GuardedHttpTools`, the faster one, serves the API behind it.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from nexus.logging import get_logger

logger = get_logger(__name__)

_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)
_TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

if TYPE_CHECKING:
    _Base = H11Protocol
else:
    _Base = object


class Guarded(_Base):
    """Mixed into a uvicorn protocol. The limits are class attributes, for tests to change."""

    HEAD_SECONDS = 10.0
    """From the connection, or the first byte of a further request, to the end of the head."""
    BODY_GRACE_SECONDS = 15.0
    BODY_BYTES_PER_SECOND = 2048
    """On average, once the grace period is over: slow lines pass, stalling clients do not."""
    STALL_SECONDS = 30.0
    """How long a body may pause, however fast it came before."""
    UNREAD_SECONDS = 60.0
    """How long a response may wait for a client that reads none of it."""
    CHECK_SECONDS = 1.0
    MAX_CONNECTIONS = 2000
    MAX_PER_ADDRESS = 200

    _timer: asyncio.TimerHandle | None = None
    _cycle_seen: Any = None
    _request_began = 0.0
    _received = 0
    _last_byte = 0.0
    _waits_since: float | None = None
    _unread: tuple[int, float] = (0, 0.0)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        now = self._last_byte = self._waits_since = self.loop.time()
        self._unread = (0, now)
        if not self._may_stay():
            transport.write(_REFUSAL)
            transport.close()
            return
        self._timer = self.loop.call_later(self.CHECK_SECONDS, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        now = self._last_byte = self.loop.time()
        if self._is_between_requests() and self._waits_since is None:
            # The first byte of a further request.
            self._waits_since = now
        self._received += len(data)
        super().data_received(data)
        if self.cycle is not self._cycle_seen:
            self._cycle_seen = self.cycle
            self._request_began, self._received = now, len(data)
            self._waits_since = None

    def resume_writing(self) -> None:
        self._unread = (0, self.loop.time())
        super().resume_writing()

    def _is_between_requests(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    def _check(self) -> None:
        """Every second: end the connection if its client takes too long."""
        if self.transport.is_closing():
            # Closing waits for the client to read what was written, up to a limit.
            if self.loop.time() - self._last_byte > self.UNREAD_SECONDS:
                self.transport.abort()
                return
        elif reason := self._why_too_slow():
            self._end(reason)
            return
        self._timer = self.loop.call_later(self.CHECK_SECONDS, self._check)

    def _why_too_slow(self) -> str | None:
        now = self.loop.time()
        if self._is_between_requests():
            waited = 0.0 if self._waits_since is None else now - self._waits_since
            return "head" if waited > self.HEAD_SECONDS else None
        if self._response_unread(now):
            return "response"
        if not self.cycle.more_body:
            return None
        if self._waits_for_us():
            self._request_began += self.CHECK_SECONDS
            self._last_byte = now
            return None
        elapsed = now - self._request_began - self.BODY_GRACE_SECONDS
        if elapsed > 0 and self._received < elapsed * self.BODY_BYTES_PER_SECOND:
            return "body"
        return "body" if now - self._last_byte > self.STALL_SECONDS else None

    def _waits_for_us(self) -> bool:
        """Whether we have not asked for the rest of the body yet, or no longer need it."""
        cycle = self.cycle
        return self.flow.read_paused or cycle.response_started or cycle.waiting_for_100_continue

    def _response_unread(self, now: float) -> bool:
        """Whether the client has read nothing of the response for too long."""
        unread = self.transport.get_write_buffer_size()
        before, since = self._unread
        if unread == 0 or unread != before:
            self._unread = (unread, now)
            return False
        return now - since > self.UNREAD_SECONDS

    def _end(self, reason: str) -> None:
        logger.info("slow_client", waiting_for=reason, address=self._address())
        if reason == "body" and not self.cycle.response_started:
            self.transport.write(_TIMED_OUT)
        # A client that does not read would never let a plain close finish.
        self.transport.abort() if reason == "response" else self.transport.close()

    def _may_stay(self) -> bool:
        """Whether there is room for one more, after closing an idle one if necessary."""
        others: set[Guarded] = {other for other in self.connections if other is not self}  # type: ignore[misc]
        address = self._address()
        if address is not None and not self._is_shared(address):
            own = [other for other in others if other._address() == address]
            if len(own) >= self.MAX_PER_ADDRESS and not _end_one_idle(own):
                return False
        return len(others) < self.MAX_CONNECTIONS or _end_one_idle(list(others))

    def _address(self) -> str | None:
        return self.client[0] if self.client else None

    def _is_shared(self, address: str) -> bool:
        """A proxy that many people come through, or this machine itself."""
        number = ip_address(address)
        number = getattr(number, "ipv4_mapped", None) or number
        return number.is_loopback or any(number in network for network in _trusted(self.config))


class GuardedH11(Guarded, H11Protocol):
    pass


class GuardedHttpTools(Guarded, HttpToolsProtocol):  # type: ignore[misc]
    pass


def _end_one_idle(connections: list[Guarded]) -> bool:
    """Make room: close the connection that has been idle longest."""
    idle = [one for one in connections if one._is_between_requests()]
    if not idle:
        return False
    min(idle, key=lambda one: one._last_byte).transport.abort()
    return True


def _trusted(config: Any) -> list[Any]:
    """The proxies that uvicorn is configured to trust."""
    named = config.forwarded_allow_ips or ""
    parts = named.split(",") if isinstance(named, str) else named
    networks = []
    for part in (part.strip() for part in parts):
        if part == "*":
            return [ip_network("0.0.0.0/0"), ip_network("::/0")]
        try:
            networks.append(ip_network(part, strict=False))
        except ValueError:
            # A name, or the path of a socket.
            continue
    return networks
