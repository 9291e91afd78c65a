"""Bookmarks as browsers and most services export them: the Netscape format."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from nexus.db.enums import ReadingState
from nexus.importers.fields import epoch, flag, separated
from nexus.importers.html_events import Tag, html_events
from nexus.importers.items import MAX_EXCERPT, highlight, item
from nexus.importers.peek import Peek
from nexus.importers.records import Record

# What browsers call the places that every one of their bookmarks is in.
_PLACES = ("personal_toolbar_folder", "unfiled_bookmarks_folder")
_TAGS = ("tags", "tag", "labels", "folders")
_ARCHIVED = "linkding:bookmarks.archived"
_NOTES = re.compile(r"\[linkding-notes\](.*?)\[/linkding-notes\]", re.S)
_MAX_DEPTH = 50
_MAX_PIECES = 10_000
_LIST = re.compile(r"<dl\b.*?<dt\b.*?<a\s[^>]*href=", re.I | re.S)


def fits(peek: Peek) -> bool:
    head = peek.text[:4096].lower()
    if "<!doctype netscape-bookmark-file" in head:
        return True
    return head.startswith("<") and _LIST.search(peek.text) is not None


def read(file: BinaryIO) -> Iterator[Record]:
    bookmarks = _Bookmarks()
    for event in html_events(file):
        yield from bookmarks.see(event)
    yield from bookmarks.finish()


@dataclass(slots=True)
class _Link:
    tag: Tag
    folder: str
    title: list[str] = field(default_factory=list)
    description: list[str] = field(default_factory=list)


class _Bookmarks:
    """Where in the lists the file is read, and the link that was seen last."""

    def __init__(self) -> None:
        self._folders: list[str] = []
        self._heading: list[str] = []
        self._link: _Link | None = None
        self._text: list[str] | None = None
        """What the text that comes next belongs to."""
        self._spaces = False

    def see(self, event: Tag | str) -> Iterator[Record]:
        if isinstance(event, str):
            self._see_text(event)
        elif event.name in ("dl", "dt", "h3", "a", "dd"):
            yield from self._see_tag(event)
        elif event.name in ("br", "p"):
            self._see_text("\n")

    def _see_text(self, text: str) -> None:
        if self._text is not None:
            if len(self._text) < _MAX_PIECES:
                self._text.append(text)
        elif self._link is None and "shaarli" in text.lower():
            # Its tags have no spaces inside, but between them.
            self._spaces = True

    def _see_tag(self, tag: Tag) -> Iterator[Record]:
        if self._link is not None and self._goes_on(self._link, tag):
            return
        yield from self.finish()
        if tag.name == "a" and not tag.is_end:
            self._link = _Link(tag, " / ".join(filter(None, self._folders)))
            self._text = self._link.title
        elif tag.name == "h3":
            self._see_heading(tag)
        elif tag.name == "dl" and not tag.is_end and len(self._folders) < _MAX_DEPTH:
            self._folders.append(" ".join("".join(self._heading).split()))
            self._heading = []
        elif tag.name == "dl" and tag.is_end:
            del self._folders[-1:]

    def _goes_on(self, link: _Link, tag: Tag) -> bool:
        """Whether a tag belongs to the link that was seen last."""
        if tag.name == "dd":
            self._text = None if tag.is_end else link.description
            return True
        if tag.name == "a" and self._text is link.description:
            # A description may have links of its own. Bookmarks have a date.
            return tag.is_end or "add_date" not in tag.attributes
        if tag.name == "a" and tag.is_end:
            self._text = None
            return True
        return False

    def _see_heading(self, tag: Tag) -> None:
        if tag.is_end:
            self._text = None
        elif any(flag(tag.attributes.get(place, "")) for place in _PLACES):
            self._heading, self._text = [], []
        else:
            self._heading = self._text = []

    def finish(self) -> Iterator[Record]:
        """The last link, of which nothing more comes."""
        link, self._link, self._text = self._link, None, None
        if link is None:
            return
        given = link.tag.attributes
        tags = self._tags(next((given[name] for name in _TAGS if given.get(name)), ""))
        description = "".join(link.description)
        notes = _NOTES.findall(description)
        about = _NOTES.sub("", description).strip()
        if len(about) > MAX_EXCERPT:
            # So much text is a note, and is kept whole.
            about, notes = "", [about, *notes]
        yield from item(
            link.tag.line,
            given.get("href", ""),
            title="".join(link.title),
            saved_at=epoch(given.get("add_date")),
            tags=[tag for tag in tags if tag != _ARCHIVED],
            folders=[link.folder],
            state=ReadingState.UNREAD if flag(given.get("toread", "")) else None,
            archived=_ARCHIVED in tags,
            excerpt=about,
            highlights=[made for note in notes for made in highlight("", note)],
        )

    def _tags(self, written: str) -> list[str]:
        in_words = self._spaces and "," not in written
        return written.split() if in_words else separated(written, ",")
