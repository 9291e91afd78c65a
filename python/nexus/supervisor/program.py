"""A part of Nexus as the process manager runs it."""

import signal
from collections.abc import Callable
from dataclasses import dataclass

from nexus.embedded.bound import bound_command

Ready = Callable[[], str | None]
"""None when the part is ready, otherwise what is missing, in a few words."""


@dataclass(frozen=True)
class Program:
    """One long-running child. Programs start in the order of their list and stop in reverse."""

    name: str
    command: list[str]
    ready: Ready | None = None
    """Without one, a program that reports nothing is ready when it has lived for a moment."""
    reports: bool = False
    """Ready when it says so itself (`nexus.ready`)."""
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: int = 10
    """How long it may take to stop before it is killed."""
    user: str | None = None
    keeps_data: bool = False
    """Never killed just because a second signal came."""
    preload: tuple[str, ...] = ()
    """Makes it a fork of the process manager (`forked.py`), which imports these modules before."""

    def bound(self) -> list[str]:
        """The argv that ends with the process manager, however that ends."""
        if self.preload:
            return self.command
        return bound_command(self.command, stop_signal=self.stop_signal, user=self.user)
