"""Folders that name their parents, as paths."""

from typing import NamedTuple

_MAX_DEPTH = 50


class Folder(NamedTuple):
    name: str
    parent: str
    """The key of the folder it is in; anything else, if it is in none."""


def paths(folders: dict[str, Folder]) -> dict[str, str]:
    """The path of each folder, as "Research / Go", even if folders are inside each other."""
    return {key: _path(folders, key) for key in folders}


def _path(folders: dict[str, Folder], key: str) -> str:
    names: list[str] = []
    seen: set[str] = set()
    while key in folders and key not in seen and len(seen) < _MAX_DEPTH:
        seen.add(key)
        names.append(folders[key].name)
        key = folders[key].parent
    return " / ".join(filter(None, reversed(names)))
