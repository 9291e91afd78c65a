"""Files with one row per highlight: those of one text become one item, wherever they are."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nexus.importers.items import item
from nexus.importers.records import ImportedHighlight, Record

# When more is held than this, it is given out: the import puts parts of one item together again.
_MAX_CHARACTERS = 2 * 1024 * 1024
_OVERHEAD = 200


@dataclass(slots=True)
class _Group:
    line: int
    fields: dict[str, Any]
    tags: dict[str, None] = field(default_factory=dict)
    marks: list[tuple[float, ImportedHighlight]] = field(default_factory=list)


class Groups:
    """Highlights by the text they are from, within a bound."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, ...], _Group] = {}
        self._held = 0

    def add(
        self,
        key: tuple[str, ...],
        line: int,
        highlights: Iterable[ImportedHighlight],
        *,
        order: float | None = None,
        tags: Iterable[str] = (),
        saved_at: datetime | None = None,
        **fields: Any,
    ) -> Iterator[Record]:
        """Add to the item of this key; the fields are those of its first row, for `item`."""
        group = self._groups.setdefault(key, _Group(line, fields))
        group.tags.update(dict.fromkeys(tags))
        dates = [date for date in (group.fields.get("saved_at"), saved_at) if date is not None]
        group.fields["saved_at"] = min(dates, default=None)
        for mark in highlights:
            # What has no place of its own comes last, in the order of the file.
            place = math.inf if order is None else order
            group.marks.append((place, mark))
            self._held += len(mark.quote) + len(mark.note or "") + _OVERHEAD
        self._held += _OVERHEAD
        if self._held > _MAX_CHARACTERS:
            yield from self.finish()

    def finish(self) -> Iterator[Record]:
        """The items, in the order in which the file names them."""
        groups, self._groups, self._held = self._groups, {}, 0
        for group in groups.values():
            marks = [mark for _, mark in sorted(group.marks, key=lambda placed: placed[0])]
            yield from item(group.line, tags=group.tags, highlights=marks, **group.fields)
