"""The objects in a JSON file, one at a time, however long the file is.

A damaged file is read to the damage by a strict parser. From there on every object that looks like
a wanted one is searched for, because one lost comma does not make the next thousand unreadable.
"""

from collections.abc import Callable, Iterator
from decimal import DecimalException
from typing import IO, Any, NamedTuple

import ijson

from nexus.importers.json_salvage import salvaged
from nexus.importers.records import Skipped
from nexus.importers.text import text_chunks

Object = dict[str, Any]

MIB = 1024 * 1024
DAMAGED = "The file is damaged here; what could still be read after it was taken."
NOT_AN_ENTRY = "This entry cannot be read."

# Texts are in quotes: so many bytes without one are a single text, or nothing we know.
_MAX_TOKEN = 8 * MIB
_MAX_DEPTH = 64
_MAX_KEY = 100
_MAX_EVENTS = 100_000
_MAX_CHARACTERS = 8 * MIB
# Longer texts are web pages, which are fetched again and not taken from here.
_MAX_TEXT = 512 * 1024
DAMAGE = (ijson.JSONError, ValueError, ArithmeticError, DecimalException, RecursionError)


class Entry(NamedTuple):
    line: int
    """Which object it is, counted from 1."""
    value: Object


def objects(
    file: IO[bytes], *prefixes: str, like: Callable[[Object], bool]
) -> Iterator[Entry | Skipped]:
    """The objects at these paths (as "item" or "bookmarks.item") in their order.

    `like` tells them from other objects in a damaged file, where paths are not known.
    """
    start = file.tell()
    line = given = 0
    try:
        for line, (_, value) in enumerate(values(file, *prefixes), 1):
            if isinstance(value, dict):
                given += like(value)
                yield Entry(line, value)
            else:
                yield Skipped(line, "", NOT_AN_ENTRY)
    except DAMAGE:
        line += 1
        yield Skipped(line, "", DAMAGED)
        file.seek(start)
        rest = salvaged(text_chunks(file), like, skip=given)
        yield from (Entry(number, value) for number, value in enumerate(rest, line + 1))


def values(file: IO[bytes], *prefixes: str) -> Iterator[tuple[str, Any]]:
    """The values at these paths with their paths; raises what ijson does where it is damaged."""
    wanted = frozenset(prefixes)
    building: _Building | None = None
    for prefix, event, value in events(file):
        if building is not None:
            building.add(event, value)
            if building.depth == 0:
                yield building.prefix, None if building.too_large else building.value
                building = None
        elif prefix in wanted and event in ("start_map", "start_array"):
            building = _Building(prefix)
            building.add(event, value)
        elif prefix in wanted and event not in ("map_key", "end_map", "end_array"):
            yield prefix, value


def events(file: IO[bytes]) -> Iterator[tuple[str, str, Any]]:
    """Every event of the parser with the path it is at.

    The parser could tell the paths, but takes very long where objects are nested very deep.
    """
    around: list[str] = []
    prefix = ""
    # Without `use_float`, a number of thousands of digits ends the whole process (ijson 3.6).
    for event, value in ijson.basic_parse(_Utf8(file), use_float=True):
        if event == "map_key":
            yield around[-1], event, value
            prefix = _inside(around[-1], value[:_MAX_KEY])
        elif event in ("start_map", "start_array"):
            yield prefix, event, None
            around.append(prefix)
            if len(around) > _MAX_DEPTH:
                raise ijson.JSONError("nested too deep")
            if event == "start_array":
                prefix = _inside(prefix, "item")
        elif event in ("end_map", "end_array"):
            prefix = around.pop()
            yield prefix, event, None
        else:
            yield prefix, event, value


def _inside(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


class _Building:
    """A value that is put together from events, unless it becomes too large."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.depth = 0
        self._builder = ijson.ObjectBuilder()
        self._events, self._characters = 0, 0

    @property
    def too_large(self) -> bool:
        return self._events > _MAX_EVENTS or self._characters > _MAX_CHARACTERS

    @property
    def value(self) -> Any:
        return self._builder.value

    def add(self, event: str, value: Any) -> None:
        self.depth += event.startswith("start") - event.startswith("end")
        self._events += 1
        if event in ("string", "map_key"):
            value = value if len(value) <= _MAX_TEXT else ""
            self._characters += len(value)
        if not self.too_large:
            self._builder.event(event, value)


class _Utf8:
    """The file as valid UTF-8 for the parser, which insists on it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._chunks = text_chunks(file)
        self._since_quote = 0

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        chunk = next(self._chunks, "").encode()
        quote = chunk.rfind(b'"')
        # A quote behind a backslash may belong to the text itself.
        while quote > 0 and chunk[quote - 1] == ord("\\"):
            quote = chunk.rfind(b'"', 0, quote)
        self._since_quote = (len(chunk) - quote) if quote >= 0 else self._since_quote + len(chunk)
        if self._since_quote > _MAX_TOKEN:
            raise ijson.JSONError("a text without an end")
        return chunk
