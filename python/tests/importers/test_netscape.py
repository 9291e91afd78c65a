"""Bookmarks of browsers and services, with the liberties that each of them takes."""

from datetime import UTC, datetime

import pytest

from nexus.db.enums import ReadingState
from nexus.importers.fields import BROKEN_ADDRESS, NO_ADDRESS, NOT_A_WEB_ADDRESS
from nexus.importers.records import ImportedHighlight, ImportedItem
from tests.importers.reading import items_of, read

HEAD = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
WHEN = datetime(2020, 9, 13, 12, 26, 41, tzinfo=UTC)


def one(link: str) -> ImportedItem:
    (item,) = items_of("netscape", f"{HEAD}<DL><p>\n<DT>{link}\n</DL><p>")
    return item


def test_a_bookmark_with_everything() -> None:
    text = (
        f'{HEAD}<DL><p><DT><H3 ADD_DATE="1600000000">Folder</H3><DL><p>\n'
        '<DT><A HREF="https://a.example/?a=1&amp;b=2" ADD_DATE="1600000001" TAGS="x,y" TOREAD="1">'
        "A &amp; B</A><DD>Note\n</DL><p></DL><p>"
    )
    assert items_of("netscape", text) == [
        ImportedItem(
            line=3,
            url="https://a.example/?a=1&b=2",
            title="A & B",
            saved_at=WHEN,
            tags=("x", "y"),
            folders=("Folder",),
            state=ReadingState.UNREAD,
            excerpt="Note",
        )
    ]


