"""Titles: never blank, never endless."""

from nexus.text import collapse_name

MAX_TITLE_LENGTH = 255
UNTITLED = "Untitled"


def clean_title(text: str) -> str:
    """What an item is called until its own title is known: its address or file name."""
    return collapse_name(text)[:MAX_TITLE_LENGTH].strip() or UNTITLED
