"""Places that links inside a document lead to, kept beside the text as offsets.

`id` and `name` never survive cleaning. While a file is written, a mark stands in its text for each
element that is linked to, and each link to such a place has a number for its address. Once the
canonical text is known, so is the offset of every mark, and `finish_links` writes the offsets into
the links. An article is one file; a book has many that link to each other.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from nexus.html.urls import UrlResolver

_MAX_NAME_CHARACTERS = 1000
_NUMBERED = re.compile(r'<a href="#link-(\d+)"')
_FINISHED = re.compile(r"#offset-\d{1,9}-\d{1,9}", re.ASCII)
_INTERNAL = re.compile(r"#(?:link-\d{1,9}|offset-\d{1,9}-\d{1,9})", re.ASCII)
_SPACES = " \t\n\f\r"


@dataclass(frozen=True, slots=True)
class Place:
    """What a link inside the document names: a file of it, and an element there or its start.

    The file is its address without a fragment, or nothing for the file that the link is in.
    """

    file: str
    name: str


Resolve = Callable[[Place], tuple[int, int] | None]
"""Tells the fragment and the offset of a place."""


def is_internal(href: str) -> bool:
    """Whether this is how a link inside the document is written."""
    return _INTERNAL.fullmatch(href) is not None


def finish_links(html: str, links: list[Place], resolve: Resolve) -> str:
    """Write offsets for the numbers; a link to nowhere loses its address."""
    found = [resolve(place) for place in links]

    def finished(match: re.Match[str]) -> str:
        place = found[int(match[1])]
        return f'<a href="#offset-{place[0]}-{place[1]}"' if place else "<a"

    return _NUMBERED.sub(finished, html) if links else html


class Places:
    """The links of one file that lead into the document, and the elements they lead to.

    `own` are the addresses of this file, none if no place in it is to be found. Where there are
    `others`, each element with a name may be linked to from one of them.
    """

    def __init__(
        self, urls: UrlResolver, own: Collection[str] | None = None, others: Collection[str] = ()
    ) -> None:
        self._urls = urls
        self._is_wanted = own is not None
        self._own = {address.partition("#")[0] for address in own or ()}
        self._others = frozenset(others) - self._own
        self.has_others = bool(self._others)
        self.links: list[Place] = []
        self._numbers: dict[Place, int] = {}
        self._known: dict[str, Place | None] = {}
        self._here: set[str] = set()
        # By the identity of the element, for the walk.
        self.targets: dict[int, list[str]] = {}

    def find_targets(self, body: LexborNode) -> None:
        """Note the elements that are linked to, before the walk comes to them."""
        if not self._is_wanted:
            return
        wanted = None if self.has_others else self._linked(body)
        if wanted is not None and not wanted:
            return
        for node in body.css("[id],a[name]"):
            attributes = node.attributes
            for value in (attributes.get("id"), attributes.get("name")):
                name = _name(value or "")
                if name and name not in self._here and (wanted is None or name in wanted):
                    self._here.add(name)
                    self.targets.setdefault(node.mem_id, []).append(name)

    def _linked(self, body: LexborNode) -> set[str]:
        places = (self._place(a.attributes.get("href") or "") for a in body.css('a[href*="#"]'))
        return {place.name for place in places if place is not None}

    def href(self, href: str) -> str | None:
        """The address to write for a link, "" if its target is not there, or None if outside."""
        value = href.strip(_SPACES)
        is_bare = value.startswith("#") and value.strip("#") != ""
        if is_bare and _FINISHED.fullmatch(value) and _name(value[1:]) not in self._here:
            return value
        place = self._place(value)
        if place is None or (not place.file and place.name not in self._here):
            return "" if is_bare else None
        number = self._numbers.setdefault(place, len(self._numbers))
        if number == len(self.links):
            self.links.append(place)
        return f"#link-{number}"

    def _place(self, href: str) -> Place | None:
        if href not in self._known:
            self._known[href] = self._find_place(href.strip(_SPACES))
        return self._known[href]

    def _find_place(self, value: str) -> Place | None:
        if value.startswith("#"):
            is_own, address, fragment = True, "", value[1:]
        else:
            address, _, fragment = (self._urls.link(value) or "").partition("#")
            is_own = address in self._own
        name = _name(fragment)
        if is_own:
            return Place("", name) if name and name.lower() != "top" else None
        return Place(address, name) if address in self._others else None


def _name(value: str) -> str:
    """An id or a fragment as both are compared; nothing for one that is too long."""
    if len(value) > _MAX_NAME_CHARACTERS:
        return ""
    return unquote(value) if "%" in value else value
