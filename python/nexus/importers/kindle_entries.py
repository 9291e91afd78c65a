"""One entry of "My Clippings.txt": which book, what kind, where in it, when, and the text.

Kindles write the second line in the language they are set to, so it is read by its structure: the
last part is the date, a range is a place in the book, another number is the page. Words decide only
where numbers cannot.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from nexus.importers.kindle_dates import clipped_at

_PARTS = re.compile(r"[|｜]")
_NOTE = re.compile(r"\b(?:note|nota|notiz|notitie|anteckning|заметка)\b|笔记|筆記|メモ", re.I)
_BOOKMARK = re.compile(
    r"\b(?:bookmark|marcador|signet|lesezeichen|segnalibro|bladwijzer|закладка)\b|书签|書籤|ブックマーク",
    re.I,
)
_PAGE = re.compile(r"(?:pages?|página|pagina|seite|страниц[аеы]|第)\s*#?\s*$", re.I)
_AFTER_PAGE = re.compile(r"\s*(?:页|頁|ページ)")
_PLACE = re.compile(r"(?:loc|posi|emplac|местоп|место|位置)", re.I)
_NUMBER = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_ROMAN = re.compile(r"(?:page|página|pagina|seite|странице)\s+([ivxlcdm]+)\b", re.I)
_AUTHOR = re.compile(r"[(（]((?:[^()（）]|[(（][^()（）]*[)）])*)[)）]\s*$")
_LIMIT = re.compile(r"clipping limit|^\s*<[^<>]{10,300}>\s*$", re.I)


class Kind(Enum):
    HIGHLIGHT = "highlight"
    NOTE = "note"
    BOOKMARK = "bookmark"
    LIMIT = "limit"
    """A highlight of which the publisher does not let the text out."""


@dataclass(slots=True)
class Clipping:
    line: int
    title: str
    authors: tuple[str, ...]
    kind: Kind
    page: str | None
    start: int | None
    end: int | None
    added_at: datetime | None
    text: str


def is_description(line: str) -> bool:
    """Whether it can be the second line of an entry."""
    return line.lstrip("\ufeff ").startswith("-") and _PARTS.search(line) is not None


def parsed(line: int, title: str, description: str, text: str) -> Clipping:
    *places, added = _PARTS.split(description)
    where = " | ".join(places)
    page, start, end = _places(where)
    name, authors = _book(title)
    return Clipping(
        line, name, authors, _kind(where, text), page, start, end, clipped_at(added), text
    )


def _kind(where: str, text: str) -> Kind:
    if not text or _BOOKMARK.search(where):
        return Kind.BOOKMARK
    if _NOTE.search(where):
        return Kind.NOTE
    return Kind.LIMIT if len(text) < 400 and _LIMIT.search(text) else Kind.HIGHLIGHT


def _places(where: str) -> tuple[str | None, int | None, int | None]:
    """The label of the page, and where a highlight starts and ends."""
    roman = _ROMAN.search(where)
    page = roman[1] if roman else None
    start = end = None
    for number in _NUMBER.finditer(where):
        before, after = where[: number.start()], where[number.end() :]
        lead = re.split(r"[\d|]", before)[-1]
        is_page = _PAGE.search(before) or _AFTER_PAGE.match(after)
        is_place = not is_page and (_PLACE.search(lead) or number[2] or page is not None)
        if is_place and start is None:
            start, end = _range(number[1], number[2])
        elif not is_place and page is None:
            page = re.sub(r"\s", "", number[0])
    return page, start, end


def _range(start: str, end: str | None) -> tuple[int, int]:
    """ "680-82" ends at 682."""
    if end is None:
        return int(start[:15]), int(start[:15])
    if len(end) < len(start):
        end = start[: -len(end)] + end
    return int(start[:15]), int(end[:15])


def _book(line: str) -> tuple[str, tuple[str, ...]]:
    """The title, and the authors in the last parentheses or behind a dash."""
    line = line.strip("\ufeff \t\r\n")
    found = _AUTHOR.search(line)
    if found is not None and line[: found.start()].strip():
        title, authors = line[: found.start()].strip(), found[1]
    else:
        before, dash, behind = line.rpartition(" - ")
        title, authors = (before.strip(), behind) if dash and before.strip() else (line, "")
    return title, tuple(_name(each) for each in re.split(r"[;；]", authors) if each.strip())


def _name(author: str) -> str:
    """ "Writer, Nora" is Nora Writer."""
    last, comma, first = author.strip().partition(",")
    is_swapped = comma and first.strip() and "," not in first
    return f"{first.strip()} {last.strip()}" if is_swapped else author.strip()
