"""Links inside a document lead to offsets in its text."""

import re

import pytest

from nexus.html.anchors import Place, finish_links
from nexus.html.canonicalize import canonicalize
from nexus.html.page import read_file, read_page
from nexus.html.sanitize import sanitize_html

BASE = "https://example.org/news/story.html?page=2"
LINK_TAIL = 'rel="noopener noreferrer" target="_blank" referrerpolicy="no-referrer"'


def targets(html: str, base: str = BASE, page: str = "") -> list[str]:
    """The text from where each link leads to, a few characters of it."""
    found = read_page(html, base, page)
    assert sanitize_html(found.html, base) == found.html
    assert canonicalize(found.html) == found.text
    offsets = [int(each) for each in re.findall(r'<a href="#offset-0-(\d+)"', found.html)]
    return [found.text[offset : offset + 5].strip() for offset in offsets]


LEADS = {
    "a footnote and back": (
        '<p>Text<sup id=r><a href="#n">1</a></sup> more</p><ol><li id=n><a href="#r">^</a> Note',
        ["^ Not", "1 mor"],
    ),
    "an element with text": ('<a href="#x">go</a><p>one</p><p id=x>two</p>', ["two"]),
    "an empty element before text": ('<a href="#x">go</a><p>one <b id=x></b> two</p>', ["two"]),
    "a name": ('<a href="#x">go</a><p>one <a name=x></a>two</p>', ["two"]),
    "names of other elements mean nothing": ('<a href="#x">go</a><p name=x>two</p>', []),
    "the first of two": ('<a href="#x">go</a><p id=x>one</p><p id=x>two</p>', ["one"]),
    "both names of an element": (
        '<a href="#x">go</a><a href="#y">go</a> <a id=x name=y>one</a>',
        ["one", "one"],
    ),
    "in the middle of a word": ('<a href="#x">go</a><p>one<a id=x></a>two</p>', ["two"]),
    "before a mark that joins the letter before": (
        '<a href="#x">go</a><p>one<i id=x></i>\u0301two</p>',
        ["on\xe9tw"],
    ),
    "an image": (
        '<a href="#x">go</a><p>one</p><figure id=x><img src=a.png><figcaption>two',
        ["two"],
    ),
    "a formula": ('<a href="#x">go</a><p>one <math id=x><mi>y</mi></math>', ["y"]),
    "inside a formula": (
        '<a href="#x">go</a><p>one <math><mi>y</mi><mi id=x>z</mi></math>',
        ["yz"],
    ),
    "a table row": ('<a href="#x">go</a><table><tr id=x><td><td>one', ["one"]),
    "a line in pre": ('<a href="#x">go</a><pre>\none\n<i id=x>two</i></pre>', ["two"]),
    "the start of pre": ('<a href="#x">go</a><pre id=x>\n\none</pre>', ["one"]),
    "a hidden element": ('<a href="#x">go</a><p hidden id=x>one</p><p>two</p>', ["two"]),
    "the end": ('<a href="#x">go</a> one<p id=x></p>', ["e"]),
    "percent-encoded": ('<a href="#%C3%BC%20x">go</a><p id="ü x">one</p>', ["one"]),
    "a percent sign in the name": ('<a href="#a%20b">go</a><p id="a%20b">one</p>', ["one"]),
    "not ASCII": ('<a href="#注">go</a><p id="注">one</p>', ["one"]),
    "spaces around": ('<a href=" #x ">go</a><p id="x">one</p>', ["one"]),
    "this page in full": (f'<a href="{BASE}#x">go</a><p id=x>one</p>', ["one"]),
    "this page, relative": ('<a href="story.html?page=2#x">go</a><p id=x>one</p>', ["one"]),
    "beyond the basic plane": ('<a href="#x">😀</a> 😀<p id=x>😀one</p>', ["😀one"]),
    "missing": ('<a href="#x">go</a><p id=y>one</p>', []),
    "the top": ('<a href="#top">go</a><a href="#">go</a><p id=top>one</p>', []),
    "another page": ('<a href="other.html#x">go</a><p id=x>one</p>', []),
    "in a hidden element": ('<a href="#x">go</a><div hidden><p id=x>one</div>two', []),
}


