"""Omnivore: an archive of lists, and Markdown that cannot always be told apart."""

import io
import json
import zipfile
from datetime import UTC, datetime
from typing import Any

import pytest

from nexus.db.enums import ReadingState
from nexus.importers.omnivore_highlights import highlights_of
from nexus.importers.records import ImportedHighlight, ImportedItem
from tests.importers.reading import items_of, zipped


def entry(slug: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": slug,
        "slug": slug,
        "title": "A",
        "description": "About",
        "author": "N. Writer",
        "url": f"https://a.example/{slug}",
        "state": "Active",
        "readingProgress": 0,
        "labels": [],
        "savedAt": "2024-10-01T10:00:00.000Z",
        "publishedAt": None,
        **changes,
    }


@pytest.mark.parametrize("folder", ["", "omnivore export/"])
def test_the_archive(folder: str) -> None:
    first = [entry("a", state="Archived", readingProgress=40, labels=["t1", "t2"])]
    second = [entry("b", readingProgress=100), entry("c", state="Unknown", author=None)]
    data = zipped(
        {
            f"{folder}metadata_0_to_20.json": json.dumps(first),
            f"{folder}metadata_20_to_40.json": json.dumps(second),
            f"{folder}content/a.html": "<p>words</p>",
            f"{folder}content/b.pdf": b"%PDF-",
            f"{folder}highlights/a.md": "> words \n\n#idea\n\nmy note\n\n",
            f"__MACOSX/{folder}._metadata_0_to_20.json": b"\0",
        }
    )
    a, b, c = items_of("omnivore", data)
    assert a == ImportedItem(
        line=1,
        url="https://a.example/a",
        title="A",
        authors=("N. Writer",),
        saved_at=datetime(2024, 10, 1, 10, tzinfo=UTC),
        tags=("t1", "t2"),
        state=ReadingState.READING,
        progress=0.4,
        archived=True,
        excerpt="About",
        highlights=(ImportedHighlight("words", note="my note", tags=("idea",)),),
    )
    assert (b.state, b.member) == (ReadingState.FINISHED, f"{folder}content/b.pdf")
    assert (c.line, c.state, c.authors, c.archived) == (3, None, (), False)


def test_a_list_by_itself() -> None:
    assert [item.url for item in items_of("omnivore", json.dumps([entry("a")]))] == [
        "https://a.example/a"
    ]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_same_entry_twice() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("metadata_0_to_20.json", json.dumps([entry("a")]))
        archive.writestr("content/a.html", "")
        archive.writestr("content/a.html", "<p>words</p>")
    assert len(items_of("omnivore", buffer.getvalue())) == 1


MARKDOWN = {
    "one": ("> words \n\n", [ImportedHighlight("words")]),
    "several lines": ("> one\n> two\nthree \n\n", [ImportedHighlight("one\ntwo\nthree")]),
    "a blank line inside": ("> one\n> \n> two \n\n", [ImportedHighlight("one\n\ntwo")]),
    "with a note": ("> one \n\nmy note\n\n", [ImportedHighlight("one", note="my note")]),
    "a note of paragraphs": (
        "> one \n\nfirst\n\nsecond\n\n",
        [ImportedHighlight("one", note="first\n\nsecond")],
    ),
    "labels": ("> one \n\n#a #b\n\n", [ImportedHighlight("one", tags=("a", "b"))]),
    "labels and a note": (
        "> one \n\n#a\n\nnote\n\n",
        [ImportedHighlight("one", note="note", tags=("a",))],
    ),
    "a note with a sign": (
        "> one \n\nnote first\n\n#later\n\n",
        [ImportedHighlight("one", note="note first\n\n#later")],
    ),
    "two": ("> one \n\n> two \n\n", [ImportedHighlight("one"), ImportedHighlight("two")]),
    "about the item": (
        "a note\n\n\n> one \n\n",
        [ImportedHighlight("", note="a note"), ImportedHighlight("one")],
    ),
    "nothing": ("\n\n", []),
}


@pytest.mark.parametrize("name", MARKDOWN)
def test_markdown(name: str) -> None:
    text, expected = MARKDOWN[name]
    assert highlights_of(text) == expected
    assert highlights_of(text.replace("\n", "\r\n")) == expected
