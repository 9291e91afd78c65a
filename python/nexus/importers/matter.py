"""Matter: the archive of its export, or the history from it by itself."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from nexus.db.enums import ReadingState
from nexus.importers.archives import is_zip, opened_zip, unpacked
from nexus.importers.csv_rows import Row, csv_rows
from nexus.importers.fields import date, flag, separated
from nexus.importers.grouping import Groups
from nexus.importers.items import highlight, item
from nexus.importers.peek import Peek
from nexus.importers.records import Record, Skipped
from nexus.zips.reader import ZipReader

_HISTORY = {"title", "author", "publisher", "url", "last interaction date", "file id"}
_MARKS = {"title", "author", "publisher", "text", "highlighted date"}
_TABLE = re.compile(r"\.csv$", re.I)


def fits(peek: Peek) -> bool:
    tables = [peek.inside(name) for name in peek.names if _TABLE.search(name)]
    return any({*each.columns} >= _HISTORY for each in (peek, *tables))


def read(file: BinaryIO) -> Iterator[Record]:
    head = file.read(4)
    file.seek(0)
    if not is_zip(head):
        yield from _table(file, 0)
        return
    with opened_zip(file) as archive:
        yield from _archive(archive)


def _archive(archive: ZipReader) -> Iterator[Record]:
    line = 0
    for name in filter(_TABLE.search, archive.names()):
        with unpacked(archive, name) as (file, problems):
            before = line
            for record in _table(file, before):
                line = max(line, record.line)
                yield record
            yield from problems


def _table(file: BinaryIO, before: int) -> Iterator[Record]:
    """The items of the history, or the highlights, whichever this table has."""
    groups = Groups()
    for row in csv_rows(file):
        if isinstance(row, Skipped):
            yield Skipped(before + row.line, row.what, row.reason)
        elif row.cells.keys() >= _HISTORY:
            yield from _item(row, before)
        elif row.cells.keys() >= _MARKS:
            marked_at = date(row["highlighted date"])
            yield from groups.add(
                (row["title"].casefold(), row["author"]),
                before + row.line,
                highlight(row["text"], row["note"], created_at=marked_at),
                saved_at=marked_at,
                url=None,
                title=row["title"],
                authors=[row["author"]],
            )
    yield from groups.finish()


def _item(row: Row, before: int) -> Iterator[Record]:
    queued = row["in queue"]
    yield from item(
        before + row.line,
        row["url"],
        title=row["title"],
        authors=[row["author"]],
        saved_at=date(row["last interaction date"]),
        tags=separated(row["tags"], ";"),
        state=ReadingState.FINISHED if flag(row["read"]) else None,
        archived=bool(queued) and not flag(queued),
        favourite=flag(row["favorited"]),
    )
