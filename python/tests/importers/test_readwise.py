"""Readwise: rows of highlights become books and articles."""

from datetime import UTC, datetime

import pytest

from nexus.db.enums import HighlightColor
from nexus.importers.records import ImportedHighlight, ImportedItem
from tests.importers.reading import items_of, read

EXPORT = (
    "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,"
    "Highlighted at,Document tags\n"
)
WHEN = datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_rows_of_one_book_are_one_item_in_its_order() -> None:
    rows = (
        '"Line one\nline two",A Book,N. Writer,B0,my note,yellow,"idea,.favorite",location,1200,'
        "2024-05-01 10:00:00+00:00,shelf\n"
        "other,Another,O. Thor,,,,,order,1,2024-05-02,\n"
        "earlier,A Book,N. Writer,B0,,orange,,location,7,2024-05-03T10:00:00Z,\n"
    )
    book, other = items_of("readwise", EXPORT + rows)
    assert book == ImportedItem(
        line=2,
        url=None,
        title="A Book",
        authors=("N. Writer",),
        saved_at=WHEN,
        tags=("shelf",),
        highlights=(
            ImportedHighlight(
                "earlier",
                color=HighlightColor.YELLOW,
                created_at=datetime(2024, 5, 3, 10, tzinfo=UTC),
            ),
            ImportedHighlight(
                "Line one\nline two",
                note="my note",
                color=HighlightColor.YELLOW,
                created_at=WHEN,
                tags=("idea", "favorite"),
            ),
        ),
    )
    assert other.highlights[0].created_at == datetime(2024, 5, 2, tzinfo=UTC)


def test_pages_are_labels() -> None:
    row = "words,A Book,,,,,,page,12,2024-05-01 10:00:00+00:00,\n"
    assert items_of("readwise", EXPORT + row)[0].highlights[0].page == "12"


TAGS = {
    "commas": ('"a, b c"', ("a", "b c")),
    "words with a sign": ("#a #b", ("a", "b")),
    "marks of its own": ('".h1,.c2,a"', ("a",)),
    "none": ("", ()),
}


@pytest.mark.parametrize("name", TAGS)
def test_tags(name: str) -> None:
    written, expected = TAGS[name]
    row = f"words,A Book,,,,,{written},order,1,,\n"
    assert items_of("readwise", EXPORT + row)[0].highlights[0].tags == expected


def test_older_files_have_one_column_less() -> None:
    text = EXPORT.replace(",Document tags", "") + "words,A Book,,,,blue,,order,1,2024-05-01\n"
    assert items_of("readwise", text)[0].highlights[0].color is HighlightColor.BLUE


def test_a_note_without_a_highlight_and_a_row_without_either() -> None:
    rows = ",A Book,,,only a note,,,,,,\n,A Book,,,,,,,,,\n"
    (book,), skipped = read("readwise", EXPORT + rows)
    assert book.highlights == (ImportedHighlight("", note="only a note"),)
    assert [(each.line, each.what) for each in skipped] == [(3, "A Book")]


def test_the_form_for_import() -> None:
    text = (
        "Highlight,Title,Author,URL,Note,Location,Date\n"
        '"He said ""yes""",A,N. Writer,https://a.example/,n,2,2024-05-01 10:00:00\n'
        "first,A,N. Writer,https://a.example/,,1,\n"
        "no address,B\n"
        "neither\n"
    )
    article, book, bare = items_of("readwise", text)
    assert (article.url, article.title, article.authors) == (
        "https://a.example/",
        "A",
        ("N. Writer",),
    )
    assert [mark.quote for mark in article.highlights] == ["first", 'He said "yes"']
    assert (book.url, book.title) == (None, "B")
    assert (bare.title, bare.highlights) == (None, (ImportedHighlight("neither"),))


def test_columns_may_be_in_any_order() -> None:
    text = "URL,Note,Highlight,Title\nhttps://a.example/,n,words,A\n"
    (item,) = items_of("readwise", text)
    assert item.highlights == (ImportedHighlight("words", note="n"),)
