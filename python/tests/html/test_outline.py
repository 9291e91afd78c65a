"""The headings of an article become its table of contents."""

import pytest

from nexus.html.outline import MAX_ENTRIES, MAX_LABEL_CHARACTERS, Heading, heading_label
from nexus.html.page import read_page

BASE = "https://example.org/"


def headings(html: str) -> list[Heading]:
    return read_page(html, BASE).headings


def test_headings_are_a_tree_with_offsets() -> None:
    found = headings(
        "<p>Before</p><h2>One</h2><p>a</p><h3>Below <em>one</em></h3><h5>Deep</h5><h3>Next</h3>"
        "<h2>Two</h2><h1>Three</h1>"
    )
    below = Heading("Below one", 16, [Heading("Deep", 27)])
    assert found == [
        Heading("One", 8, [below, Heading("Next", 33)]),
        Heading("Two", 39),
        Heading("Three", 44),
    ]


def test_labels_are_one_line_of_the_canonical_text() -> None:
    [found] = headings("<p>😀</p><h2><div>a</div>b<br>c <math><mi>x</mi></math> d\xa0&lt;e</h2>")
    assert found == Heading("a b c x d <e", 3)


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ('Tides<sup><a href="#n1">1</a></sup>', "Tides"),
        (
            'Tides<a href="#n1"><sup>[1]</sup></a><sup><a href="#n2">*</a></sup> and winds',
            "Tides and winds",
        ),
        ('Tides <a href="#n1">[12]</a>', "Tides"),
        ("E = mc<sup>2</sup>", "E = mc2"),
        ('<a href="/tides">Tides</a>', "Tides"),
        ('<sup><a href="#n1">1</a></sup>', "1"),
    ],
)
def test_marks_of_footnotes_are_no_part_of_a_label(html: str, label: str) -> None:
    notes = "<p id=n1>a</p><p id=n2>b</p>"
    assert [heading.label for heading in headings(f"<h2>{html}</h2>{notes}")] == [label]


def test_headings_without_text_are_left_out() -> None:
    assert headings('<h2><img src="a.png"></h2><h2> </h2><h2>¶</h2><hr><h3>a</h3>') == [
        Heading("a", 3)
    ]


def test_their_number_and_length_are_bounded() -> None:
    many = headings("<h2>x</h2>" * (MAX_ENTRIES + 5))
    assert len(many) == MAX_ENTRIES
    [long] = headings(f"<h2>{'word ' * 500}</h2>")
    assert len(long.label) <= MAX_LABEL_CHARACTERS
    assert long.label.endswith("word…")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("History[edit]", "History"),
        ("History [ edit ]", "History"),
        ("History [edit source] ¶", "History"),
        ("History ¶", "History"),
        ("History¶", "History"),
        ("History #", "History"),
        ("# History", "History"),
        ("¶ History", "History"),
        ("History 🔗", "History"),
        ("C#", "C#"),
        ("#1: the first", "#1: the first"),
        ("How to edit", "How to edit"),
    ],
)
def test_marks_for_editors_are_no_part_of_a_label(text: str, label: str) -> None:
    assert heading_label(text) == label
