"""The extractor that all articles of one worker process share."""

import atexit
import contextlib
import os
import threading
import time
from collections.abc import Iterator

from nexus.config import Settings
from nexus.extractors.web_article.node_server import ExtractorServer

IDLE_SECONDS = 60.0
"""After which an extractor that nobody uses is ended. The next article starts another."""

_server: ExtractorServer | None = None
_server_lock = threading.Lock()
_abandoned: list[ExtractorServer] = []


@contextlib.contextmanager
def shared_extractor(settings: Settings) -> Iterator[ExtractorServer]:
    """This process's extractor, which is not ended before the block is."""
    global _server
    with _server_lock:
        if _server is None or not _server.is_alive:
            _server = ExtractorServer(settings)
        server = _server
        server.users += 1
    try:
        yield server
    finally:
        with _server_lock:
            server.users -= 1
            server.used_at = time.monotonic()
            if server.timer is None:
                _look_later(server, IDLE_SECONDS)


def is_running() -> bool:
    """Whether this process has an extractor now."""
    return _server is not None and _server.is_alive


def stop() -> None:
    """End this process's extractor, its browser included. The next article starts a new one."""
    global _server
    with _server_lock:
        server, _server = _server, None
    if server:
        server.stop()


def _look_later(server: ExtractorServer, seconds: float) -> None:
    server.timer = threading.Timer(seconds, _stop_if_idle, (server,))
    server.timer.daemon = True
    server.timer.start()


def _stop_if_idle(server: ExtractorServer) -> None:
    """Nobody needs it for now: it takes more memory than everything else at rest."""
    global _server
    with _server_lock:
        if _server is not server:
            return
        left = IDLE_SECONDS - (time.monotonic() - server.used_at)
        if server.users or left > 0:
            _look_later(server, max(left, 1.0))
            return
        _server = None
    server.stop()


def _forget_after_fork() -> None:
    """The extractor is the parent's: a forked child must drop it and start its own."""
    global _server, _server_lock
    _server_lock = threading.Lock()
    if _server:
        # Kept, because collecting the object would wait for a process that is not our child.
        _abandoned.append(_server)
        with contextlib.suppress(OSError):
            _server.link.abandon()
    _server = None


os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(stop)
