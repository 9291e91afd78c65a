"""wallabag, Karakeep, Linkwarden, Hypothesis and Web Annotations."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from nexus.db.enums import HighlightColor
from nexus.importers.json_values import DAMAGED, NOT_AN_ENTRY
from nexus.importers.records import ImportedHighlight, ImportedItem
from tests.importers.reading import items_of, read, read_as

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)


def test_wallabag() -> None:
    entry = {
        "id": "1",
        "title": "A",
        "url": "https://a.example/",
        "given_url": "https://short.example/",
        "is_archived": 1,
        "is_starred": True,
        "content": "<p>Some words here</p>",
        "published_by": ["N. Writer"],
        "tags": ["t", "u"],
        "created_at": "2024-01-01T14:00:00+0200",
        "annotations": [
            {
                "text": "note",
                "quote": "words",
                "ranges": [{"start": "/p[1]", "startOffset": "5", "end": "/p[1]", "endOffset": 10}],
            },
            {"text": "", "quote": "here"},
            {"text": "only a note"},
        ],
    }
    assert items_of("wallabag", json.dumps([entry])) == [
        ImportedItem(
            line=1,
            url="https://a.example/",
            title="A",
            authors=("N. Writer",),
            saved_at=NOON,
            tags=("t", "u"),
            archived=True,
            favourite=True,
            highlights=(
                ImportedHighlight("words", note="note"),
                ImportedHighlight("here"),
                ImportedHighlight("", note="only a note"),
            ),
        )
    ]


def test_wallabag_leaves_out_what_is_null() -> None:
    entries = [{"url": "https://a.example/", "is_archived": False}, {"is_archived": 0, "url": ""}]
    items, skipped = read("wallabag", json.dumps(entries))
    assert items == [ImportedItem(1, "https://a.example/")]
    assert [each.line for each in skipped] == [2]


def karakeep(**changes: Any) -> dict[str, Any]:
    return {
        "createdAt": 1704110400,
        "title": "A",
        "tags": ["t"],
        "lists": [],
        "content": {"type": "link", "url": "https://a.example/"},
        "note": None,
        "archived": False,
        **changes,
    }


def test_karakeep() -> None:
    bookmarks = [
        karakeep(lists=["sub", "loop", "gone"], note="my note", archived=True),
        karakeep(title=None, content={"type": "text", "text": "words of my own"}),
        karakeep(title="A file", content=None),
    ]
    lists = [
        {"id": "sub", "name": "Sub", "parentId": "top"},
        {"id": "top", "name": "Top", "parentId": None},
        {"id": "loop", "name": "Loop", "parentId": "pool"},
        {"id": "pool", "name": "Pool", "parentId": "loop"},
    ]
    text = json.dumps({"bookmarks": bookmarks, "lists": lists})
    (link, note), skipped = read("karakeep", text)
    assert link == ImportedItem(
        line=1,
        url="https://a.example/",
        title="A",
        saved_at=NOON,
        tags=("t",),
        folders=("Top / Sub", "Pool / Loop"),
        archived=True,
        highlights=(ImportedHighlight("", note="my note"),),
    )
    assert (note.url, note.highlights) == (None, (ImportedHighlight("", note="words of my own"),))
    assert [(each.line, each.what) for each in skipped] == [(3, "A file")]


def test_karakeep_without_lists() -> None:
    text = json.dumps({"bookmarks": [karakeep(lists=["x"])]})
    assert items_of("karakeep", text)[0].folders == ()


def test_linkwarden() -> None:
    links = [
        {
            "id": number,
            "name": f"Link {number}",
            "type": "url",
            "url": f"https://a.example/{number}",
            "description": "my words" if number == 1 else "",
            "tags": [{"name": "dev"}],
            "createdAt": "2024-01-01T12:00:00.000Z",
        }
        for number in range(1, 4)
    ]
    collections = [
        {"links": [links[0]], "id": 3, "name": "Deep", "parentId": 2},
        {"id": 2, "name": "Sub", "parentId": 1, "links": [], "rssSubscriptions": []},
        {"id": 1, "name": "Tech", "parentId": None, "links": [links[1], links[2]]},
    ]
    text = json.dumps({"username": "x", "collections": collections, "pinnedLinks": [{"id": 2}]})
    items = items_of("linkwarden", text)
    assert [item.folders for item in items] == [("Tech / Sub / Deep",), ("Tech",), ("Tech",)]
    assert [item.favourite for item in items] == [False, True, False]
    assert items[0] == ImportedItem(
        line=1,
        url="https://a.example/1",
        title="Link 1",
        saved_at=NOON,
        tags=("dev",),
        folders=("Tech / Sub / Deep",),
        highlights=(ImportedHighlight("", note="my words"),),
    )


def test_linkwarden_files_are_not_in_its_export() -> None:
    link = {"name": "A file", "type": "pdf", "url": None, "collectionId": 1}
    text = json.dumps({"collections": [{"id": 1, "name": "T", "links": [link]}]})
    items, skipped = read("linkwarden", text)
    assert items == []
    assert [each.what for each in skipped] == ["A file"]


def annotation(**changes: Any) -> dict[str, Any]:
    return {
        "id": "x",
        "created": "2024-01-01T12:00:00.000000+00:00",
        "updated": "2024-01-01T12:00:00.000000+00:00",
        "uri": "https://a.example/",
        "text": "",
        "tags": [],
        "document": {"title": ["A"]},
        "target": [{"source": "https://a.example/"}],
        **changes,
    }


def selected(exact: str, start: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "source": "https://a.example/",
            "selector": [
                {"type": "RangeSelector", "startContainer": "/p[1]", "startOffset": 1},
                {"type": "TextPositionSelector", "start": start, "end": start + len(exact)},
                {"type": "TextQuoteSelector", "exact": exact, **more},
            ],
        }
    ]


SHAPES: dict[str, Callable[[list[Any]], Any]] = {
    "export of the client": lambda found: {"export_date": "2026-01-01", "annotations": found},
    "rows of the API": lambda found: {"total": len(found), "rows": found},
    "a bare list": lambda found: found,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_hypothesis(shape: str) -> None:
    annotations = [
        annotation(target=selected("later", 90, prefix="the ", suffix=" one"), tags=["t"]),
        annotation(text="about the page"),
        annotation(target=selected("word", 10), text="a note"),
        annotation(text="a reply", references=["x"]),
        annotation(uri="urn:x-pdf:123", document={}, target=selected("in a file", 1)),
    ]
    page, file = items_of("hypothesis", json.dumps(SHAPES[shape](annotations)))
    assert (page.url, page.title, page.saved_at) == ("https://a.example/", "A", NOON)
    assert [(mark.quote, mark.note, mark.position) for mark in page.highlights] == [
        ("word", "a note", 10),
        ("later", None, 90),
        ("", "about the page", None),
        ("", "a reply", None),
    ]
    later = page.highlights[1]
    assert (later.prefix, later.suffix, later.tags) == ("the ", " one", ("t",))
    assert (file.url, file.highlights[0].quote) == (None, "in a file")


def test_hypothesis_knows_the_page_of_a_file() -> None:
    target = selected("word", 10)
    target[0]["selector"].append({"type": "PageSelector", "index": 11, "label": "xii"})
    (item,) = items_of("hypothesis", json.dumps([annotation(target=target)]))
    assert item.highlights[0].page == "xii"


W3C_TARGET = {
    "source": "https://a.example/",
    "styleClass": "green",
    "dc:title": "A",
    "selector": {
        "type": "CssSelector",
        "value": "p",
        "refinedBy": {"type": "TextQuoteSelector", "exact": "word", "prefix": "the "},
    },
}
W3C = {
    "@context": "http://www.w3.org/ns/anno.jsonld",
    "id": "urn:x",
    "type": "Annotation",
    "created": "2024-01-01T12:00:00Z",
    "body": [
        {"type": "TextualBody", "value": "a note", "purpose": "commenting"},
        {"type": "TextualBody", "value": "t", "purpose": "tagging"},
    ],
    "target": W3C_TARGET,
}
W3C_SHAPES: dict[str, Any] = {
    "a list": [W3C],
    "a collection": {"type": "AnnotationCollection", "first": {"items": [W3C]}},
    "a page": {"type": "AnnotationPage", "items": [W3C]},
}


@pytest.mark.parametrize("shape", W3C_SHAPES)
def test_web_annotations(shape: str) -> None:
    assert items_of("w3c", json.dumps(W3C_SHAPES[shape])) == [
        ImportedItem(
            line=1,
            url="https://a.example/",
            title="A",
            saved_at=NOON,
            tags=("t",),
            highlights=(
                ImportedHighlight(
                    "word",
                    prefix="the ",
                    note="a note",
                    color=HighlightColor.GREEN,
                    created_at=NOON,
                ),
            ),
        )
    ]


def entries(count: int) -> list[str]:
    return [
        json.dumps({"url": f"https://a.example/{number}", "is_archived": 0, "n": {"url": "x"}})
        for number in range(count)
    ]


DAMAGE = {
    "a comma lost": lambda text: text.replace("}, {", "} {", 1),
    "a quote lost": lambda text: text.replace('example/1"', "example/1", 1),
    "a bracket lost": lambda text: text.replace("[", "", 1),
    "a sign of control": lambda text: text.replace("/1", "/1\n", 1),
    "no end": lambda text: text[:-1],
}


@pytest.mark.parametrize("name", DAMAGE)
def test_entries_behind_the_damage_are_found(name: str) -> None:
    items, skipped = read_as("wallabag", DAMAGE[name](f"[{', '.join(entries(6))}]").encode())
    found = [item.url for item in items if item.url]
    assert len(found) >= 5
    assert len(found) == len({*found})
    assert found[-1] == "https://a.example/5"
    assert [each.reason for each in skipped if each.what == ""] == [DAMAGED]


def test_what_is_no_entry_is_reported() -> None:
    items, skipped = read_as("wallabag", f"[1, {entries(1)[0]}, null, []]".encode())
    assert [item.line for item in items] == [2]
    assert [(each.line, each.reason) for each in skipped] == [
        (1, NOT_AN_ENTRY),
        (3, NOT_AN_ENTRY),
        (4, NOT_AN_ENTRY),
    ]


def test_numbers_of_any_size() -> None:
    text = '[{"url": "https://a.example/", "is_archived": 0, "id": 1e999, "created_at": 1e400}]'
    items, _ = read("wallabag", text)
    assert items == [ImportedItem(line=2, url="https://a.example/")]


def test_texts_without_characters_that_cannot_be_stored() -> None:
    entry = '{"url": "https://a.example/", "is_archived": 0, "title": "A\\u0000\\ud800 b"}'
    (item,) = items_of("wallabag", f"[{entry}]")
    assert item.title is not None
    assert item.title.encode()
    assert "\0" not in item.title
