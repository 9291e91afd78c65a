"""What `nexus up` tells the person at the terminal."""

from pathlib import Path

from nexus.embedded.server import Say
from nexus.supervisor.layout import Layout
from nexus.supervisor.supervisord import Event

_TAIL_LINES = 15
_TAIL_BYTES = 16_384


class Console:
    """Short lines of progress, and the log of whatever went wrong."""

    def __init__(self, layout: Layout, say: Say) -> None:
        self.say = say
        self._layout = layout
        # Only what this run wrote explains what happened in this run.
        self._log_starts = {log: log.stat().st_size for log in layout.logs.glob("*.log")}

    def report(self, event: Event) -> None:
        """Tell of a program that ended by itself."""
        if event.kind == "exited":
            self.say(f"{event.name} ended unexpectedly ({event.reason}); it is started again")
            self.show_log(event.name)
        elif event.kind == "gave up":
            self.say(f"{event.name} keeps ending right after its start; still trying")

    def show_log(self, name: str) -> None:
        """The last lines that a program wrote in this run, and where the rest is."""
        log = self._layout.log_of(name)
        for line in _tail(log, self._log_starts.get(log, 0)):
            self.say(f"  {name} | {line}")
        self.say(f"  the whole log: {log}")


def _tail(log: Path, start: int) -> list[str]:
    try:
        with log.open("rb") as file:
            end = file.seek(0, 2)
            # Shorter than it was: rotated since.
            start = start if start <= end else 0
            file.seek(max(start, end - _TAIL_BYTES))
            return file.read().decode(errors="replace").splitlines()[-_TAIL_LINES:]
    except OSError:
        return []
