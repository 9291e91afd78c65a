"""Ctrl-C, SIGTERM and a closed terminal: the first one stops Nexus, the next ones speed that up."""

import signal
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(BaseException):
    """Somebody asked Nexus to stop. Like KeyboardInterrupt, not an error."""


class Signals:
    """Raises StopRequested at the first signal; remembers later ones."""

    def __init__(self) -> None:
        self.stopping = False
        """Once set, a signal no longer interrupts what runs: it is the clean-up."""
        self._hurried = False

    def install(self) -> None:
        """Take over the signals of this process."""
        signal.signal(signal.SIGINT, self._receive)
        signal.signal(signal.SIGTERM, self._receive)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
            signal.signal(signal.SIGHUP, self._receive)

    def hurried(self) -> bool:
        """Whether a signal came after the one that stopped us."""
        return self._hurried

    def _receive(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.stopping:
            self._hurried = True
            return
        self.stopping = True
        raise StopRequested