FOLDERS = {
    "nested": (
        "<DL><p><DT><H3>A</H3><DL><p><DT><H3>B</H3><DL><p>{}</DL></DL></DL>",
        ("A / B",),
    ),
    "closed again": (
        "<DL><p><DT><H3>A</H3><DL><p><DT><H3>B</H3><DL><p></DL>{}</DL></DL>",
        ("A",),
    ),
    "in none": ("<DL><p><DT><H3>A</H3><DL><p></DL>{}</DL>", ()),
    "list beside its heading": ("<DL><DT><H3>A</H3></DT><DL>{}</DL></DL>", ("A",)),
    "without a name": (
        "<DL><p><DT><H3>A</H3><DL><p><DT><H3></H3><DL><p>{}</DL></DL></DL>",
        ("A",),
    ),
    "entities": ("<DL><p><DT><H3>R &amp; D</H3><DL><p>{}</DL></DL>", ("R & D",)),
    "the bar of the browser": (
        '<DL><p><DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bar</H3><DL><p>'
        "<DT><H3>A</H3><DL><p>{}</DL></DL></DL>",
        ("A",),
    ),
    "small letters": ("<dl><p><dt><h3>A</h3><dl><p>{}</dl></dl>", ("A",)),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_folders(name: str) -> None:
    lists, folders = FOLDERS[name]
    link = '<DT><A HREF="https://a.example/" ADD_DATE="1">A</A>\n'
    (item,) = items_of("netscape", HEAD + lists.format(link))
    assert item.folders == folders


def test_folders_of_one_name_stay_apart() -> None:
    folder = '<DT><H3>{0}</H3><DL><DT><H3>Same</H3><DL><DT><A HREF="https://{0}.example/">L</A></DL></DL>'
    items = items_of("netscape", f"{HEAD}<DL>{folder.format('a')}{folder.format('b')}</DL>")
    assert [item.folders for item in items] == [("a / Same",), ("b / Same",)]


DATES = {
    "seconds": ("1600000001", WHEN),
    "with a point": ("1600000001.0", WHEN),
    "milliseconds": ("1600000001000", WHEN),
    "microseconds": ("1600000001000000", WHEN),
    "zero": ("0", None),
    "empty": ("", None),
    "negative": ("-5", None),
    "in the future": ("99999999999", None),
    "far out of range": ("9" * 400, None),
    "words": ("yesterday", None),
}


@pytest.mark.parametrize("name", DATES)
def test_dates(name: str) -> None:
    written, expected = DATES[name]
    assert one(f'<A HREF="https://a.example/" ADD_DATE="{written}">A</A>').saved_at == expected


TAGS = {
    "commas": ('TAGS="a, b,,c d"', ("a", "b", "c d")),
    "another name": ('LABELS="a,b"', ("a", "b")),
    "one with a space": ('TAGS="to read"', ("to read",)),
    "in other letters": ('TAGS="Go,go"', ("Go",)),
    "no quotes around it": ("TAGS=a", ("a",)),
}


@pytest.mark.parametrize("name", TAGS)
def test_tags(name: str) -> None:
    written, expected = TAGS[name]
    assert one(f'<A HREF="https://a.example/" {written}>A</A>').tags == expected


def test_tags_of_shaarli_are_words() -> None:
    link = '<DT><A HREF="https://a.example/" TAGS="a b">A</A>'
    text = f"{HEAD}<!-- Shaarli all bookmarks export -->\n<DL>{link}"
    assert items_of("netscape", text)[0].tags == ("a", "b")


def test_linkding_marks_what_is_archived_and_wraps_notes() -> None:
    item = one(
        '<A HREF="https://a.example/?x=1&y=2" TAGS="a,linkding:bookmarks.archived">A</A>\n\r'
        "<DD>About it\n\r[linkding-notes]My\nnotes[/linkding-notes]\n\r"
    )
    assert (item.url, item.archived, item.tags) == ("https://a.example/?x=1&y=2", True, ("a",))
    assert item.excerpt == "About it"
    assert item.highlights == (ImportedHighlight(quote="", note="My\nnotes"),)


def test_descriptions_go_on_to_the_next_bookmark() -> None:
    text = (
        f'{HEAD}<DL><p><DT><A HREF="https://a.example/">A</A>\n<DD>One\nline <b>and</b> '
        '<a href="https://b.example/">another</a>\n'
        '<DT><A HREF="https://c.example/" ADD_DATE="1">C</A>\n</DL>'
    )
    first, second = items_of("netscape", text)
    assert first.excerpt == "One\nline and another"
    assert second.excerpt is None


def test_a_long_description_is_a_note() -> None:
    words = "word " * 500
    item = one(f'<A HREF="https://a.example/">A</A><DD>{words}')
    assert item.excerpt is None
    assert item.highlights == (ImportedHighlight(quote="", note=words.strip()),)


ADDRESSES = {
    "javascript:alert('<b>')": NOT_A_WEB_ADDRESS,
    "place:sort=8": NOT_A_WEB_ADDRESS,
    "data:text/html,hi": NOT_A_WEB_ADDRESS,
    "chrome://settings": NOT_A_WEB_ADDRESS,
    "file:///etc/passwd": NOT_A_WEB_ADDRESS,
    "about:blank": NOT_A_WEB_ADDRESS,
    "": NO_ADDRESS,
    "https://": BROKEN_ADDRESS,
    "http://[::1": BROKEN_ADDRESS,
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_is_no_web_address_is_reported(address: str) -> None:
    items, skipped = read("netscape", f'{HEAD}<DL>\n<DT><A HREF="{address}">A title</A></DL>')
    assert items == []
    assert [(each.line, each.what, each.reason) for each in skipped] == [
        (3, "A title", ADDRESSES[address])
    ]


BROKEN = {
    "no quotes": "<DT><A HREF=https://a.example/ ADD_DATE=1600000001>A</A>",
    "single quotes": "<DT><A HREF='https://a.example/' ADD_DATE='1600000001'>A</A>",
    "never closed": '<DT><A HREF="https://a.example/" ADD_DATE="1600000001">A',
    "a large icon": (
        f'<DT><A HREF="https://a.example/" ADD_DATE="1600000001" ICON="data:{"x" * 300_000}">A</A>'
    ),
    "over several lines": '<DT><A\nHREF="https://a.example/"\nADD_DATE="1600000001"\n>A</A>',
    "signs in attributes": (
        '<DT><A HREF="https://a.example/" ADD_DATE="1600000001" SHORTCUTURL="a>b<c">A</A>'
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_tags(name: str) -> None:
    text = f'{HEAD}<DL>{BROKEN[name]}\n<DT><A HREF="https://b.example/">B</A>\n</DL>'
    first, second = read("netscape", text)[0]
    assert (first.url, first.title) == ("https://a.example/", "A")
    assert first.saved_at in (WHEN, None)
    assert (second.url, second.title) == ("https://b.example/", "B")


def test_a_quote_too_few_costs_one_bookmark() -> None:
    text = (
        f'{HEAD}<DL><DT><A ICON="data: HREF="https://a.example/" TAGS="x">A</A>\n'
        '<DT><A HREF="https://b.example/">B</A>\n</DL>'
    )
    items, skipped = read("netscape", text)
    assert [item.url for item in items] == ["https://b.example/"]
    assert [each.what for each in skipped] == ["A"]


def test_lines_of_the_file_are_counted() -> None:
    text = HEAD + "\n".join(f'<DT><A HREF="https://a.example/{n}">A</A><DD>a\nb' for n in range(3))
    assert [item.line for item in items_of("netscape", f"{text}<DL>")] == [2, 4, 6]
