"""How long work tells the person what it does."""

from collections.abc import Callable

Progress = Callable[[str], None]
"""Tells the person one line."""
