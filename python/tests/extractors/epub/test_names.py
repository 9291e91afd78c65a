"""Files are found by whatever name a book uses, and nothing outside it is."""

import io
import zipfile

import pytest

from tests.epub_files import (
    CONTAINER,
    Book,
    a_book,
    page,
    png,
    with_flag,
    without_directory,
    zipped,
)
from tests.extractors.epub.reading import led_to, problem, read, texts

ONE = page("<p>First words.</p>")


@pytest.mark.parametrize(
    ("entry", "href"),
    [
        ("OEBPS/a b.xhtml", "a%20b.xhtml"),
        ("OEBPS/a b.xhtml", "a b.xhtml"),
        ("OEBPS/a&b.xhtml", "a%26b.xhtml"),
        ("OEBPS/a%26b.xhtml", "a%26b.xhtml"),
        ("OEBPS/Kapitel über.xhtml", "Kapitel%20%C3%BCber.xhtml"),
        ("OEBPS/u\u0308ber.xhtml", "\u00fcber.xhtml"),
        ("OEBPS/Text/ONE.xhtml", "text/one.XHTML"),
        ("OEBPS\\text\\one.xhtml", "text/one.xhtml"),
        ("OEBPS/text/one.xhtml", "text\\one.xhtml"),
        ("one.xhtml", "/one.xhtml"),
        ("/OEBPS/one.xhtml", "one.xhtml"),
        ("one.xhtml", "../../../one.xhtml"),
        ("../../one.xhtml", "../one.xhtml"),
        ("OEBPS/one.xhtml", "./x/../one.xhtml"),
    ],
)
def test_a_document_is_found(entry: str, href: str) -> None:
    item = f'<item id="x" href="{href.replace("&", "&amp;")}" media-type="application/xhtml+xml"/>'
    book = Book(documents={}, items=item, spine='<itemref idref="x"/>', raw={entry: ONE})
    assert texts(book.bytes()) == ["First words."]


