"""The ways into a book: its table of contents, its printed pages, and where reading begins."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from nexus.extractors.epub.archive import Archive
from nexus.extractors.epub.markup import MarkupError, parse_xml, text_of
from nexus.extractors.epub.package import Package
from nexus.zips.problems import UnreadableEntry

MAX_ENTRIES = 5_000
MAX_PAGES = 20_000
_MAX_DEPTH = 16
_NCX = "application/x-dtbncx+xml"
_BEGINNINGS = ("bodymatter", "text", "start")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that leads somewhere: to an address relative to a file."""

    label: str
    base: str
    href: str
    children: list["Entry"] = field(default_factory=list)


@dataclass(slots=True)
class Navigation:
    """What one source says. A book may have two, and either may be broken."""

    contents: list[Entry] = field(default_factory=list)
    pages: list[Entry] = field(default_factory=list)
    start: Entry | None = None


def navigations(archive: Archive, package: Package) -> Iterator[Navigation]:
    """The sources in the order they are to be believed."""
    item = package.with_property("nav")
    if item is not None:
        yield _from_document(archive, item.name)
    toc = package.items.get(_spine_toc(package))
    ncx = toc or next((i for i in package.items.values() if i.media_type == _NCX), None)
    if ncx is not None:
        yield _from_ncx(archive, ncx.name)
    yield Navigation(start=_from_guide(package))


def _spine_toc(package: Package) -> str:
    spine = package.root.find("spine")
    return (spine.get("toc") or "") if spine is not None else ""


def _parsed(archive: Archive, name: str) -> Element | None:
    try:
        return parse_xml(archive.read(name))
    except (MarkupError, UnreadableEntry):
        return None


def _from_document(archive: Archive, name: str) -> Navigation:
    root = _parsed(archive, name)
    lists = list(root.iter("nav")) if root is not None else []
    typed = {kind: each for each in lists for kind in (each.get("epub:type") or "").split()}
    toc = typed.get("toc") or next((n for n in lists if n.get("role") == "doc-toc"), None)
    budget = _Budget(MAX_ENTRIES)
    found = Navigation()
    if toc is not None:
        found.contents = _items(toc.find(".//ol"), name, budget, 0)
    if "page-list" in typed:
        links = typed["page-list"].iter("a")
        found.pages = [_linked(a, name) for _, a in zip(range(MAX_PAGES), links, strict=False)]
    if "landmarks" in typed:
        for a in typed["landmarks"].iter("a"):
            if "bodymatter" in (a.get("epub:type") or "").split():
                found.start = _linked(a, name)
                break
    return found


class _Budget:
    def __init__(self, entries: int) -> None:
        self._left = entries

    def take(self) -> bool:
        self._left -= 1
        return self._left >= 0


def _linked(a: Element, base: str) -> Entry:
    return Entry(text_of(a), base, a.get("href") or "")


def _items(ol: Element | None, base: str, budget: _Budget, depth: int) -> list[Entry]:
    found: list[Entry] = []
    for li in ol.findall("li") if ol is not None and depth < _MAX_DEPTH else ():
        if not budget.take():
            break
        below, line = li.find("ol"), _line(li)
        children = _items(below, base, budget, depth + 1)
        if line is not None:
            found.append(Entry(_label(line), base, line.get("href") or "", children))
        else:
            found += children
    return found


def _line(li: Element) -> Element | None:
    """The link of an item, or what it is called where it has none."""
    for child in li:
        if child.tag == "ol":
            break
        links = [child] if child.tag == "a" else child.findall(".//a")
        if links:
            return links[0]
        if text_of(child):
            return child
    return None


def _label(line: Element) -> str:
    text = text_of(line)
    if text:
        return text
    picture = line.find(".//img")
    return (picture.get("alt") if picture is not None else line.get("title")) or ""


def _from_ncx(archive: Archive, name: str) -> Navigation:
    root = _parsed(archive, name)
    if root is None:
        return Navigation()
    pages = (_point(each, name) for each in root.iterfind("pageList/pageTarget"))
    return Navigation(
        contents=_points(root.iterfind("navMap/navPoint"), name, _Budget(MAX_ENTRIES), 0),
        pages=[page for _, page in zip(range(MAX_PAGES), pages, strict=False)],
    )


def _points(found: Iterable[Element], base: str, budget: _Budget, depth: int) -> list[Entry]:
    entries: list[Entry] = []
    for element in found if depth < _MAX_DEPTH else ():
        if not budget.take():
            break
        point = _point(element, base)
        point.children.extend(_points(element.iterfind("navPoint"), base, budget, depth + 1))
        entries.append(point)
    return entries


def _point(element: Element, base: str) -> Entry:
    content = element.find("content")
    src = (content.get("src") or "") if content is not None else ""
    label = text_of(element.find("navLabel/text")) or element.get("value") or ""
    return Entry(label, base, src)


def _from_guide(package: Package) -> Entry | None:
    for wanted in _BEGINNINGS:
        for reference in package.root.iterfind("guide/reference"):
            if (reference.get("type") or "").lower() == wanted:
                return Entry("", package.name, reference.get("href") or "")
    return None
