"""Runs an ASGI app on a loopback port, in a thread, with the server used in production."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from tests.patience import PATIENCE_SECONDS


@contextmanager
def served(app: Any, **options: Any) -> Iterator[str]:
    """The base URL of the app while the block runs."""
    # The socket listens before the server runs, so early connections wait instead of failing.
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1, **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=PATIENCE_SECONDS)
        listener.close()