def test_names_in_utf8_that_do_not_say_so() -> None:
    item = '<item id="x" href="café.xhtml" media-type="application/xhtml+xml"/>'
    book = Book(documents={}, items=item, spine='<itemref idref="x"/>')
    data = zipped([*book.entries().items(), ("OEBPS/café.xhtml", ONE)])
    assert texts(data.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")) == ["First words."]


def test_links_and_pictures_are_found_by_the_same_rule() -> None:
    data = a_book(
        '<p><a href="TWO%20x.xhtml#a%C3%A4">there</a><img src="Images\\A.PNG" alt="A"/></p>',
        raw={"OEBPS/images/a.png": png()},
        items='<item id="t" href="two x.xhtml" media-type="application/xhtml+xml"/>',
        spine='<itemref idref="i0"/><itemref idref="t"/>',
        files={},
    )
    entries = {"OEBPS/two x.xhtml": page('<p>Before</p><p id="aä">Target words</p>')}
    data = zipped([*_entries(data), *entries.items()])
    book = read(data)
    assert led_to(book) == {"there": "Target words"}
    assert list(book["sizes"].values()) == [(3, 2)]


def _entries(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(n, archive.read(n)) for n in archive.namelist() if n != "mimetype"]


def test_of_two_entries_with_one_name_the_last_counts() -> None:
    book = Book(documents={"1.xhtml": page("<p>Old</p>")})
    data = zipped([*book.entries().items(), ("OEBPS/1.xhtml", page("<p>New</p>"))])
    assert texts(data) == ["New"]


def test_what_systems_leave_in_archives_is_not_looked_at() -> None:
    litter = {"__MACOSX/OEBPS/._book.opf": b"\0\5\x16", "OEBPS/._1.opf": b"\0"}
    book = Book(container=None, raw=dict(litter))
    assert texts(book.bytes()) == ["One\n\nFirst words."]


@pytest.mark.parametrize("opf", ["OEBPS/BOOK.opf", "/OEBPS/book.opf", "elsewhere.opf", "x/y"])
def test_the_package_file_is_found_where_the_container_is_wrong(opf: str) -> None:
    assert texts(Book(opf=opf).bytes()) == ["One\n\nFirst words."]


@pytest.mark.parametrize("container", [None, "<container>", CONTAINER.replace("rootfile ", "x ")])
def test_the_package_file_is_found_without_a_good_container(container: str | None) -> None:
    assert texts(Book(container=container).bytes()) == ["One\n\nFirst words."]


def test_the_first_entry_need_not_be_the_type() -> None:
    assert texts(zipped(Book().entries().items(), mimetype=False)) == ["One\n\nFirst words."]


def test_an_archive_without_its_directory_is_salvaged() -> None:
    data = Book(documents={"1.xhtml": page("<p>Kept.</p>")}, files={"a.png": png()}).bytes()
    assert texts(without_directory(data)) == ["Kept."]
    # Cut off in the middle of the document it is not.
    cut = without_directory(data)
    code, sentence = problem(cut[: cut.rindex(b"OEBPS/1.xhtml") + 30])
    assert (code, sentence) == (
        "E_EPUB_INVALID",
        "None of the documents that this EPUB lists is in it.",
    )


def test_what_is_missing_is_left_out() -> None:
    data = a_book(
        '<p>There. <a href="gone.xhtml">Gone</a> <img src="gone.png" alt="A boat"/></p>',
        items='<item id="g" href="gone.xhtml" media-type="application/xhtml+xml"/>',
        spine='<itemref idref="g"/><itemref idref="i0"/><itemref idref="nothing"/>',
    )
    assert texts(data) == ["There. Gone [A boat]"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK\x03\x04 no zip", "This file is not a zip archive, which every EPUB is."),
        (
            zipped([("word/document.xml", "<w/>")], mimetype=False),
            "This file is not an EPUB: “META-INF/container.xml” is missing in it.",
        ),
        (
            zipped([("META-INF/container.xml", CONTAINER.format(opf="x.opf"))]),
            "This EPUB has no package file (.opf) that lists what it consists of.",
        ),
        (
            zipped([("a.opf", "<package><manifest></package>")]),
            "The package file “a.opf” of this EPUB is broken: mismatched tag in line 1.",
        ),
        (
            Book(spine="").bytes(),
            "The package file “OEBPS/book.opf” of this EPUB lists nothing to read.",
        ),
        (
            Book(spine='<itemref idref="none"/>').bytes(),
            "None of the documents that this EPUB lists is in it.",
        ),
        (
            a_book("<p>  </p>", "<div/>"),
            "There is nothing to read in this EPUB: its documents are empty.",
        ),
        (
            with_flag(a_book("<p>x</p>"), "OEBPS/1.xhtml", 1),
            "“OEBPS/1.xhtml” in this EPUB is locked with a password.",
        ),
        (
            with_flag(a_book("<p>x</p>"), "OEBPS/book.opf", 1),
            "“OEBPS/book.opf” in this EPUB is locked with a password.",
        ),
    ],
)
def test_the_first_thing_that_is_wrong_is_said(data: bytes, sentence: str) -> None:
    assert problem(data) == ("E_EPUB_INVALID", sentence)


def test_a_damaged_document_is_said_and_a_damaged_picture_left_out() -> None:
    data = bytearray(a_book("<p>" + " ".join(str(n * n) for n in range(2000)) + "</p>"))
    data[data.index(b"OEBPS/1.xhtml") + 1300] ^= 0xFF
    code, sentence = problem(bytes(data))
    assert (code, sentence) == ("E_EPUB_INVALID", "“OEBPS/1.xhtml” in this EPUB is damaged.")
    picture = png(200, 200, 7)
    data = bytearray(a_book('<p>x<img src="a.png" alt="A boat"/></p>', files={"a.png": picture}))
    data[data.index(b"OEBPS/a.png") + 20] ^= 0xFF
    assert texts(bytes(data)) == ["x[A boat]"]
