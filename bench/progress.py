"""One line on the terminal that shows what is being measured; nothing when nobody watches."""

import sys
import time


class Progress:
    """Shown on stderr, so that the table can be piped away."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._said = ""
        self._at = 0.0

    def __call__(self, text: str) -> None:
        """Show `text` in place of what was shown before."""
        now = time.monotonic()
        if self._live:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        elif now - self._at > 10:
            # A log gets a line now and then.
            sys.stderr.write(f"{text}\n")
            self._at = now

    def clear(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
