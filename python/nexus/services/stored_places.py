"""Places in the text as they are stored in an outline.

An archive from elsewhere may bring rows that hold anything; what is no place is passed over.
"""

from typing import Any


def stored_places(stored: Any) -> list[dict[str, Any]]:
    """Entries with a label, the index of a fragment and an offset in it."""
    if not isinstance(stored, list):
        return []
    return [entry for entry in stored if isinstance(entry, dict) and _is_place(entry)]


def stored_pages(stored: Any) -> list[dict[str, Any]]:
    """The same with the number of a page."""
    return [entry for entry in stored_places(stored) if type(entry.get("number")) is int]


def _is_place(entry: dict[str, Any]) -> bool:
    numbers = entry.get("fragment_idx"), entry.get("offset")
    return isinstance(entry.get("label"), str) and all(type(number) is int for number in numbers)