@pytest.mark.parametrize(("html", "expected"), LEADS.values(), ids=LEADS)
def test_links_lead_to_the_first_text_at_or_after_their_target(
    html: str, expected: list[str]
) -> None:
    assert targets(html) == expected


def test_the_address_that_was_reached_counts_as_the_pages_own() -> None:
    html = '<a href="https://example.org/real#x">go</a><p id=x>one</p>'
    assert targets(html, "https://example.org/base/", "https://example.org/real#y") == ["one"]


def test_what_cannot_be_found_is_text_or_stays_a_link() -> None:
    html = f'<p><a href="#x">bare</a> <a href="{BASE}#x">full</a> <a href="/o#x">other</a></p>'
    assert read_page(html, BASE).html == (
        f'<p>bare <a href="{BASE}#x" {LINK_TAIL}>full</a> '
        f'<a href="https://example.org/o#x" {LINK_TAIL}>other</a></p>'
    )


def test_links_inside_have_no_target_and_keep_their_title() -> None:
    html = '<p id=x>a <a href="#x" title=t target=_blank rel=me referrerpolicy=origin>b</a></p>'
    assert read_page(html, BASE).html == '<p>a <a href="#offset-0-0" title="t">b</a></p>'


def test_a_page_cannot_write_marks_or_numbers_of_its_own() -> None:
    html = (
        '<p id=x>a\x02b&#2;c&#3;d <a href="#link-0">e</a> <a href="#x">f</a>'
        ' &lt;a href="#link-0"</p>'
    )
    page = read_page(html, BASE)
    assert page.text == 'abcd e f <a href="#link-0"'
    assert page.html == '<p>abcd e <a href="#offset-0-0">f</a> &lt;a href="#link-0"</p>'


def test_sanitized_text_is_read_again_unchanged() -> None:
    page = read_page('<h2 id=x>One</h2><p><a href="#x">two</a></p>', BASE)
    again = read_page(page.html, BASE)
    assert (again.html, again.text) == (page.html, page.text)


def test_files_of_a_book_link_to_each_other() -> None:
    files = ["https://book.example/1.xhtml", "https://book.example/2.xhtml"]
    first = read_file(
        '<p id=a>One <a href="2.xhtml#n">note</a> <a href="#a">here</a> <a href="2.xhtml">two</a>'
        ' <a href="3.xhtml#z">out</a> <a href="2.xhtml#gone">gone</a></p>',
        files[0],
        [files[0]],
        files,
    )
    second = read_file("<h1>Two</h1><p id=n>Note</p><p id=m>x</p>", files[1], [files[1]], files)
    assert second.anchors == {"n": 5, "m": 11}
    assert first.links == [
        Place(files[1], "n"),
        Place("", "a"),
        Place(files[1], ""),
        Place(files[1], "gone"),
    ]

    def resolve(place: Place) -> tuple[int, int] | None:
        index = files.index(place.file) if place.file else 0
        anchors = {"": 0} | (first, second)[index].anchors
        return (index, anchors[place.name]) if place.name in anchors else None

    assert finish_links(first.html, first.links, resolve) == (
        '<p>One <a href="#offset-1-5">note</a> <a href="#offset-0-0">here</a> '
        '<a href="#offset-1-0">two</a> '
        f'<a href="https://book.example/3.xhtml#z" {LINK_TAIL}>out</a> <a>gone</a></p>'
    )


def test_a_hundred_thousand_names_and_links() -> None:
    html = "".join(f'<b id="x{i}">w</b><a href="#x{99_999 - i}">l</a> ' for i in range(60_000))
    page = read_page(html, BASE)
    assert page.html.count("#offset-0-") == len(page.anchors) == 20_000
