"""A network whose every step takes the time that its script says, by a clock of its own."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import httpcore
import pytest

from nexus.outbound.network import BoundedNetwork

# A step that never ends by itself.
FOREVER = float("inf")
Script = Callable[[], Iterable[bytes]]


class ScriptedNetwork(httpcore.NetworkBackend):
    """Connections that read what their script yields, each piece after `pause` seconds.

    No real time passes: a step that takes longer than it may moves the clock on by what it may.
    """

    def __init__(
        self,
        *scripts: Script,
        pause: float = 0.0,
        write_pause: float = 0.0,
        handshake: float = 0.0,
    ) -> None:
        self.now = 1000.0
        self.pause = pause
        self.write_pause = write_pause
        self.handshake = handshake
        self.steps = 0
        self.opened = 0
        self._scripts = iter(scripts)

    @classmethod
    def used(
        cls, monkeypatch: pytest.MonkeyPatch, *scripts: Script, **pauses: float
    ) -> "ScriptedNetwork":
        """One that every client uses from now on."""
        network = cls(*scripts, **pauses)
        bounded = partial(BoundedNetwork, network)
        monkeypatch.setattr("nexus.outbound.client.BoundedNetwork", bounded)
        return network

    def clock(self) -> float:
        return self.now

    def connect_tcp(self, *_args: Any, **_more: Any) -> httpcore.NetworkStream:
        self.opened += 1
        return ScriptedStream(self, filter(None, next(self._scripts)()))

    def spend(
        self, seconds: float, timeout: float | None, error: type[httpcore.TimeoutException]
    ) -> None:
        assert timeout is not None, "a step without a limit"
        self.steps += 1
        self.now += min(seconds, timeout)
        if seconds > timeout:
            raise error


class ScriptedStream(httpcore.NetworkStream):
    def __init__(self, network: ScriptedNetwork, pieces: Iterator[bytes]) -> None:
        self._network = network
        self._pieces = pieces

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._network.spend(self._network.pause, timeout, httpcore.ReadTimeout)
        piece = next(self._pieces, b"")
        assert len(piece) <= max_bytes
        return piece

    def write(self, _buffer: bytes, timeout: float | None = None) -> None:
        self._network.spend(self._network.write_pause, timeout, httpcore.WriteTimeout)

    def start_tls(
        self, _context: Any, _name: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        self._network.spend(self._network.handshake, timeout, httpcore.ConnectTimeout)
        return self

    def close(self) -> None:
        """Nothing to close."""

    def get_extra_info(self, _info: str) -> Any:
        return None
