"""Limits of items, and that nothing is left out silently."""

import json
from datetime import UTC, datetime

import pytest

from nexus.db.enums import HighlightColor, ReadingState
from nexus.importers.items import (
    MAX_HIGHLIGHTS,
    MAX_NOTE,
    MAX_QUOTE,
    QUOTE_TOO_LONG,
    TAG_TOO_LONG,
    TOO_MANY_TAGS,
    highlight,
    item,
)
from nexus.importers.records import ImportedHighlight, ImportedItem, Record, Skipped

URL = "https://a.example/"


def made(**fields: object) -> tuple[list[ImportedItem], list[str]]:
    records = list(item(1, URL, **fields))  # type: ignore[arg-type]
    items = [record for record in records if isinstance(record, ImportedItem)]
    return items, [record.reason for record in records if isinstance(record, Skipped)]


def test_tags_as_they_can_be_kept() -> None:
    (found,), reasons = made(tags=["a,b", 'say "x"', " c\n d ", "..", "", "A B", "\0e"])
    assert found.tags == ("a b", "say x", "c d", "e")
    assert reasons == []


def test_tags_beyond_the_limits_are_reported() -> None:
    (found,), reasons = made(tags=[str(number) for number in range(51)])
    assert (len(found.tags), reasons) == (50, [TOO_MANY_TAGS])
    (found,), reasons = made(tags=["x" * 101, "y" * 100])
    assert (found.tags, reasons) == (("y" * 100,), [TAG_TOO_LONG])


def test_a_long_note_goes_on_in_others() -> None:
    words = "word " * 5000
    (found,), reasons = made(highlights=highlight("quote", words))
    first, *rest = found.highlights
    assert (first.quote, {mark.quote for mark in rest}) == ("quote", {""})
    notes = [mark.note or "" for mark in found.highlights]
    assert max(map(len, notes)) <= MAX_NOTE
    assert " ".join(notes).split() == words.split()
    assert reasons == []


def test_a_note_without_spaces_is_cut_too() -> None:
    digits = "".join(map(str, range(10_000)))[: 2 * MAX_NOTE + 1]
    (found,), _ = made(highlights=highlight("", digits))
    assert [len(mark.note or "") for mark in found.highlights] == [MAX_NOTE, MAX_NOTE, 1]
    assert "".join(mark.note or "" for mark in found.highlights) == digits


def test_many_highlights_are_several_records_of_one_item() -> None:
    marks = [mark for number in range(MAX_HIGHLIGHTS + 1) for mark in highlight(f"words {number}")]
    items, reasons = made(highlights=marks, title="A")
    assert [len(found.highlights) for found in items] == [MAX_HIGHLIGHTS, 1]
    assert {(found.line, found.url, found.title) for found in items} == {(1, URL, "A")}
    assert reasons == []


def test_a_highlight_beyond_the_limit_is_reported() -> None:
    (found,), reasons = made(highlights=[*highlight("x" * (MAX_QUOTE + 1)), *highlight("words")])
    assert [mark.quote for mark in found.highlights] == ["words"]
    assert reasons == [QUOTE_TOO_LONG]


def test_the_same_highlight_twice_is_one() -> None:
    (found,), _ = made(highlights=[*highlight("a", "n"), *highlight("a", "n"), *highlight("a")])
    assert len(found.highlights) == 2


def test_long_folders_keep_their_end() -> None:
    (found,), _ = made(folders=["x" * 200 + " / Go", " A  /  B ", "", "A / B"])
    long, short = found.folders
    assert (len(long), long[-5:], short) == (100, " / Go", "A / B")


def test_an_address_that_is_the_title_is_none() -> None:
    (found,), _ = made(title=URL)
    assert found.title is None


def test_without_an_address_highlights_are_kept() -> None:
    records = list(item(1, "file:///a.pdf", title="A", highlights=highlight("words")))
    assert records == [ImportedItem(1, None, "A", highlights=(ImportedHighlight("words"),))]


RECORDS: list[Record] = [
    ImportedItem(1, None),
    ImportedItem(
        line=2,
        url=URL,
        title="A",
        authors=("N",),
        saved_at=datetime(2024, 1, 1, tzinfo=UTC),
        tags=("t",),
        folders=("A / B",),
        state=ReadingState.READING,
        progress=0.5,
        archived=True,
        favourite=True,
        excerpt="about",
        highlights=(
            ImportedHighlight("words"),
            ImportedHighlight(
                quote="",
                prefix="p",
                suffix="s",
                note="n",
                color=HighlightColor.PINK,
                created_at=datetime(2024, 1, 1, tzinfo=UTC),
                updated_at=datetime(2024, 1, 2, tzinfo=UTC),
                position=0,
                fragment=0,
                start=0,
                end=5,
                page="xii",
                tags=("t",),
            ),
        ),
        member="a.pdf",
    ),
    Skipped(3, "what", "why"),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record.line))
def test_records_are_stored_as_json(record: Record) -> None:
    assert type(record).from_json(json.loads(json.dumps(record.to_json()))) == record
