"""Pocket in its generations."""

import json
from datetime import UTC, datetime

import pytest

from nexus.importers.records import ImportedHighlight, ImportedItem
from tests.importers.reading import items_of, read, zipped

CSV = """title,url,time_added,tags,status
"A title, with a comma",https://a.example/x?utm=1,1700000000,cooking|to try,unread
https://b.example/y,https://b.example/y,1500000000,,archive
"""
A = ImportedItem(
    line=2,
    url="https://a.example/x?utm=1",
    title="A title, with a comma",
    saved_at=datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
    tags=("cooking", "to try"),
)
B = ImportedItem(
    line=3,
    url="https://b.example/y",
    saved_at=datetime(2017, 7, 14, 2, 40, tzinfo=UTC),
    archived=True,
)
MARKS = [
    {
        "url": "https://a.example/x?utm=1",
        "title": "A title",
        "highlights": [{"quote": "some words", "created_at": 1700000100}, {"quote": " "}],
    },
    {"url": "https://c.example/", "title": "C", "highlights": [{"quote": "other words"}]},
]
MARK = ImportedHighlight(quote="some words", created_at=datetime(2023, 11, 14, 22, 15, tzinfo=UTC))
COLLECTION = {
    "slug": "best",
    "title": "The best",
    "description": "of all",
    "createdAt": "2024-01-01T00:00:00.000Z",
    "items": [
        {"url": "https://b.example/y", "title": "B", "excerpt": "About B", "note": "Read this"},
        {"url": "https://d.example/", "title": "D", "excerpt": None, "note": None},
    ],
}


def test_a_list_by_itself() -> None:
    assert items_of("pocket", CSV) == [A, B]


def test_columns_are_found_by_their_names() -> None:
    old = (
        "title,url,time_added,cursor,tags,status\nA,https://a.example/,1700000000,99,x|y,archive\n"
    )
    (item,) = items_of("pocket", old)
    assert (item.tags, item.archived) == (("x", "y"), True)


def test_titles_have_line_breaks() -> None:
    text = 'title,url,time_added,tags,status\n"One\ntwo ""three""",https://a.example/,1700000000,,unread\n'
    (item,) = items_of("pocket", text)
    assert item.title == 'One two "three"'


FOLDERS = {"at the root": "", "in a folder": "pocket/", "in two": "Downloads/pocket export/"}


@pytest.mark.parametrize("name", FOLDERS)
def test_the_archive(name: str) -> None:
    folder = FOLDERS[name]
    data = zipped(
        {
            f"{folder}part_000000.csv": CSV,
            f"{folder}part_000001.csv": CSV.replace("example", "test"),
            f"{folder}annotations/part_000000.json": json.dumps(MARKS),
            f"{folder}collections/best.json": json.dumps(COLLECTION),
            f"__MACOSX/{folder}._part_000000.csv": b"\0\5\x16\7",
            f"{folder}.DS_Store": b"\0",
        }
    )
    items = {item.url: item for item in items_of("pocket", data)}
    assert len(items) == 6
    assert items["https://a.example/x?utm=1"].highlights == (MARK,)
    in_collection = items["https://b.example/y"]
    assert (in_collection.folders, in_collection.excerpt) == (("The best",), "About B")
    assert in_collection.highlights == (ImportedHighlight(quote="", note="Read this"),)
    assert in_collection.archived
    only_marked = items["https://c.example/"]
    assert (only_marked.title, only_marked.highlights) == (
        "C",
        (ImportedHighlight(quote="other words"),),
    )
    assert items["https://d.example/"].folders == ("The best",)
    assert len({item.line for item in items.values()}) == 6


def test_an_archive_with_another_name_for_its_list() -> None:
    assert items_of("pocket", zipped({"export/my list.csv": CSV})) == [A, B]


def test_the_older_page() -> None:
    text = """<!DOCTYPE html><html><head><title>Pocket Export</title></head><body>
<h1>Unread</h1>
<ul><li><a href="https://a.example/?a=1&amp;b=2" time_added="1600000000" tags="x,y">A &amp; B</a>
</li>
<li><a href="https://b.example/" time_added="1600000001" tags="">https://b.example/</a></li></ul>
<h1>Read Archive</h1>
<ul><li><a href="https://c.example/" time_added="1600000002" tags="">C</a></li></ul>"""
    first, second, third = items_of("pocket", text)
    assert (first.url, first.title, first.tags) == (
        "https://a.example/?a=1&b=2",
        "A & B",
        ("x", "y"),
    )
    assert second.title is None
    assert [item.archived for item in (first, second, third)] == [False, False, True]
    assert third.saved_at == datetime(2020, 9, 13, 12, 26, 42, tzinfo=UTC)


def test_a_damaged_row_is_reported_and_the_others_are_read() -> None:
    rows = CSV.splitlines()
    broken = "\n".join([*rows[:2], '"never, closed,https://x.example/,1,,unread', *rows[2:]]) + "\n"
    items, skipped = read("pocket", broken)
    assert [item.url for item in items] == [A.url, B.url]
    assert [each.line for each in skipped] == [3]
