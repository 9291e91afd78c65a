"""The package file of a book: what it consists of, and in which order."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from nexus.extractors.epub.archive import Archive
from nexus.extractors.epub.markup import MarkupError, parse_xml, text_of
from nexus.extractors.epub.problems import InvalidBook, ProtectedBook
from nexus.zips.problems import UnreadableEntry

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Licences of Readium LCP and of Apple's FairPlay.
_LICENCES = ("META-INF/license.lcpl", "META-INF/sinf.xml")
# These scramble fonts, which are not used; everything else is copy protection.
_OBFUSCATION = (
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
)
_IBOOKS = "META-INF/com.apple.ibooks.display-options.xml"
MAX_SPINE = 20_000
_DOCUMENT_TYPES = (
    "application/xhtml+xml",
    "text/html",
    "application/x-dtbook+xml",
    "text/x-oeb1-document",
    "application/xml",
    "text/xml",
)
_DOCUMENT_NAMES = (".xhtml", ".html", ".htm", ".xht")
_MAX_FALLBACKS = 5


@dataclass(frozen=True, slots=True)
class Item:
    """One file of the manifest that is there."""

    name: str
    media_type: str
    properties: frozenset[str]
    fallback: str

    @property
    def is_document(self) -> bool:
        return self.media_type in _DOCUMENT_TYPES or self.name.lower().endswith(_DOCUMENT_NAMES)

    @property
    def is_svg(self) -> bool:
        return self.media_type == "image/svg+xml" or self.name.lower().endswith(".svg")

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/") and not self.is_svg


@dataclass(slots=True)
class Package:
    """What the package file says."""

    name: str
    root: Element
    items: dict[str, Item]
    by_name: dict[str, Item]
    spine: list[Item] = field(default_factory=list)
    """What is read, each once, in the order of reading."""
    fixed_layout: bool = False

    def metadata(self) -> Element:
        found = self.root.find("metadata")
        return Element("metadata") if found is None else found

    def fallbacks(self, name: str) -> Iterator[str]:
        """The files that may be shown instead of one, the nearest first."""
        item = self.by_name.get(name)
        for _ in range(_MAX_FALLBACKS):
            item = self.items.get(item.fallback) if item is not None else None
            if item is not None:
                yield item.name

    def with_property(self, name: str) -> Item | None:
        return next((item for item in self.items.values() if name in item.properties), None)


def open_package(archive: Archive) -> Package:
    """Read the package file; InvalidBook names the first thing that is wrong."""
    _refuse_protected(archive)
    name = _package_name(archive)
    try:
        root = parse_xml(archive.read(name))
    except MarkupError as error:
        raise InvalidBook(f"The package file “{name}” of this EPUB is broken: {error}.") from None
    except UnreadableEntry as error:
        raise InvalidBook(str(error)) from None
    items = _manifest(archive, name, root)
    package = Package(name, root, items, {item.name: item for item in items.values()})
    _read_spine(package)
    package.fixed_layout = _is_fixed(archive, package)
    return package


def _refuse_protected(archive: Archive) -> None:
    if any(archive.find(name) for name in _LICENCES):
        raise ProtectedBook
    name = archive.find(_ENCRYPTION)
    if name is None:
        return
    try:
        data = archive.read(name)
        methods = [each.get("Algorithm", "") for each in parse_xml(data).iter("EncryptionMethod")]
        is_protected = any(method not in _OBFUSCATION for method in methods)
    except MarkupError:
        is_protected = b"xmlenc#" in data
    except UnreadableEntry:
        return
    if is_protected:
        raise ProtectedBook


def _package_name(archive: Archive) -> str:
    """Where the container says, or else the only one there is."""
    for path in _rootfiles(archive):
        name = archive.linked("", path)
        if name is not None:
            return name
    found = [name for name in archive.names() if name.lower().endswith(".opf")]
    if found:
        return min(found, key=lambda name: (name.count("/"), name))
    if archive.find(_CONTAINER) is None:
        raise InvalidBook(f"This file is not an EPUB: “{_CONTAINER}” is missing in it.")
    raise InvalidBook("This EPUB has no package file (.opf) that lists what it consists of.")


def _rootfiles(archive: Archive) -> list[str]:
    name = archive.find(_CONTAINER)
    if name is None:
        return []
    try:
        root = parse_xml(archive.read(name))
    except (MarkupError, UnreadableEntry):
        return []
    return [path for each in root.iter("rootfile") if (path := each.get("full-path"))]


def _manifest(archive: Archive, base: str, root: Element) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for element in root.iterfind("manifest/item"):
        href, item_id = element.get("href") or "", element.get("id") or ""
        name = archive.linked(base, href.strip().partition("#")[0])
        if name is None or not item_id:
            continue
        items.setdefault(
            item_id,
            Item(
                name=name,
                media_type=(element.get("media-type") or "").strip().lower(),
                properties=frozenset((element.get("properties") or "").split()),
                fallback=element.get("fallback") or "",
            ),
        )
    return items


def _read_spine(package: Package) -> None:
    references = package.root.findall("spine/itemref")[:MAX_SPINE]
    if not references:
        raise InvalidBook(f"The package file “{package.name}” of this EPUB lists nothing to read.")
    main: dict[str, Item] = {}
    aside: dict[str, Item] = {}
    for reference in references:
        item = _readable(package, reference.get("idref") or "")
        if item is None:
            continue
        # Outside the flow of reading, but linked to: behind it, unless it opens the book.
        is_main = not main or reference.get("linear") != "no"
        (main if is_main else aside).setdefault(item.name, item)
    package.spine = [*main.values(), *(item for name, item in aside.items() if name not in main)]
    if not package.spine:
        raise InvalidBook("None of the documents that this EPUB lists is in it.")


def _readable(package: Package, item_id: str) -> Item | None:
    """The item, or what it has for readers that cannot show it."""
    first = item = package.items.get(item_id)
    for _ in range(_MAX_FALLBACKS):
        if item is None or item.is_document or item.is_svg:
            break
        item = package.items.get(item.fallback)
    if item is not None and (item.is_document or item.is_svg):
        return item
    return first if first is not None and first.is_picture else None


def _is_fixed(archive: Archive, package: Package) -> bool:
    """Whether the book is made of pages whose layout we do not keep."""
    for meta in package.metadata().iter("meta"):
        pair = meta.get("property") or meta.get("name"), (meta.get("content") or text_of(meta))
        if pair in (("rendition:layout", "pre-paginated"), ("fixed-layout", "true")):
            return True
    name = archive.find(_IBOOKS)
    if name is not None:
        try:
            options = parse_xml(archive.read(name)).iter("option")
            if any(o.get("name") == "fixed-layout" and text_of(o) == "true" for o in options):
                return True
        except (MarkupError, UnreadableEntry):
            pass
    references = package.root.findall("spine/itemref")
    fixed = [r for r in references if "pre-paginated" in (r.get("properties") or "")]
    return 2 * len(fixed) > len(references)
