"""The clippings of each book: the latest version of every highlight, with its notes."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from nexus.importers.items import highlight, item
from nexus.importers.kindle_entries import Clipping, Kind
from nexus.importers.records import ImportedHighlight, Record

# When more is held than this, it is given out: the import puts parts of one book together again.
_MAX_CHARACTERS = 2 * 1024 * 1024
_OVERHEAD = 500
_MOST_COMPARED = 50

Place = tuple[int | None, str | None]


@dataclass(slots=True)
class _Book:
    line: int
    title: str
    authors: tuple[str, ...]
    marks: dict[Place, list[Clipping]] = field(default_factory=dict)
    notes: dict[Place, list[Clipping]] = field(default_factory=dict)


class Books:
    def __init__(self) -> None:
        self._books: dict[tuple[str, ...], _Book] = {}
        self._held = 0

    def add(self, found: Clipping) -> Iterator[Record]:
        book = self._books.setdefault(
            (found.title.casefold(), *found.authors), _Book(found.line, found.title, found.authors)
        )
        _keep_latest(book.notes if found.kind is Kind.NOTE else book.marks, found)
        self._held += len(found.text) + _OVERHEAD
        if self._held > _MAX_CHARACTERS:
            yield from self.finish()

    def finish(self) -> Iterator[Record]:
        books, self._books, self._held = self._books, {}, 0
        for book in books.values():
            marks, notes = _in_order(book.marks), _in_order(book.notes)
            dates = [each.added_at for each in (*marks, *notes) if each.added_at]
            yield from item(
                book.line,
                None,
                title=book.title,
                authors=book.authors,
                saved_at=min(dates, default=None),
                highlights=_highlights(marks, notes),
            )


def _keep_latest(kept: dict[Place, list[Clipping]], found: Clipping) -> None:
    """A highlight made longer or shorter is appended again, and begins at the same place."""
    # Places on one page are not told apart, so there only the same text is the same highlight.
    place = (found.start, None if found.start is not None else found.page)
    same = kept.setdefault(place, [])
    for at in range(max(0, len(same) - _MOST_COMPARED), len(same)):
        other = same[at].text
        changed = found.start is not None and (other in found.text or found.text in other)
        if changed or other == found.text:
            same[at] = found
            return
    same.append(found)


def _in_order(kept: dict[Place, list[Clipping]]) -> list[Clipping]:
    """As in the book; those without a place as in the file."""
    found = sorted((each for same in kept.values() for each in same), key=lambda each: each.line)
    return sorted(found, key=lambda each: (each.start is None, each.start or 0))


def _highlights(marks: list[Clipping], notes: list[Clipping]) -> list[ImportedHighlight]:
    written: dict[int, list[str]] = {}
    alone = []
    for note in notes:
        mark = _about(note, marks)
        if mark is None:
            alone.append(note)
        else:
            written.setdefault(mark.line, []).append(note.text)
    made = [
        highlight(
            mark.text,
            "\n\n".join(written.get(mark.line, [])),
            created_at=mark.added_at,
            page=mark.page,
        )
        for mark in marks
    ]
    made += [highlight("", note.text, created_at=note.added_at, page=note.page) for note in alone]
    return [each for several in made for each in several]


def _about(note: Clipping, marks: list[Clipping]) -> Clipping | None:
    """The highlight that a note is about: it is written at the end of it, or inside."""
    if note.start is not None:
        around = [mark for mark in marks if _contains(mark, note.start)]
        return min(around, key=lambda mark: (mark.end or 0) - (note.start or 0), default=None)
    before = [mark for mark in marks if mark.page == note.page and mark.line < note.line]
    return before[-1] if before and note.page is not None else None


def _contains(mark: Clipping, place: int) -> bool:
    return mark.start is not None and mark.start <= place <= (mark.end or mark.start)
