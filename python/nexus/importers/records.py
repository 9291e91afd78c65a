"""What every importer turns a file into: items with their highlights, and lines not taken.

Records are stored as JSON between the preview and the import, so each can be written and read.
"""

import dataclasses
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from nexus.db.enums import HighlightColor, ReadingState

Json = dict[str, Any]


class InvalidFile(Exception):
    """The file as a whole cannot be read; the message says why, for the person who gave it."""


@dataclass(frozen=True, slots=True)
class ImportedHighlight:
    quote: str
    """Empty if there is only a note: one on the item as a whole."""
    prefix: str = ""
    suffix: str = ""
    note: str | None = None
    color: HighlightColor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    position: int | None = None
    """Where it starts in the text of the source, in code points; it orders highlights."""
    fragment: int | None = None
    start: int | None = None
    end: int | None = None
    """The exact place, which only our own archives know."""
    page: str | None = None
    """The label of its page."""
    tags: tuple[str, ...] = ()

    def to_json(self) -> Json:
        return _to_json(self)

    @classmethod
    def from_json(cls, values: Json) -> Self:
        color = values.get("color")
        return cls(
            **{
                **values,
                **_dates(values, "created_at", "updated_at"),
                **_tuples(values, "tags"),
                "color": None if color is None else HighlightColor(color),
            }
        )


@dataclass(frozen=True, slots=True)
class ImportedItem:
    line: int
    """Where it is in the file: a line, a row or an entry, counted from 1."""
    url: str | None
    title: str | None = None
    authors: tuple[str, ...] = ()
    saved_at: datetime | None = None
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Each is a path such as "Research / Go", and becomes a library."""
    state: ReadingState | None = None
    progress: float | None = None
    """How much of it was read, from 0 to 1."""
    archived: bool = False
    favourite: bool = False
    excerpt: str | None = None
    highlights: tuple[ImportedHighlight, ...] = ()
    member: str | None = None
    """The entry of the archive with its PDF or EPUB, or its document in our own archives."""

    def to_json(self) -> Json:
        highlights = [highlight.to_json() for highlight in self.highlights]
        return _to_json(self) | ({"highlights": highlights} if highlights else {})

    @classmethod
    def from_json(cls, values: Json) -> Self:
        state = values.get("state")
        highlights = values.get("highlights", ())
        return cls(
            **{
                **values,
                **_dates(values, "saved_at"),
                **_tuples(values, "authors", "tags", "folders"),
                "state": None if state is None else ReadingState(state),
                "highlights": tuple(map(ImportedHighlight.from_json, highlights)),
            }
        )


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that is not taken, or a part of one that is not."""

    line: int
    what: str
    """Its title or address, shortened."""
    reason: str
    """A sentence for a person, from a small set: previews count by it."""

    def to_json(self) -> Json:
        return _to_json(self)

    @classmethod
    def from_json(cls, values: Json) -> Self:
        return cls(**values)


Record = ImportedItem | Skipped


def _to_json(record: ImportedHighlight | ImportedItem | Skipped) -> Json:
    """The fields that say something: what is left out has its default."""
    written = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if isinstance(value, tuple):
            value = list(value)
        if isinstance(value, datetime):
            value = value.isoformat()
        if field.default is dataclasses.MISSING or value not in (field.default, []):
            written[field.name] = value
    return written


def _dates(values: Json, *names: str) -> Json:
    return {name: datetime.fromisoformat(values[name]) for name in names if values.get(name)}


def _tuples(values: Json, *names: str) -> Json:
    return {name: tuple(values[name]) for name in names if name in values}
