"""How much of a response is taken, and for how long.

httpx.TransportError
├── LimitExceeded
│   ├── HeadTooLarge    status line and headers, interim responses included
│   └── BodyTooLarge    on the wire, or once it is decompressed
└── httpx.TimeoutException
    └── DeadlinePassed  the request as a whole took too long
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

KIB = 1024
MIB = 1024 * KIB


class LimitExceeded(httpx.TransportError):
    """The other side sent more than it may."""


class HeadTooLarge(LimitExceeded):
    """Too many headers, or too long ones."""


class BodyTooLarge(LimitExceeded):
    """Too many bytes, as they come or as they unpack."""


class DeadlinePassed(httpx.TimeoutException):
    """The request as a whole took too long, however its bytes came."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one request."""

    body_bytes: int
    """After decompression."""
    seconds: float
    """From the lookup of the name to the last byte."""
    silence_seconds: float = 5.0
    """Between two bytes."""
    head_bytes: int = 64 * KIB
    headers: int = 200
    failure_bytes: int = 64 * KIB
    """Of a body that only explains why there is none."""
    clock: Callable[[], float] = field(default=time.monotonic, compare=False, repr=False)
    """For tests to replace."""

    @property
    def wire_bytes(self) -> int:
        """What a body may take on the wire: room for framing, none for padding it endlessly."""
        return self.body_bytes + self.body_bytes // 8 + self.failure_bytes


class Budget:
    """What one request may still take."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._ends = limits.clock() + limits.seconds
        self._received = 0
        self._ceiling = limits.head_bytes
        self._in_head = True

    def seconds(self, timeout: float | None) -> float:
        """How long one step may take; raises when there is no time left."""
        left = self._ends - self.limits.clock()
        if left <= 0:
            raise DeadlinePassed("it took too long")
        return left if timeout is None else min(timeout, left)

    def start_body(self) -> None:
        """The head is read: what comes now counts as the body."""
        self._in_head = False
        self._ceiling += self.limits.wire_bytes

    def readable(self, wanted: int) -> int:
        """How much to read at once: one byte past the limit is enough to know."""
        return max(1, min(wanted, self._ceiling + 1 - self._received))

    def received(self, count: int) -> None:
        self._received += count
        if self._received > self._ceiling:
            if self._in_head:
                raise HeadTooLarge("its headers are too long")
            raise BodyTooLarge("it is too large")
