"""A server that sends exactly the bytes it is told to, and notes how many were taken."""

import contextlib
import socket
import struct
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from tests.patience import PATIENCE_SECONDS

MIB = 1024 * 1024
_BLOCK = bytes(MIB)
Answer = Callable[[], Iterable[bytes]]


class HostileSite:
    """`/name` sends what `pages["/name"]` yields, then hangs up."""

    def __init__(self, pages: dict[str, Answer]) -> None:
        self.pages = pages
        self.requests: list[bytes] = []
        self.sent: dict[str, int] = {}
        self.closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def close(self) -> None:
        self.closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                # However it ends, the test does too.
                connection.settimeout(PATIENCE_SECONDS)
                thread = threading.Thread(target=self._serve, args=(connection,))
                thread.start()
                self._threads.append(thread)

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError), connection.makefile("rb") as stream:
            while head := _head(stream):
                self.requests.append(head)
                path = head.split(b" ")[1].decode("latin-1").split("?")[0]
                self.sent[path] = 0
                for part in self.pages[path]():
                    connection.sendall(part)
                    self.sent[path] += len(part)
                if b"keep-alive" not in path.encode():
                    return

    def dripping(self, first: bytes, again: bytes, pause: float = 0.05) -> Answer:
        """Something, and then a little of something else for as long as anybody listens."""

        def answer() -> Iterator[bytes]:
            yield first
            while not self.closing.wait(pause):
                yield again

        return answer


def _head(stream: Iterable[bytes]) -> bytes:
    lines = []
    for line in stream:
        lines.append(line)
        if line == b"\r\n":
            return b"".join(lines)
    return b""


def page(*headers: str, body: Iterable[bytes] = (), status: str = "200 OK") -> Answer:
    lines = [f"HTTP/1.1 {status}", *headers, "", ""]
    parts = list(body)
    return lambda: iter(["\r\n".join(lines).encode(), *parts])


def endless(first: bytes, again: bytes) -> Answer:
    def answer() -> Iterator[bytes]:
        yield first
        while True:
            yield again

    return answer


@cache
def zeros(size: int, window: int) -> bytes:
    """Many zeros, compressed about a thousandfold."""
    packed = _deflated(size)
    if window == RAW:
        return packed
    check = zlib.crc32 if window == GZIP else zlib.adler32
    value = check(b"")
    for _ in range(size // MIB):
        value = check(_BLOCK, value)
    if window == GZIP:
        return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + packed + struct.pack("<II", value, size)
    return b"\x78\xda" + packed + struct.pack(">I", value)


@cache
def _deflated(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, RAW, 9, zlib.Z_RLE)
    return b"".join(packer.compress(_BLOCK) for _ in range(size // MIB)) + packer.flush()


GZIP, ZLIB, RAW = 31, 15, -15
