"""From uploading a book to its being readable, against unpacking and parsing it barely."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from bench.book_file import write_book
from bench.figures import Figure
from bench.run import Run
from bench.saving import Saver, saver
from bench.stack import nexus_stack
from nexus.config import PROJECT_ROOT

_TARGET = 3.0
_CHARACTERS = 1_000_000
_CHAPTERS = 25


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
            write_book(path, seed=number, chapters=_CHAPTERS, characters=_CHARACTERS)
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
