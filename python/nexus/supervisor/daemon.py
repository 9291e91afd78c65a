"""supervisord, with logs that a full disk cannot turn against it.

As it comes, it ends when neither a log line nor the complaint about that can be written, and takes
everything it supervises with it. Here such a line is dropped. Our own programs run in forks of it
(`forked.py`).
"""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from supervisor import loggers, options, supervisord

from nexus.supervisor.forked import become, is_forked


class PatientFileHandler(loggers.RotatingFileHandler):  # type: ignore[misc]
    """Writes what it can. What it cannot is lost, and the next line is attempted again."""

    def emit(self, record: loggers.LogRecord) -> None:
        """Write one line, and start a new file when it is time."""
        try:
            super().emit(record)
        except (OSError, ValueError):
            # Starting a new file failed half-way and left the old one closed.
            with contextlib.suppress(OSError):
                self.stream = Path(self.baseFilename).open("ab")  # noqa: SIM115 - for long

    def handleError(self) -> None:
        """Report why a line could not be written, if even that is possible."""
        with contextlib.suppress(OSError):
            super().handleError()


class ForkingOptions(options.ServerOptions):  # type: ignore[misc]
    """Runs the programs that are Python modules in the fork itself."""

    def execve(self, filename: str, argv: Sequence[str], env: Mapping[str, str]) -> None:
        """Become another program. Called in the fork, where supervisord closed its files."""
        if is_forked(argv):
            become(argv, env)
        super().execve(filename, argv, env)


def main() -> None:
    supervisord.ServerOptions = ForkingOptions
    loggers.RotatingFileHandler = PatientFileHandler
    supervisord.main()


if __name__ == "__main__":
    main()
