"""How long work tells the person what it does."""

from collections.abc import Callable

Say = Callable[[str], None]
"""Tells the person one line."""
