"""What the package file says about the book, as it stands there; nothing is believed yet."""

from typing import Any
from xml.etree.ElementTree import Element

from nexus.extractors.epub.archive import Archive
from nexus.extractors.epub.markup import text_of
from nexus.extractors.epub.package import Package
from nexus.html.source import parse_html

_MAX_DESCRIPTION = 20_000


def declared(package: Package) -> dict[str, Any]:
    """Title and metadata under the names of `interface.Metadata`."""
    metadata = package.metadata()
    refined = _refinements(metadata)
    return {
        "title": _title(metadata, refined),
        "authors": _authors(metadata, refined),
        "site_name": _first(metadata, "publisher"),
        "published_at": _date(metadata),
        "language": _first(metadata, "language"),
        "excerpt": _plain(_first(metadata, "description")),
    }


def cover_name(archive: Archive, package: Package) -> str | None:
    """The file of the cover: a picture, or a page that begins with one."""
    item = package.with_property("cover-image")
    if item is not None:
        return item.name
    for meta in package.metadata().iter("meta"):
        if (meta.get("name") or "").lower() == "cover":
            content = meta.get("content") or ""
            named = package.items.get(content)
            if named is not None:
                return named.name
            # Some name the file instead.
            found = archive.linked(package.name, content) if "." in content else None
            if found is not None:
                return found
    for reference in package.root.iterfind("guide/reference"):
        if (reference.get("type") or "").lower() in ("cover", "other.ms-coverimage-standard"):
            path = (reference.get("href") or "").partition("#")[0]
            found = archive.linked(package.name, path) if path else None
            if found is not None:
                return found
    return _by_its_name(archive, package)


def _by_its_name(archive: Archive, package: Package) -> str | None:
    """A picture called cover, which may not even be in the manifest."""
    listed = [item.name for item in package.items.values() if item.is_picture]
    for name in (*listed, *archive.names()):
        stem, _, extension = name.rpartition("/")[2].lower().rpartition(".")
        if stem == "cover" and extension in ("jpg", "jpeg", "png", "gif", "webp"):
            return name
    return None


def _refinements(metadata: Element) -> dict[str, dict[str, str]]:
    """What EPUB 3 says about single entries, by their id."""
    found: dict[str, dict[str, str]] = {}
    for meta in metadata.iter("meta"):
        about, name = meta.get("refines"), meta.get("property")
        if about and name:
            found.setdefault(about.lstrip("#"), {}).setdefault(name, text_of(meta))
    return found


def _title(metadata: Element, refined: dict[str, dict[str, str]]) -> str | None:
    titles = [
        (text_of(each), refined.get(each.get("id") or "", {})) for each in metadata.iter("title")
    ]
    named = [(text, about) for text, about in titles if text]
    if not named:
        return None
    main = next((text for text, about in named if about.get("title-type") == "main"), named[0][0])
    below = next((text for text, about in named if about.get("title-type") == "subtitle"), None)
    return f"{main}: {below}" if below and below not in main and main != below else main


def _authors(metadata: Element, refined: dict[str, dict[str, str]]) -> list[str]:
    """The authors in their order; of a book that names none, its editors and others."""
    people = []
    for number, each in enumerate(metadata.iter("creator")):
        about = refined.get(each.get("id") or "", {})
        role = (each.get("role") or about.get("role") or "aut").lower()
        place = about.get("display-seq", "")
        people.append((int(place) if place.isdecimal() else number, role, text_of(each)))
    people.sort(key=lambda person: person[0])
    authors = [name for _, role, name in people if role == "aut" and name]
    return authors or [name for _, _, name in people if name]


def _date(metadata: Element) -> str | None:
    dates = [(each.get("event") or "", text_of(each)) for each in metadata.iter("date")]
    for wanted in ("publication", "original-publication", "", "creation"):
        found = next((text for event, text in dates if event.lower() == wanted and text), None)
        if found:
            return found
    return None


def _first(metadata: Element, name: str) -> str | None:
    return next((text for each in metadata.iter(name) if (text := text_of(each))), None)


def _plain(description: str | None) -> str | None:
    """Descriptions are often HTML."""
    if description is None or ("<" not in description and "&" not in description):
        return description
    body = parse_html(description[:_MAX_DESCRIPTION])
    return body.text(separator=" ") if body is not None else None
