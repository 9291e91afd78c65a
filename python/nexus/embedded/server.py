"""What every embedded server offers, and waiting for one."""

import signal
from pathlib import Path
from typing import Protocol

from nexus.waiting import wait_until


class EmbeddedError(Exception):
    """An embedded server cannot be prepared or started; the message is one line."""


class EmbeddedServer(Protocol):
    """A server that runs in the foreground, as a child, from one folder."""

    name: str
    root: Path
    data: Path
    stop_signal: signal.Signals

    @property
    def account(self) -> str | None:
        """The account the server must run as, when that is not the current one."""

    def prepare(self) -> None:
        """Make everything the server needs to start. Safe to repeat."""

    def command(self) -> list[str]:
        """The argv of the server in the foreground."""

    def is_ready(self) -> bool:
        """Whether the server responds."""

    def wait_ready(self, timeout: float) -> None:
        """Return once the server responds; raise EmbeddedError when it does not in time."""

    def stop_leftover(self) -> None:
        """Stop a server that a killed run left behind on the same folder."""


def wait_until_ready(server: EmbeddedServer, timeout: float) -> None:
    """Return once the server responds; raise EmbeddedError when it does not within `timeout`."""
    if not wait_until(server.is_ready, within=timeout):
        raise EmbeddedError(f"{server.name} did not respond within {timeout:.0f} s")
