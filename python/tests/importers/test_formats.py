"""Which format a file is in, told by its content alone."""

import codecs
import io
import json

import pytest

from nexus.importers.archives import opened_member
from nexus.importers.formats import BY_NAME, FORMATS, detect
from nexus.importers.records import InvalidFile
from tests.epub_files import a_book
from tests.importers.reading import detected, read, zipped
from tests.importers.samples import SAMPLES, pocket_list

TEXTS = [name for name in SAMPLES if not SAMPLES[name][1](1).startswith(b"PK")]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_format_is_told_by_its_content(sample: str) -> None:
    name, make = SAMPLES[sample]
    items, skipped = read(name, make(7))
    assert len(items) == 7
    assert skipped == []


def test_every_format_has_a_sample() -> None:
    assert {name for name, _ in SAMPLES.values()} >= BY_NAME.keys() - {"nexus"}
    assert len(BY_NAME) == len(FORMATS)


BEFORE = {
    "byte order mark": lambda data: codecs.BOM_UTF8 + data,
    "blank lines": lambda data: b"\r\n\n  \n" + data,
    "both": lambda data: codecs.BOM_UTF8 + b"\n" + data,
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "UTF-16, big end first": lambda data: codecs.BOM_UTF16_BE + data.decode().encode("utf-16-be"),
    "UTF-16 without a mark": lambda data: data.decode().encode("utf-16-le"),
    "other line ends": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("sample", TEXTS)
def test_whatever_stands_before_it(sample: str, before: str) -> None:
    name, make = SAMPLES[sample]
    data = make(3)
    # The sample of Kindle begins with a mark of its own.
    items, skipped = read(name, BEFORE[before](data.removeprefix(codecs.BOM_UTF8)))
    assert len(items) == 3
    assert skipped == []


NOTHING = {
    "empty": b"",
    "blank": b" \n\n",
    "prose": b"Dear reader,\nthis is a letter.\n",
    "a web page": b"<!DOCTYPE html><html><p>Text with <a href='https://a.example/'>a link</a>",
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "zeros": bytes(4096),
    "JSON of someone else": b'{"a": [1, 2, {"b": null}]}',
    "a list of numbers": b"[1, 2, 3]",
    "a table of someone else": b"Name,Age\nA,1\n",
    "an empty zip": zipped({}),
    "a zip of someone else": zipped({"a.txt": "text", "b.csv": "Name,Age\nA,1\n"}),
    "half of JSON": b'[{"',
    "deep JSON": b"[" * 100_000,
}


@pytest.mark.parametrize("what", NOTHING)
def test_nothing_fits(what: str) -> None:
    assert detected(NOTHING[what]) is None


def test_a_book_is_nothing_to_import() -> None:
    assert detected(a_book("<p>Words</p>")) is None


def test_a_file_that_only_begins_like_a_zip() -> None:
    with pytest.raises(InvalidFile, match="not a zip archive"):
        detect(io.BytesIO(b"PK\x03\x04 no zip"))


def test_the_file_stays_open_and_can_be_read_again() -> None:
    file = io.BytesIO(pocket_list(5))
    found = detect(file)
    assert found is not None
    assert list(found.read(file)) == list(found.read(file))
    next(found.read(file))
    assert not file.closed


def test_a_file_of_an_item_is_read_from_the_archive() -> None:
    archive = io.BytesIO(zipped({"__MACOSX/a": b"", "Export/Content/a.pdf": b"%PDF-"}))
    with opened_member(archive, "export/content/a.pdf") as stream:
        assert stream.read() == b"%PDF-"
    with pytest.raises(InvalidFile, match="missing"), opened_member(archive, "../a.pdf"):
        pass


def test_a_file_of_an_item_may_be_damaged() -> None:
    data = zipped({"a.pdf": b"%PDF-1.4 words words words"}, packed=False)
    archive = io.BytesIO(data.replace(b"words", b"sword", 1))
    with pytest.raises(InvalidFile, match="damaged"), opened_member(archive, "a.pdf") as stream:
        stream.read()


def test_records_come_while_the_file_is_read() -> None:
    file = io.BytesIO(
        json.dumps([{"url": "https://a.example/", "is_archived": 0}] * 50_000).encode()
    )
    found = detect(file)
    assert found is not None
    next(found.read(file))
    assert file.tell() < 1024 * 1024
