"""How long-running work reports what it is doing."""

from collections.abc import Callable

Progress = Callable[[str], None]
"""Shows the person one line."""
