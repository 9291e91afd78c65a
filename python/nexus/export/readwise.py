"""CSV as Readwise imports it: a row for each highlight."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime

from nexus.db.models import UnplacedHighlight
from nexus.export.items import ExportedItem
from nexus.export.job import ExportJob
from nexus.schemas.highlights import HighlightOfMedia

_HEADER = ("Highlight", "Title", "Author", "URL", "Note", "Location", "Date")
# A spreadsheet takes a cell that begins so for a formula; with a space before it, for text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(job: ExportJob) -> Iterator[bytes]:
    yield _line(_HEADER)
    for item in job.items(marked=True):
        for highlight in item.highlights:
            yield _line(_row(item, highlight))
        for one in item.unplaced:
            # A note on the whole item is no highlight.
            if one.quote:
                yield _line(_unplaced(item, one))


def _row(item: ExportedItem, highlight: HighlightOfMedia) -> tuple[str, ...]:
    note = highlight.annotation.body if highlight.annotation else ""
    # The location only orders the highlights of an item.
    location = str(item.offset(highlight))
    return _cells(item, highlight.exact, note, location, highlight.created_at)


def _unplaced(item: ExportedItem, one: UnplacedHighlight) -> tuple[str, ...]:
    return _cells(item, one.quote, one.note or "", "", one.created_at)


def _cells(
    item: ExportedItem, quote: str, note: str, location: str, made: datetime
) -> tuple[str, ...]:
    date = f"{made.astimezone(UTC):%Y-%m-%d %H:%M:%S}+00:00"
    authors = ", ".join(item.media.authors)
    return quote, item.media.title, authors, item.address or "", note, location, date


def _line(cells: tuple[str, ...]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(f" {cell}" if cell.startswith(_FORMULA) else cell for cell in cells)
    return line.getvalue().encode()
