"""An extractor that runs elsewhere, such as in a browser's own container: `ingest.mjs --listen`.

The remote process lives as long as the connection: however that ends, nothing is left behind.
"""

import contextlib
import logging
import os
import socket
import sys

from nexus.extractors.web_article.node_errors import IngestInterrupted
from nexus.waiting import wait_until

logger = logging.getLogger(__name__)

# A browser's container may be restarting; its articles wait for it, but not forever.
CONNECT_SECONDS = 20.0
_TRY_SECONDS = 3.0
_TRY_AGAIN_SECONDS = 0.2


class NodeConnection:
    """One extractor at the other end of a connection."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = _connect(host, port)
        self.replies = self._socket.makefile("rb")
        self._open = True
        logger.info("connected to the extractor at %s:%s", host, port)

    @property
    def is_open(self) -> bool:
        return self._open

    def send(self, line: bytes) -> None:
        self._socket.sendall(line)

    def finish(self) -> None:
        """No more articles: the other side exits, and the replies end."""
        self._socket.shutdown(socket.SHUT_WR)

    def abandon(self) -> None:
        """Close this process's copy only: the connection is the parent's."""
        os.close(self._socket.detach())

    def kill(self) -> None:
        """End the connection; the thread that reads the replies sees their end."""
        self._open = False
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.kill()
        self.replies.close()
        self._socket.close()


def _connect(host: str, port: int) -> socket.socket:
    made: list[socket.socket] = []

    def tried() -> bool:
        with contextlib.suppress(OSError):
            made.append(socket.create_connection((host, port), timeout=_TRY_SECONDS))
        return bool(made)

    if not wait_until(tried, within=CONNECT_SECONDS, every=_TRY_AGAIN_SECONDS):
        logger.error("no extractor responds at %s:%s", host, port)
        raise IngestInterrupted("Nexus cannot reach its browser right now: try again later")
    connection = made[0]
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    _notice_silence(connection)
    return connection


def _notice_silence(connection: socket.socket) -> None:
    """Detect within half a minute that the other machine vanished, whether in use or idle."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 15)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
