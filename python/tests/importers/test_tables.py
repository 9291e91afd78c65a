"""Instapaper, Raindrop, Readwise Reader and Matter, which are tables with one item per row."""

import json
from datetime import UTC, datetime

import pytest

from nexus.db.enums import ReadingState
from nexus.importers.csv_rows import WRONG_COLUMNS
from nexus.importers.records import ImportedHighlight, ImportedItem
from tests.importers.reading import items_of, read, zipped

WHEN = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


INSTAPAPER = {
    "first": ("URL,Title,Selection,Folder", "", "", None, ()),
    "second": ("URL,Title,Selection,Folder,Timestamp", ",1700000000", "", WHEN, ()),
    "third": (
        "URL,Title,Selection,Folder,Timestamp,Tags",
        ",1700000000",
        ',"[""a b"", ""c""]"',
        WHEN,
        ("a b", "c"),
    ),
}


@pytest.mark.parametrize("generation", INSTAPAPER)
def test_generations_of_instapaper(generation: str) -> None:
    header, when, tags, saved_at, expected = INSTAPAPER[generation]
    text = f'{header}\nhttps://a.example/1,"One, two",,Unread{when}{tags}\n'
    assert items_of("instapaper", text) == [
        ImportedItem(2, "https://a.example/1", "One, two", saved_at=saved_at, tags=expected)
    ]


def test_folders_and_selections_of_instapaper() -> None:
    text = (
        "URL,Title,Selection,Folder\n"
        "https://a.example/1,A,a clipped sentence,Archive\n"
        "https://a.example/2,B,,Starred\n"
        "https://a.example/3,C,,My folder\n"
        ",A note,words of my own,Unread\n"
    )
    first, second, third, note = items_of("instapaper", text)
    assert (first.archived, first.folders) == (True, ())
    assert first.highlights == (ImportedHighlight("a clipped sentence"),)
    assert (second.favourite, second.folders) == (True, ())
    assert third.folders == ("My folder",)
    assert (note.url, note.title) == (None, "A note")
    assert note.highlights == (ImportedHighlight("", note="words of my own"),)


def test_a_row_with_more_cells_than_columns_is_reported() -> None:
    text = (
        "URL,Title,Selection,Folder\n"
        "https://a.example/1,One, two,,Unread\n"
        "https://a.example/2,Two,,Unread,,\n"
    )
    items, skipped = read("instapaper", text)
    assert [(item.line, item.title) for item in items] == [(3, "Two")], "blank cells say nothing"
    assert [(each.line, each.reason) for each in skipped] == [(2, WRONG_COLUMNS)]


def test_tags_of_instapaper_that_are_no_json() -> None:
    text = "URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,A,,Unread,1,[a; b]\n"
    assert items_of("instapaper", text)[0].tags == ("a; b",)


RAINDROP = "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n"


def test_raindrop() -> None:
    text = (
        f'{RAINDROP}42,"Saved, one",my note,short text,https://a.example/,Research / Go,'
        '"reading, go",2024-01-02T03:04:05.123Z,,"First mark\nSecond mark",true\n'
    )
    assert items_of("raindrop", text) == [
        ImportedItem(
            line=2,
            url="https://a.example/",
            title="Saved, one",
            saved_at=datetime(2024, 1, 2, 3, 4, 5, 123000, tzinfo=UTC),
            tags=("reading", "go"),
            folders=("Research / Go",),
            favourite=True,
            excerpt="short text",
            highlights=(
                ImportedHighlight("", note="my note"),
                ImportedHighlight("First mark"),
                ImportedHighlight("Second mark"),
            ),
        )
    ]


@pytest.mark.parametrize("folder", ["", "Unsorted"])
def test_raindrop_without_a_folder(folder: str) -> None:
    text = f"{RAINDROP}1,A,,,https://a.example/,{folder},,,,,false\n"
    (item,) = items_of("raindrop", text)
    assert (item.folders, item.favourite) == ((), False)


READER = "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\n"

LISTS = {
    "none": ("", ()),
    "empty": ("[]", ()),
    "plain": ("\"['x', 'y z']\"", ("x", "y z")),
    "apostrophe": ('"[\'x\', ""it\'s""]"', ("x", "it's")),
    "escaped": ("\"['it\\'s']\"", ("it's",)),
    "broken": ("\"['x', 'y\"", ("x", "y")),
}


@pytest.mark.parametrize("name", LISTS)
def test_tags_of_reader(name: str) -> None:
    written, expected = LISTS[name]
    row = f"A,https://a.example/,1,{written},2024-01-15 10:00:00+00:00,0.4,later,True\n"
    assert items_of("readwise_reader", READER + row)[0].tags == expected


def test_reader() -> None:
    rows = (
        "A,https://a.example/,1,,2024-01-15 10:00:00.123000+00:00,0.4,archive,True\n"
        "B,https://b.example/,2,,2024-01-15 10:00:00+00:00,100,later,TRUE\n"
        "C,https://c.example/,3,,2024-01-15 10:00:00+00:00,0,feed,False\n"
        "D,,4,,2024-01-15 10:00:00+00:00,0,new,False\n"
    )
    (a, b), skipped = read("readwise_reader", READER + rows)
    assert (a.progress, a.state, a.archived) == (0.4, ReadingState.READING, True)
    assert a.saved_at == datetime(2024, 1, 15, 10, 0, 0, 123000, tzinfo=UTC)
    assert (b.progress, b.state, b.archived) == (1.0, ReadingState.FINISHED, False)
    assert [(each.line, each.what) for each in skipped] == [(4, "C"), (5, "D")]
    assert "feed" in skipped[0].reason


MATTER = {
    "older": (
        "Title,Author,Publisher,URL,Word Count,Saved,Read,Highlight Count,"
        "Last Interaction Date,File Id",
        "",
    ),
    "newer": (
        "Title,Author,Publisher,URL,Word Count,Saved,Read,Highlight_Count,Last Interaction Date,"
        "File Id,Tags,In Queue,Favorited",
        ",a;b c,False,True",
    ),
}


@pytest.mark.parametrize("generation", MATTER)
def test_matter(generation: str) -> None:
    header, more = MATTER[generation]
    row = f"A,N. Writer,Site,https://a.example/,9,True,True,1,2024-01-02 03:04:05,f1{more}"
    marks = "Title,Author,Publisher,Text,Highlighted Date\nA,N. Writer,Site,words,2024-01-03\n"
    data = zipped(
        {"Archive/_matter_history.csv": f"{header}\n{row}\n", "Archive/highlights.csv": marks}
    )
    item, marked = items_of("matter", data)
    assert (item.url, item.authors, item.state) == (
        "https://a.example/",
        ("N. Writer",),
        ReadingState.FINISHED,
    )
    if more:
        assert (item.tags, item.archived, item.favourite) == (("a", "b c"), True, True)
    assert (marked.title, marked.url) == ("A", None)
    assert [mark.quote for mark in marked.highlights] == ["words"]


def test_pinboard() -> None:
    entry = {
        "href": "https://a.example/",
        "description": "A",
        "extended": "my words",
        "tags": "a b",
        "time": "2024-01-02T03:04:05Z",
        "toread": "yes",
        "meta": "x",
    }
    assert items_of("pinboard", json.dumps([entry])) == [
        ImportedItem(
            line=1,
            url="https://a.example/",
            title="A",
            saved_at=datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC),
            tags=("a", "b"),
            state=ReadingState.UNREAD,
            highlights=(ImportedHighlight("", note="my words"),),
        )
    ]
