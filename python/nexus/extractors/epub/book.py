"""A whole book: its documents cleaned, their links finished, and the ways into it as offsets."""

from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from typing import Any, BinaryIO
from urllib.parse import unquote

from nexus.extractors.epub.archive import Archive, opened_archive
from nexus.extractors.epub.documents import convert
from nexus.extractors.epub.links import Links, address, target
from nexus.extractors.epub.metadata import cover_name, declared
from nexus.extractors.epub.navigation import Entry, navigations
from nexus.extractors.epub.package import Item, Package, open_package
from nexus.extractors.epub.pictures import Pictures
from nexus.extractors.epub.problems import InvalidBook, TooComplexBook
from nexus.extractors.epub.styles import read_styles
from nexus.html.anchors import Place, finish_links
from nexus.html.outline import Heading, heading_label
from nexus.html.page import FileText, read_file
from nexus.html.source import SizeLimits
from nexus.zips.problems import UnreadableEntry
from nexus.zips.reader import MAX_DOCUMENT

# All that is kept of a book in memory at once; the longest novels have five million.
MAX_CHARACTERS = 30_000_000
_LIMITS = SizeLimits(characters=MAX_DOCUMENT, tags=400_000)

Tree = list[dict[str, Any]]


def read_book(file: BinaryIO, spool: BinaryIO, folder: str) -> dict[str, Any]:
    """Everything that is kept of a book, as JSON; the pictures go into the spool."""
    with opened_archive(file) as archive:
        return _read(archive, Pictures(archive, spool, folder))


def _read(archive: Archive, pictures: Pictures) -> dict[str, Any]:
    package = open_package(archive)
    book = _Book(archive, package, pictures)
    book.read_documents()
    ways = list(navigations(archive, package))
    contents = next((tree for way in ways if (tree := book.contents(way.contents))), None)
    pages = next((found for way in ways if (found := book.pages(way.pages))), [])
    starts = (book.place(way.start) for way in ways if way.start is not None)
    start = next((place for place in starts if place is not None), None)
    return {
        **declared(package),
        "cover": book.cover(),
        "contents": book.headings() if contents is None else contents,
        "pages": pages,
        "start": None if start is None else _placed(start),
        "fixed_layout": package.fixed_layout,
        "sizes": pictures.sizes(),
        "pictures": [asdict(each) for each in pictures.kept()],
        "fragments": book.fragments(contents or []),
    }


class _Book:
    """The documents of a book, numbered as they are read."""

    def __init__(self, archive: Archive, package: Package, pictures: Pictures) -> None:
        self._archive = archive
        self._package = package
        self._pictures = pictures
        spine = package.spine
        self._numbers = {item.name: number for number, item in enumerate(spine)}
        self._by_address = {address(number): number for number in range(len(spine))}
        self._styles = read_styles(archive, package)
        self._files: list[FileText] = []

    def read_documents(self) -> None:
        # There is always another: the contents may lead to any place.
        addresses = frozenset([*self._by_address, address(-1)])
        left = MAX_CHARACTERS
        for number, item in enumerate(self._package.spine):
            html = self._html(item)
            file = read_file(
                html,
                "",
                [address(number)],
                addresses,
                pictures=self._pictures,
                limits=_LIMITS,
            )
            left -= len(file.html)
            if left < 0:
                raise TooComplexBook("This book has more text than can be read here.")
            self._files.append(file)
        if not any(file.text or "<img" in file.html for file in self._files):
            raise InvalidBook("There is nothing to read in this EPUB: its documents are empty.")

    def _html(self, item: Item) -> str:
        links = Links(
            self._archive, self._pictures, self._numbers, item.name, self._package.fallbacks
        )
        if not (item.is_document or item.is_svg):
            path = self._pictures.path_of(item.name)
            return f'<p><img src="{path}" alt=""></p>' if path else ""
        try:
            data = self._archive.read(item.name)
        except UnreadableEntry as error:
            raise InvalidBook(str(error)) from None
        return convert(data, links, self._styles, _LIMITS, is_svg=item.is_svg)

    def fragments(self, contents: Tree) -> Tree:
        """The texts with their links finished."""
        named: dict[int, list[tuple[int, str]]] = {}
        for entry in _flat(contents):
            named.setdefault(entry["fragment_idx"], []).append((entry["offset"], entry["label"]))
        return [
            {
                "html": finish_links(file.html, file.links, partial(self._resolved, number)),
                "text": file.text,
                "label": _label(named.get(number, []), file.headings),
            }
            for number, file in enumerate(self._files)
        ]

    def _resolved(self, own: int, place: Place) -> tuple[int, int]:
        number = self._by_address[place.file] if place.file else own
        return number, self._offset(number, place.name)

    def _offset(self, number: int, name: str) -> int:
        """A place that is not there is the beginning of its document."""
        return self._files[number].anchors.get(name, 0)

    def place(self, entry: Entry) -> tuple[int, int] | None:
        found = target(self._archive, self._numbers, entry.base, entry.href) if entry.href else None
        return None if found is None else (found[0], self._offset(found[0], unquote(found[1])))

    def contents(self, entries: Iterable[Entry]) -> Tree:
        """The entries that lead somewhere; one that does not, but has others below it, to those."""
        tree: Tree = []
        for entry in entries:
            children = self.contents(entry.children)
            place = self.place(entry)
            label = heading_label(entry.label)
            if place is not None and label:
                tree.append({"label": label, **_placed(place), "children": children})
            elif children and label:
                first = children[0]
                place = first["fragment_idx"], first["offset"]
                tree.append({"label": label, **_placed(place), "children": children})
            else:
                tree += children
        return tree

    def pages(self, entries: Iterable[Entry]) -> Tree:
        places = [(place, entry.label) for entry in entries if (place := self.place(entry))]
        places.sort(key=lambda found: found[0])
        return [
            {"number": number, "label": heading_label(label) or str(number), **_placed(place)}
            for number, (place, label) in enumerate(places, 1)
        ]

    def headings(self) -> Tree:
        """The contents of a book that has none."""
        return [
            each for number, file in enumerate(self._files) for each in _tree(number, file.headings)
        ]

    def cover(self) -> str | None:
        name = cover_name(self._archive, self._package)
        path = self._pictures.path_of(name) if name is not None else None
        if path is None:
            # A page: its first picture; else the first of the book, if it comes at the beginning.
            page = self._files[self._numbers.get(name or "", 0)].html
            path = next((each for each in self._pictures if f'"{each}"' in page), None)
        return path


def _label(named: list[tuple[int, str]], headings: list[Heading]) -> str | None:
    """What a document is called: in the contents, or by a heading that comes before that."""
    candidates = [*named, *((each.offset, each.label) for each in headings[:1])]
    return min(candidates, key=lambda found: found[0])[1] if candidates else None


def _placed(place: tuple[int, int]) -> dict[str, int]:
    return {"fragment_idx": place[0], "offset": place[1]}


def _tree(number: int, headings: list[Heading]) -> Tree:
    return [
        {
            "label": each.label,
            **_placed((number, each.offset)),
            "children": _tree(number, each.children),
        }
        for each in headings
    ]


def _flat(tree: Tree) -> Iterable[dict[str, Any]]:
    for entry in tree:
        yield entry
        yield from _flat(entry["children"])
