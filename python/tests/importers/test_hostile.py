"""Files that are made to take long or to fill memory."""

import io
import itertools
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import BinaryIO, cast

import pytest

from nexus.importers.formats import BY_NAME
from nexus.importers.records import ImportedItem, InvalidFile
from nexus.zips import reader as zip_reader
from tests.importers.reading import read_as, zipped
from tests.importers.samples import SAMPLES, kindle, netscape, pocket_list, raindrop, wallabag
from tests.steps import steps

MIB = 1024 * 1024
SIZE = 50 * MIB
ALLOWED = 16 * MIB

NETSCAPE = "<!DOCTYPE NETSCAPE-Bookmark-file-1>"
POCKET = "title,url,time_added,tags,status\n"
HOSTILE = {
    "tags never closed": ("netscape", NETSCAPE, "<a "),
    "quotes in tags": ("netscape", NETSCAPE, '<a "'),
    "both quotes in tags": ("netscape", NETSCAPE, "<a '<a \""),
    "attributes": ("netscape", NETSCAPE, '<a href="x" '),
    "one long attribute": ("netscape", f'{NETSCAPE}<a href="', "<x "),
    "ampersands": ("netscape", NETSCAPE, "&"),
    "lists": ("netscape", NETSCAPE, "<DL>"),
    "headings": ("netscape", NETSCAPE, "<H3>x"),
    "brackets": ("netscape", NETSCAPE, "<"),
    "end tags": ("netscape", NETSCAPE, "</"),
    "new lines in a tag": ("netscape", f"{NETSCAPE}<a ", "\n"),
    "quotes in a table": ("pocket", POCKET, '"'),
    "open quotes in a table": ("pocket", POCKET, '"a","b\n'),
    "quotes in lines": ("pocket", POCKET, '"\n'),
    "a line without an end": ("pocket", POCKET, "x"),
    "commas": ("pocket", POCKET, ","),
    "blank lines": ("pocket", POCKET, "\n"),
    "zeros in a table": ("pocket", POCKET, "\0"),
    "arrays": ("wallabag", "", "["),
    "objects": ("wallabag", "[", '{"a":'),
    "objects in damage": ("wallabag", '[{"url":"x" "is_archived":0}', '{"a":{"url":1}},'),
    "texts in damage": ("wallabag", '[{"url" "x"}', '{"a'),
    "a text without an end": ("wallabag", '[{"url":"', "x"),
    "escaped quotes": ("wallabag", '[{"url":"', '\\"'),
    "numbers": ("wallabag", "[{", '"a":1,'),
    "digits": ("wallabag", '[{"a":', "1"),
    "ends of entries": ("kindle", "", "=====\n"),
    "lines of an entry": ("kindle", "A\n", "- 1 | 2\n"),
    "entries without ends": ("kindle", "", "A\n- 1 | 2\n\n"),
    "parentheses": ("kindle", "", "(" * 200 + "\n- 1 | 2\n\nx\n=====\n"),
}


def hostile(name: str, size: int) -> Callable[[], None]:
    """The reading of a file of this kind."""
    format_name, start, piece = HOSTILE[name]
    data = (start + piece * (size // len(piece))).encode()

    def work() -> None:
        with suppress(InvalidFile):
            read_as(format_name, data)

    return work


@pytest.mark.parametrize("name", HOSTILE)
def test_steps_are_as_many_as_bytes_allow(name: str) -> None:
    size = MIB // 16
    # The dearest takes 83 for each byte; a square would be thousands.
    assert steps(hostile(name, size)) < 150 * size


@pytest.mark.heavy
@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_takes_long(name: str) -> None:
    used = []
    for size in (MIB // 8, MIB // 2):
        work = hostile(name, size)
        began = time.process_time()
        work()
        used.append(time.process_time() - began)
    # Four times the size; sixteen times the time would be a square.
    assert used[1] < max(1.0, 9 * used[0]), used


class Endless(io.RawIOBase):
    """A file that is made as it is read, so that a test does not hold it either."""

    def __init__(self, head: bytes, body: bytes, tail: bytes, size: int) -> None:
        self._parts = (head, body, tail)
        self._size = size
        self.seek(0)

    def _pieces(self) -> Iterator[bytes]:
        head, body, tail = self._parts
        yield head
        yield from itertools.repeat(body, self._size // len(body))
        yield tail

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return 0

    def seek(self, offset: int, whence: int = 0) -> int:
        assert (offset, whence) == (0, 0)
        self._rest, self._left = self._pieces(), b""
        return 0

    def read(self, size: int = -1) -> bytes:
        while len(self._left) < size:
            piece = next(self._rest, None)
            if piece is None:
                break
            self._left += piece
        found, self._left = self._left[:size], self._left[size:]
        return found


def repeated(
    data: bytes, start: bytes, end: bytes, *, fill: bytes, between: bytes = b""
) -> Callable[[], Endless]:
    """A file of what is between the first `start` and the last `end`, again and again.

    What is in `fill` is made long: it is about bytes, and not about how many items there are.
    """
    first, last = data.index(start), data.rindex(end) + len(end)
    body = data[first:last].replace(fill, fill + b" long" * 1500)
    return lambda: Endless(data[:first], body + between, data[first:], SIZE)


LARGE = {
    "a table": (
        "raindrop",
        repeated(raindrop(10), b'0,"Page', b"true\n", fill=b"short text"),
    ),
    "a list of pages": (
        "wallabag",
        repeated(wallabag(10), b"{", b"}", fill=b"<p>", between=b","),
    ),
    "bookmarks": (
        "netscape",
        repeated(netscape(10), b"<DT><A", b"About 9\n", fill=b"About"),
    ),
    "clippings": (
        "kindle",
        repeated(kindle(10), b"Book", b"==\r\n", fill=b"Some words"),
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_never_held(name: str) -> None:
    format_name, make = LARGE[name]
    file = cast(BinaryIO, make())
    tracemalloc.start()
    try:
        records = BY_NAME[format_name].read(file)
        items = sum(isinstance(record, ImportedItem) for record in records)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert items > 10
    assert peak < ALLOWED, f"{peak / MIB:.1f} MiB"


def test_an_archive_is_unpacked_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"part_000000.csv": pocket_list(2000)})
    monkeypatch.setattr(zip_reader, "MAX_UNPACKED", 50_000)
    with pytest.raises(InvalidFile, match="unpacks to more than"):
        read_as("pocket", data)


def test_an_archive_with_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_reader, "MAX_ENTRIES", 3)
    with pytest.raises(InvalidFile, match="5 files inside"):
        read_as("pocket", zipped({f"{number}.csv": "" for number in range(5)}))


def test_a_bomb_in_an_archive() -> None:
    with pytest.raises(InvalidFile, match="too large"):
        read_as("pocket", zipped({"part_000000.csv": bytes(20 * MIB)}))


@pytest.mark.parametrize("sample", SAMPLES)
def test_an_empty_file(sample: str) -> None:
    name, _ = SAMPLES[sample]
    items, _ = read_as(name, b"")
    assert items == []
