"""What the links of an EPUB say themselves, read apart from Nexus: from which words to which."""

import html.entities
import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

from selectolax.lexbor import LexborHTMLParser

from bench.painted import letters

Element = ElementTree.Element
_LETTERS = 24
_PICTURES = {"img", "image", "object"}
_SKIPPED = {"head", "script", "style", "template"}


def links_in_file(path: Path) -> Counter[tuple[str, str]]:
    """Of every link between documents of the spine: its words, and those it leads to."""
    with zipfile.ZipFile(path) as archive:
        trees = {name: _parse(archive.read(name)) for name in _spine(archive)}
    places = {name: _Places(tree) for name, tree in trees.items()}
    found: Counter[tuple[str, str]] = Counter()
    for name, tree in trees.items():
        for link in _shown(tree):
            href = link.get("href") if _local(link) == "a" else None
            if not href or ":" in href.partition("#")[0]:
                continue
            file, _, anchor = href.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(file)))
            there = places.get(to if file else name)
            words = letters("".join(_texts(link)))
            # One with nothing in it cannot be followed.
            if there and (words or any(_local(each) in _PICTURES for each in link.iter())):
                found[words, there.words(unquote(anchor))] += 1
    return found


def links_in_text(fragments: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """The same of the stored text."""
    texts = {each["idx"]: each["canonical_text"] for each in fragments}
    found: Counter[tuple[str, str]] = Counter()
    for fragment in fragments:
        for link in LexborHTMLParser(fragment["html_sanitized"]).css('a[href^="#offset-"]'):
            _, number, offset = str(link.attributes["href"]).split("-")
            there = letters(texts[int(number)][int(offset) :])[:_LETTERS]
            found[letters(link.text()), there] += 1
    return found


class _Places:
    """The words that stand at each anchor of a document."""

    def __init__(self, tree: Element) -> None:
        self._starts: dict[str, int] = {}
        self._text = ""
        body = next((each for each in tree.iter() if _local(each) == "body"), tree)
        self._walk(body)

    def words(self, anchor: str) -> str:
        start = self._starts.get(anchor, 0)
        return self._text[start : start + _LETTERS]

    def _walk(self, element: Element) -> None:
        for name in (element.get("id"), element.get("name")):
            if name:
                self._starts.setdefault(name, len(self._text))
        if _is_shown(element):
            self._text += letters(element.text or "")
            for child in element:
                self._walk(child)
                self._text += letters(child.tail or "")


def _is_shown(element: Element) -> bool:
    """Numbers of printed pages are no text; they are listed apart."""
    kinds = [value for name, value in element.items() if name.endswith(("}type", "role"))]
    is_page = any("pagebreak" in kind for kind in kinds)
    return not is_page and element.get("hidden") is None and _local(element) not in _SKIPPED


def _shown(element: Element) -> Iterator[Element]:
    if _is_shown(element):
        yield element
        for child in element:
            yield from _shown(child)


def _texts(element: Element) -> Iterator[str]:
    return (text for text in element.itertext() if text)


def _spine(archive: zipfile.ZipFile) -> list[str]:
    container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
    opf = next(
        str(each.get("full-path")) for each in container.iter() if _local(each) == "rootfile"
    )
    package = ElementTree.fromstring(archive.read(opf))
    items = {each.get("id"): each for each in package.iter() if _local(each) == "item"}
    listed = [items[each.get("idref")] for each in package.iter() if _local(each) == "itemref"]
    base = posixpath.dirname(opf)
    names = [posixpath.normpath(posixpath.join(base, unquote(str(i.get("href"))))) for i in listed]
    return [name for name in names if name in archive.namelist()]


def _parse(data: bytes) -> Element:
    parser = ElementTree.XMLParser()
    parser.entity.update({name: chr(code) for name, code in html.entities.name2codepoint.items()})
    return ElementTree.fromstring(data, parser)


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
