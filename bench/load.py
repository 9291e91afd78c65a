"""A load client that is never the bottleneck: blocking sockets, requests written beforehand."""

import json
import socket
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Timings:
    """Seconds of each request."""

    seconds: list[float] = field(default_factory=list)

    def quantile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def request(method: str, path: str, headers: dict[str, str], body: object | None = None) -> bytes:
    """The bytes of one request."""
    content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: api", *(f"{k}: {v}" for k, v in headers.items())]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


class Connection:
    """One kept-alive connection to a server on a UNIX socket."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(path)

    def ask(self, message: bytes) -> bytes:
        """The body of the response; anything but a 2xx is an error."""
        status, response = self._exchange(message)
        if not 200 <= status < 300:
            raise RuntimeError(f"{status}: {response[:300]!r}")
        return response

    def status(self, message: bytes) -> int:
        """The status of the response, whatever it is."""
        return self._exchange(message)[0]

    def _exchange(self, message: bytes) -> tuple[int, bytes]:
        self._socket.sendall(message)
        head, _, body = self._receive_head()
        length = _content_length(head)
        parts, received = [body], len(body)
        while received < length:
            part = self._socket.recv(262_144)
            parts.append(part)
            received += len(part)
        return int(head[9:12]), b"".join(parts)

    def close(self) -> None:
        self._socket.close()

    def _receive_head(self) -> tuple[bytes, bytes, bytes]:
        received = b""
        while b"\r\n\r\n" not in received:
            part = self._socket.recv(262_144)
            if not part:
                raise RuntimeError("the server closed the connection")
            received += part
        return received.partition(b"\r\n\r\n")


def _content_length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    return int(rest.partition(b"\r\n")[0]) if found else 0


def run(path: str, messages: Sequence[bytes]) -> Timings:
    """Send the messages one after the other."""
    return take_turns([(path, messages)])[0]


def take_turns(sides: Sequence[tuple[str, Sequence[bytes]]]) -> list[Timings]:
    """A message of each side in turn, so that whatever else the machine does meets all alike."""
    connections = [Connection(path) for path, _ in sides]
    timings = [Timings() for _ in sides]
    try:
        for turn in zip(*(messages for _, messages in sides), strict=True):
            for connection, message, taken in zip(connections, turn, timings, strict=True):
                started = time.perf_counter()
                connection.ask(message)
                taken.seconds.append(time.perf_counter() - started)
    finally:
        for connection in connections:
            connection.close()
    return timings
