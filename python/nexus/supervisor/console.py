"""What `nexus up` prints for the person at the terminal."""

import contextlib
import os
import sys
from pathlib import Path

from nexus.progress import Progress
from nexus.supervisor.layout import Layout
from nexus.supervisor.supervisord import Event

_TAIL_LINES = 15
_TAIL_BYTES = 16_384


class Console:
    """Short lines of progress, and the log of whatever went wrong."""

    def __init__(
        self, layout: Layout, say: Progress, *, shown: dict[str, int] | None = None
    ) -> None:
        self.say = say
        self._layout = layout
        # Only what was written since the start, and not shown yet, explains what just happened.
        before = {log.name: log.stat().st_size for log in layout.logs.glob("*.log")}
        self.shown = before if shown is None else shown

    def report(self, event: Event) -> None:
        """Report a program that ended by itself."""
        if event.kind == "exited":
            self.say(f"{event.name} ended unexpectedly ({event.reason}); it is started again")
            self.show_log(event.name)
        elif event.kind == "gave up":
            self.say(f"{event.name} keeps ending right after its start; still trying")

    def show_log(self, name: str) -> None:
        """The last lines that a program wrote, and where the rest is."""
        log = self._layout.log_of(name)
        for line in self._new_lines(log)[-_TAIL_LINES:]:
            self.say(f"  {name} | {line}")
        self.say(f"  the whole log: {log}")

    def _new_lines(self, log: Path) -> list[str]:
        try:
            with log.open("rb") as file:
                end = file.seek(0, os.SEEK_END)
                start = self.shown.get(log.name, 0)
                # Shorter than it was: rotated since.
                start = start if start <= end else 0
                file.seek(max(start, end - _TAIL_BYTES))
                text = file.read().decode(errors="replace")
        except OSError:
            return []
        self.shown[log.name] = end
        return text.splitlines()


def say(line: str) -> None:
    """Print one line at once. A closed pipe must not stop Nexus."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
