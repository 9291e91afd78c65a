"""Books of any length, the same every time."""

import random
import zipfile
from pathlib import Path

_SENTENCE = (
    "the harbour lay still under a sky of pewter and nobody spoke of what had come ashore with"
    " that morning tide while further inland bells were rung for reasons only bakers knew"
)
_WORDS = _SENTENCE.split()
_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)


def write_book(path: Path, *, seed: int, chapters: int, characters: int) -> None:
    """A novel: chapters of paragraphs, some words in them emphasized, and a table of contents."""
    chance = random.Random(seed)
    names = [f"{number}.xhtml" for number in range(1, chapters + 1)]
    items = "".join(
        f'<item id="i{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names
    )
    lines = "".join(f'<li><a href="{name}#c">Chapter {name[:-6]}</a></li>' for name in names)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", _CONTAINER)
        archive.writestr(
            "book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Book {seed}</dc:title>'
            '</metadata><manifest><item id="nav" href="nav.xhtml" properties="nav" '
            f'media-type="application/xhtml+xml"/>{items}</manifest><spine>'
            + "".join(f'<itemref idref="i{name}"/>' for name in names)
            + "</spine></package>",
        )
        archive.writestr("nav.xhtml", _page(f'<nav epub:type="toc"><ol>{lines}</ol></nav>'))
        for name in names:
            archive.writestr(name, _page(_chapter(chance, characters // chapters)))


def _chapter(chance: random.Random, characters: int) -> str:
    parts, length = ['<h2 id="c">A chapter</h2>'], 0
    while length < characters:
        words = chance.choices(_WORDS, k=chance.randrange(20, 120))
        text = " ".join(words).capitalize()
        length += len(text) + 3
        parts.append(f"<p>{text}, <em>{words[0]}</em>.</p>")
    return "".join(parts)


def _page(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html '
        'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head><title>x</title></head><body>{body}</body></html>"
    )
