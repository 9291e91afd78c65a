"""Where the addresses in a document lead: to another document of the book, a picture, or the web.

The documents have numbers, which the pipeline knows as addresses of a host that cannot exist.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from urllib.parse import quote

from nexus.extractors.epub.archive import Archive
from nexus.extractors.epub.pictures import Pictures

_HOST = "https://book.invalid/"
_REMOTE = re.compile(r"\s*(?:https?:)?//\S", re.I)
_KEPT = re.compile(r"\s*(?:https?|mailto):", re.I)
_SCHEME = re.compile(r"\s*(?:data|javascript|vbscript|blob|about|file|urn|kindle):", re.I)
START = "start-of-document"


def address(number: int) -> str:
    """The address of a document."""
    return f"{_HOST}{number}"


def is_remote(href: str) -> bool:
    return _REMOTE.match(href) is not None


def target(
    archive: Archive, numbers: Mapping[str, int], base: str, href: str
) -> tuple[int, str] | None:
    """The document and the place in it that an address leads to."""
    path, _, fragment = href.strip().partition("#")
    path = path.partition("?")[0]
    name = archive.linked(base, path) if path else base
    number = numbers.get(name) if name is not None else None
    return None if number is None else (number, fragment)


class Links:
    """The addresses in one document."""

    def __init__(
        self,
        archive: Archive,
        pictures: Pictures,
        numbers: Mapping[str, int],
        name: str,
        fallbacks: Callable[[str], Iterable[str]],
    ) -> None:
        self._archive = archive
        self._pictures = pictures
        self._numbers = numbers
        self._name = name
        self._fallbacks = fallbacks
        self._known: dict[str, str | None] = {}
        self.needs_start = False
        """Whether something in the document leads to its beginning."""

    def link(self, href: str) -> str | None:
        """What to write for a link; None if it leads nowhere."""
        if href not in self._known:
            self._known[href] = self._link(href)
        return self._known[href]

    def _link(self, href: str) -> str | None:
        if _KEPT.match(href):
            return href.strip()
        if not href.strip() or _SCHEME.match(href) or is_remote(href):
            return None
        found = target(self._archive, self._numbers, self._name, href)
        if found is None:
            return None
        number, fragment = found
        if number != self._numbers.get(self._name):
            return f"{address(number)}#{quote(fragment, safe='%')}" if fragment else address(number)
        if not fragment:
            self.needs_start = True
        return f"#{quote(fragment, safe='%') or START}"

    def picture(self, src: str) -> str | None:
        """Where a picture of the book is shown from."""
        src = src.strip()
        if src[:5].lower() == "data:":
            return self._pictures.path_of_data(src)
        if not src or is_remote(src) or _SCHEME.match(src):
            return None
        name = self._archive.linked(self._name, src.partition("#")[0].partition("?")[0])
        if name is None:
            return None
        # What is no picture to us may have one to be shown instead.
        shown = (self._pictures.path_of(each) for each in chain([name], self._fallbacks(name)))
        return next((path for path in shown if path is not None), None)
