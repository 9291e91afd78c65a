"""Items as every importer makes them: cleaned, within limits, and nothing left out silently.

What is beyond a limit is split where it can be (a long note, and the highlights of an item over
several records that mean the same item), and otherwise reported as a part that is not taken.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar

from nexus.db.enums import ReadingState
from nexus.importers.fields import address_problem, text
from nexus.importers.records import ImportedHighlight, ImportedItem, Record, Skipped
from nexus.text import collapse_name

MAX_TITLE = 1000
MAX_AUTHORS = 50
MAX_NAME = 100
MAX_TAGS = 50
MAX_FOLDERS = 50
MAX_NOTE = 10_000
MAX_QUOTE = 100_000
MAX_EXCERPT = 1000
MAX_CONTEXT = 1000
MAX_HIGHLIGHTS = 500
_MAX_WHAT = 120
_MOST_LOOKED_AT = 2 * MAX_TITLE

TAG_TOO_LONG = f"A tag is longer than {MAX_NAME} characters; the rest was taken."
TOO_MANY_TAGS = f"It has more than {MAX_TAGS} tags; the first {MAX_TAGS} were taken."
TOO_MANY_FOLDERS = f"It is in more than {MAX_FOLDERS} folders; the first were taken."
QUOTE_TOO_LONG = f"A highlight is longer than {MAX_QUOTE:,} characters; the rest was taken."

Source = TypeVar("Source")

_NOT_IN_TAGS = str.maketrans({",": " ", '"': " "})


def item(
    line: int,
    url: object,
    *,
    title: object = "",
    authors: Iterable[str] = (),
    saved_at: datetime | None = None,
    tags: Iterable[str] = (),
    folders: Iterable[str] = (),
    state: ReadingState | None = None,
    progress: float | None = None,
    archived: bool = False,
    favourite: bool = False,
    excerpt: object = "",
    highlights: Iterable[ImportedHighlight] = (),
    member: str | None = None,
) -> Iterator[Record]:
    """The records of one item: what is taken of it, and what is not and why.

    Without a web address it is taken only for what else it has: highlights or a file.
    """
    address, name = text(url), _collapsed(title, MAX_TITLE)
    what = _cut(name or address)
    problem = address_problem(address)
    kept, too_long = _within_limits(highlights)
    if too_long:
        yield Skipped(line, what, QUOTE_TOO_LONG)
    if problem and not kept and member is None:
        yield Skipped(line, what, problem)
        return
    taken_tags, problems = _tags(tags)
    taken_folders = list(dict.fromkeys(filter(None, map(_folder, folders))))
    if len(taken_folders) > MAX_FOLDERS:
        problems.append(TOO_MANY_FOLDERS)
    for reason in problems:
        yield Skipped(line, what, reason)
    first = ImportedItem(
        line=line,
        url=None if problem else address,
        # An address that is no title says nothing that the address does not.
        title=name if name and name != address else None,
        authors=_names(authors),
        saved_at=saved_at,
        tags=tuple(taken_tags),
        folders=tuple(taken_folders[:MAX_FOLDERS]),
        state=state,
        progress=progress,
        archived=archived,
        favourite=favourite,
        excerpt=text(excerpt)[:MAX_EXCERPT] or None,
        highlights=tuple(kept[:MAX_HIGHLIGHTS]),
        member=member,
    )
    yield first
    for start in range(MAX_HIGHLIGHTS, len(kept), MAX_HIGHLIGHTS):
        yield dataclasses.replace(first, highlights=tuple(kept[start : start + MAX_HIGHLIGHTS]))


def records(
    found: Iterable[Source | Skipped], make: Callable[[Source], Iterable[Record]]
) -> Iterator[Record]:
    """What is made of each row or entry; those that could not be read are reported."""
    for each in found:
        if isinstance(each, Skipped):
            yield each
        else:
            yield from make(each)


def highlight(
    quote: object, note: object = "", *, tags: Iterable[str] = (), **more: object
) -> list[ImportedHighlight]:
    """A highlight, or a note on the whole item if nothing is quoted; none if there is neither.

    `more` are further fields of ImportedHighlight.
    """
    words, body = text(quote), text(note)
    if not words and not body:
        return []
    made = ImportedHighlight(quote=words, note=body or None, tags=tuple(_tags(tags)[0]))
    return [dataclasses.replace(made, **more)]  # type: ignore[arg-type]


def shortened(what: str) -> str:
    """A title or a line, as a report shows it."""
    return _cut(_collapsed(what, _MAX_WHAT + 1))


def _cut(what: str) -> str:
    return what if len(what) <= _MAX_WHAT else f"{what[: _MAX_WHAT - 1]}…"


def _within_limits(found: Iterable[ImportedHighlight]) -> tuple[list[ImportedHighlight], bool]:
    """Each once, with long notes split; and whether one is longer than can be kept."""
    kept: dict[ImportedHighlight, None] = {}
    too_long = False
    for each in found:
        if len(each.quote) > MAX_QUOTE:
            too_long = True
            continue
        first, *rest = _pieces(each.note) if each.note else [None]
        prefix, suffix = each.prefix[-MAX_CONTEXT:], each.suffix[:MAX_CONTEXT]
        kept[dataclasses.replace(each, note=first, prefix=prefix, suffix=suffix)] = None
        # One note belongs to one highlight, so what is left of it belongs to the item.
        for piece in rest:
            kept[dataclasses.replace(each, quote="", prefix="", suffix="", note=piece)] = None
    return list(kept), too_long


def _pieces(note: str) -> Iterator[str]:
    """A note in parts that fit, cut between words where there are any."""
    while len(note) > MAX_NOTE:
        cut = max(note.rfind(space, MAX_NOTE // 2, MAX_NOTE) for space in " \n")
        cut = cut if cut > 0 else MAX_NOTE
        yield note[:cut].rstrip()
        note = note[cut:].lstrip()
    if note:
        yield note


def _tags(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The tags as they can be kept, each once in any letters, and what is wrong with the others."""
    taken: dict[str, str] = {}
    problems: dict[str, None] = {}
    for each in names:
        name = _collapsed(text(each).translate(_NOT_IN_TAGS), MAX_NAME + 1)
        if not name.strip("."):
            continue
        if len(name) > MAX_NAME:
            problems[TAG_TOO_LONG] = None
        elif len(taken) == MAX_TAGS and name.casefold() not in taken:
            problems[TOO_MANY_TAGS] = None
        else:
            taken.setdefault(name.casefold(), name)
    return list(taken.values()), list(problems)


def _folder(path: str) -> str:
    """The path as the name of a library; of one that is too long the end says most."""
    name = collapse_name(text(path)[-_MOST_LOOKED_AT:])
    return name if len(name) <= MAX_NAME else f"…{name[1 - MAX_NAME :]}"


def _names(names: Iterable[str]) -> tuple[str, ...]:
    found = (_collapsed(name, MAX_TITLE) for name in names)
    return tuple(dict.fromkeys(filter(None, found)))[:MAX_AUTHORS]


def _collapsed(value: object, most: int) -> str:
    """The beginning as a name; looking at every character of a long text takes long."""
    return collapse_name(text(value)[:_MOST_LOOKED_AT])[:most].strip()
