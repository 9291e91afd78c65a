"""From uploading a book to its being readable, against unpacking and parsing it barely."""

import random
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from uuid import uuid4

from bench.figures import Figure
from bench.run import Run
from bench.saving import Saver, saver
from bench.stack import nexus_stack
from nexus.config import PROJECT_ROOT

_TARGET = 3.0
_CHARACTERS = 1_000_000
_CHAPTERS = 25
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


def measure(bench: Run) -> list[Figure]:
    """Both in turn, each time with another book; both start a process for it."""
    rounds = bench.size(15, 3)
    taken: list[tuple[float, float]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        nexus_stack(redis=True) as stack,
        stack.api(),
        stack.program("worker"),
        saver(stack, uuid4()) as reader,
    ):
        for number in range(rounds + 2):
            bench.say(f"book: {number + 1} of {rounds + 2}")
            path = Path(folder) / f"{number}.epub"
            _write(path, seed=number)
            pair = _bare_seconds(path), _seconds(reader, path)
            # The first ones warm up.
            if number >= 2:
                taken.append(pair)
    bare, ours = (statistics.median(times) for times in zip(*taken, strict=True))
    return [
        Figure(
            "EPUB of 1 MB of text, uploaded to readable / unpacked and parsed barely",
            statistics.median(mine / theirs for theirs, mine in taken),
            "×",
            at_most=_TARGET,
            note=f"{ours * 1000:.0f} ms against {bare * 1000:.0f} ms (zipfile and html5lib)",
        )
    ]


def _seconds(reader: Saver, path: Path) -> float:
    return reader.upload_and_wait(path, kind="epub", content_type="application/epub+zip")


def _bare_seconds(path: Path) -> float:
    started = time.perf_counter()
    command = [sys.executable, "-m", "bench.bare_book", str(path)]
    done = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, check=True, text=True)
    if int(done.stdout) < _CHARACTERS:
        raise RuntimeError(f"only {done.stdout} characters were found")
    return time.perf_counter() - started


def _write(path: Path, *, seed: int) -> None:
    """A novel: chapters of paragraphs, some words in them emphasized, and a table of contents."""
    chance = random.Random(seed)
    names = [f"{number}.xhtml" for number in range(1, _CHAPTERS + 1)]
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
            archive.writestr(name, _page(_chapter(chance)))


def _chapter(chance: random.Random) -> str:
    parts, length = ['<h2 id="c">A chapter</h2>'], 0
    while length < _CHARACTERS // _CHAPTERS:
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
