"""uvicorn protocols in an event loop whose time only passes when a test says so."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

# More turns of the loop than anything here takes to come to rest.
_TURNS = 50
_HIGH_WATER = 64 * 1024


class VirtualLoop(asyncio.SelectorEventLoop):
    """Timers are due by `now`."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__()

    def time(self) -> float:
        return self.now


class HurryingLoop(VirtualLoop):
    """Whenever nothing is left to do, it is time for the next timer."""

    def _run_once(self) -> None:
        timers = [timer.when() for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        if timers and not self._ready:  # type: ignore[attr-defined]
            self.now = max(self.now, min(timers))
        super()._run_once()  # type: ignore[misc]


class Client(asyncio.Transport):
    """A connection to the server, as a client sees it."""

    def __init__(self, server: "VirtualServer", address: str) -> None:
        super().__init__({"peername": (address, 40_000), "sockname": ("127.0.0.1", 80)})
        self.reads = True
        self.received = b""
        self.unread = b""
        self.is_open = True
        self._closing = False
        self._writing_paused = False
        self._server = server
        self.protocol = server.protocol(server.config, server.state, {}, server.loop)
        server.in_loop(self.protocol.connection_made, self)

    def sends(self, data: bytes) -> None:
        if data and not self._closing:
            self._server.in_loop(self.protocol.data_received, data)

    def takes(self, count: int) -> None:
        """Read some of what waits to be read."""
        self._server.in_loop(self._take, count)

    def write(self, data: Any) -> None:
        if not self.is_open:
            return
        self.unread += bytes(data)
        if self.reads:
            self._take(len(self.unread))
        elif len(self.unread) > _HIGH_WATER and not self._writing_paused:
            self._writing_paused = True
            self.protocol.pause_writing()

    def _take(self, count: int) -> None:
        self.received, self.unread = self.received + self.unread[:count], self.unread[count:]
        if self._writing_paused and not self.unread:
            self._writing_paused = False
            self.protocol.resume_writing()
        if self._closing and not self.unread:
            self._lost()

    def close(self) -> None:
        """As a real one: only once everything was read."""
        self._closing = True
        if not self.unread:
            self._lost()

    def abort(self) -> None:
        self._closing = True
        self._lost()

    def _lost(self) -> None:
        if self.is_open:
            self.is_open = False
            self._server.loop.call_soon(self.protocol.connection_lost, None)

    def is_closing(self) -> bool:
        return self._closing

    def get_write_buffer_size(self) -> int:
        return len(self.unread)

    def pause_reading(self) -> None:
        """Nothing here sends more than a test means to."""

    def resume_reading(self) -> None:
        """See pause_reading."""


class VirtualServer:
    """Connections to one app; nothing happens between the calls of a test."""

    def __init__(self, app: ASGIApp, protocol: type[Any], pool: ThreadPoolExecutor) -> None:
        self.protocol = protocol
        self.loop = VirtualLoop()
        self.state = ServerState()
        self.config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False)
        self._pool = pool

    def connect(self, *pieces: bytes, address: str = "127.0.0.1") -> Client:
        client = Client(self, address)
        for piece in pieces:
            client.sends(piece)
        return client

    def passes(self, seconds: float) -> None:
        """Let time pass, in steps shorter than any that is measured."""
        ends = self.loop.now + seconds
        while self.loop.now < ends:
            self.loop.now = min(self.loop.now + 0.5, ends)
            self.in_loop()

    def in_loop(self, call: Any = None, *args: Any) -> None:
        """Make a call and let all that follows from it happen."""

        async def settle() -> None:
            if call is not None:
                call(*args)
            for _ in range(_TURNS):
                await asyncio.sleep(0)

        # In a thread of its own: where a browser is driven, the main thread has a loop already.
        self._pool.submit(self.loop.run_until_complete, settle()).result()

    def close(self) -> None:
        for connection in list(self.state.connections):
            self.in_loop(connection.transport.abort)
        self.loop.close()


@contextmanager
def virtual_server(app: ASGIApp, protocol: type[Any]) -> Iterator[VirtualServer]:
    with ThreadPoolExecutor(1) as pool:
        server = VirtualServer(app, protocol, pool)
        try:
            yield server
        finally:
            server.close()
