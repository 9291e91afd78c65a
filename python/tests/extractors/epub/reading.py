"""Reading a book in this process, which is how most tests look at one."""

import io
import re
from typing import Any

from nexus.extractors.epub.book import read_book
from nexus.extractors.epub.problems import BookError
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import ALLOWLIST, SanitizedHtml

FOLDER = "/media/0c6f9a52-5a1e-4a7e-9d57-4a7e9d570c6f/pictures/"
_OFFSET = re.compile(r'<a href="#offset-(\d+)-(\d+)"[^>]*>(.*?)</a>', re.S)


def read(data: bytes) -> dict[str, Any]:
    """Everything that is kept of a book; what holds for every book is checked."""
    spool = io.BytesIO()
    book = read_book(io.BytesIO(data), spool, FOLDER)
    for fragment in book["fragments"]:
        html = fragment["html"]
        assert ALLOWLIST.clean(html) == html
        assert canonicalize(SanitizedHtml(html)) == fragment["text"]
        assert "book.invalid" not in html
        for path in re.findall('<img src="([^"]+)"', html):
            assert path in book["sizes"]
        for number, offset, _ in _OFFSET.findall(html):
            length = len(book["fragments"][int(number)]["text"])
            assert int(offset) <= max(0, length - 1)
    for picture in book["pictures"]:
        body = spool.getvalue()[picture["start"] :][: picture["length"]]
        assert len(body) == picture["length"]
    return book


def problem(data: bytes) -> tuple[str, str]:
    """The code and the sentence of a book that cannot be read."""
    try:
        read(data)
    except BookError as error:
        return error.code.value, str(error)
    raise AssertionError("it was read")


def texts(data: bytes) -> list[str]:
    return [fragment["text"] for fragment in read(data)["fragments"]]


def htmls(data: bytes) -> list[str]:
    return [fragment["html"] for fragment in read(data)["fragments"]]


def led_to(book: dict[str, Any]) -> dict[str, str]:
    """The words at the other end of each link inside the book, by its own."""
    found: dict[str, str] = {}
    for fragment in book["fragments"]:
        for number, offset, label in _OFFSET.findall(fragment["html"]):
            text = book["fragments"][int(number)]["text"][int(offset) :]
            found[re.sub("<[^>]*>", "", label)] = text.split("\n")[0]
    return found


def lines(tree: list[dict[str, Any]], fragments: list[dict[str, Any]], depth: int = 0) -> list[str]:
    """A table of contents as text: each label, and the words it leads to."""
    found = []
    for entry in tree:
        text = fragments[entry["fragment_idx"]]["text"][entry["offset"] :].split("\n")[0]
        found.append(f"{'  ' * depth}{entry['label']} → {text}")
        found += lines(entry["children"], fragments, depth + 1)
    return found
