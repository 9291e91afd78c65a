"""What becomes of the documents of a book: text, links, notes, pictures and what only plays."""

import base64
import struct

import pytest

from tests.epub_files import Book, a_book, line, nav, page, png, toc
from tests.extractors.epub.reading import FOLDER, htmls, led_to, read, texts

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"


def html_of(body: str, **fields: object) -> str:
    return htmls(a_book(f"<p>Words.</p>{body}", **fields))[0].removeprefix("<p>Words.</p>")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        # Well-formed: what XML closes in one tag stays closed.
        ('<p><a id="x"/>One <i/>two <b/>three</p><div/><p>four</p>', "One two three\n\nfour"),
        ("<p>a&nbsp;b&eacute;&#233;&amp;&lt;p&gt;</p>", "a béé&<p>"),
        ("<p><![CDATA[1 < 2 & 3]]></p>", "1 < 2 & 3"),
        # Not well-formed: read as HTML, with the same meaning.
        ('<p><a id="x"/>One<br>two<title/> <i/>three</p><p>four', "One\ntwo three\n\nfour"),
        ("<p>one & two</p><p>three", "one & two\n\nthree"),
        ("<p>&undefined; <b>bold</p>", "&undefined; bold"),
        ("<p><![CDATA[1 < 2]]> <br></p>", "1 < 2"),
        ("<p unbound:x='1'>one</p>", "one"),
        ("<p a='1' a='2'>one</p>", "one"),
    ],
)
def test_xml_first_and_html_if_need_be(body: str, text: str) -> None:
    assert texts(a_book(body)) == [text]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("utf-8", "utf-8"),
        ("utf-8", "iso-8859-1"),
        ("utf-8-sig", "windows-1251"),
        ("utf-16", "utf-16"),
        ("utf-16-be", "utf-16"),
        ("windows-1252", "utf-8"),
        ("iso-8859-1", "iso-8859-1"),
        ("windows-1252", "no-such-encoding"),
    ],
)
def test_texts_are_read_in_the_encoding_they_have(encoding: str, declared: str) -> None:
    text = page("<p>Smörgåsbord à la carte</p>").replace("utf-8", declared)
    assert texts(Book(documents={"1.xhtml": text.encode(encoding)}).bytes()) == [
        "Smörgåsbord à la carte"
    ]


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "gb18030", "iso-2022-jp", "koi8-r"])
def test_other_encodings_are_read_as_declared(encoding: str) -> None:
    words = "да" if encoding == "koi8-r" else "日本"
    text = page(f"<p>{words}</p>").replace("utf-8", encoding)
    assert texts(Book(documents={"1.xhtml": text.encode(encoding)}).bytes()) == [words]


def test_one_fragment_for_each_document_in_the_order_of_reading() -> None:
    book = Book(
        documents={
            "cover.xhtml": page("<p>Cover</p>"),
            "one.xhtml": page("<p>One</p>"),
            "notes.xhtml": page("<p>Notes</p>"),
            "two.xhtml": page("<p>Two</p>"),
        },
        not_linear=("cover.xhtml", "notes.xhtml"),
    )
    # What is outside the flow comes after it, unless the book begins with it.
    assert texts(book.bytes()) == ["Cover", "One", "Two", "Notes"]
    again = '<itemref idref="i0"/><itemref idref="i1"/><itemref idref="i0"/>'
    assert texts(a_book("<p>A</p>", "<p>B</p>", spine=again)) == ["A", "B"]


def test_links_lead_to_their_targets() -> None:
    data = a_book(
        '<p id="top">One</p><p><a href="2.xhtml">second</a> <a href="2.xhtml#s">part</a> '
        '<a href="#end">end</a> <a href="1.xhtml">itself</a> <a href="2.xhtml#nowhere">no</a> '
        '<a href="1.xhtml#end">whole</a></p><p><a id="end"/>Last words</p>',
        '<p>Two <a href="1.xhtml#top">back</a></p><p><span id="s">Here</span> it is</p>',
    )
    book = read(data)
    assert led_to(book) == {
        "second": "Two back",
        "part": "Here it is",
        "end": "Last words",
        "itself": "One",
        "no": "Two back",
        "whole": "Last words",
        "back": "One",
    }


def test_bodies_and_sections_can_be_linked_to() -> None:
    second = page("<section id='s'><div id='d'><p>Target</p></div></section>")
    second = second.replace("<body>", '<body id="b">')
    first = page("".join(f'<p><a href="2.xhtml#{i}">{i}</a></p>' for i in "bsd"))
    book = read(Book(documents={"1.xhtml": first, "2.xhtml": second}).bytes())
    assert led_to(book) == {"b": "Target", "s": "Target", "d": "Target"}


def test_notes_are_raised_and_lead_there_and_back() -> None:
    data = a_book(
        '<p>Text<a epub:type="noteref" id="r" href="2.xhtml#n">1</a> and'
        '<sup><a role="doc-noteref" href="2.xhtml#n">2</a></sup> or'
        '<a epub:type="noteref" href="2.xhtml#n"><sup>3</sup></a></p>',
        '<aside epub:type="footnote" id="n"><p><a href="1.xhtml#r">1</a> A note.</p></aside>',
    )
    book = read(data)
    first = book["fragments"][0]["html"]
    assert first == (
        '<p>Text<sup><a href="#offset-1-0">1</a></sup> and<sup>'
        '<a href="#offset-1-0">2</a></sup> or<sup><a href="#offset-1-0">3</a></sup></p>'
    )
    assert book["fragments"][1]["html"] == '<p><a href="#offset-0-4">1</a> A note.</p>'


def test_page_numbers_in_the_text_are_marks_only() -> None:
    body = '<p>half a <span epub:type="pagebreak" id="p2" title="2">[2]</span>sentence</p>'
    pages = toc(line("1.xhtml#p2", "2"), "page-list")
    book = Book(
        documents={"1.xhtml": page(body)},
        files={"nav.xhtml": nav(pages)},
        properties={"nav.xhtml": "nav"},
    )
    found = read(book.bytes())
    assert found["fragments"][0]["text"] == "half a sentence"
    assert found["pages"] == [{"number": 1, "label": "2", "fragment_idx": 0, "offset": 7}]


def test_meaning_stays_and_style_goes() -> None:
    assert html_of(
        '<style>p{}</style><script>alert(1)</script><p class="x" onclick="a()">'
        "<ruby>漢<rt>kan</rt></ruby> <em>e</em></p><noscript><p>Shown</p></noscript>"
    ) == ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <em>e</em></p><p>Shown</p>")


def test_classes_that_emphasize_mean_what_they_look_like() -> None:
    css = (
        "/* .x { font-style: italic } */ .i, span.j { color: red; font-style:italic } p .k, .k > b "
        "{ font-weight: bold } .b { font-weight: 700 } .up { vertical-align: super } @media x { "
        ".n { font-style: normal } } .broken { font-style: italic"
    )
    body = (
        '<p><span class="x">x</span> <span class="z i">i</span> <span class="j">j</span> '
        '<span class="k">k</span> <span class="i b">ib</span> <span class="up">2</span> '
        '<span style="font-style: italic">s</span> <i class="b">t</i> <span class="n">n</span></p>'
    )
    assert html_of(body, files={"a.css": css}) == (
        "<p>x <em>i</em> <em>j</em> k <em><strong>ib</strong></em> <sup>2</sup> <em>s</em> "
        "<i>t</i> n</p>"
    )


def test_notes_that_are_hidden_until_they_are_asked_for() -> None:
    note = '<aside epub:type="footnote" hidden="hidden" style="display:none"><p>A note.</p></aside>'
    assert html_of(f'{note}<div hidden="hidden">Gone</div>') == "<p>A note.</p>"


def test_formulas_in_whatever_prefix() -> None:
    math = '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>x</m:mi></m:math>'
    assert html_of(f"<p>{math}</p>") == "<p><math><mi>x</mi></math></p>"
    switch = (
        '<p><epub:switch><epub:case required-namespace="http://www.w3.org/1998/Math/MathML">'
        f"{math}</epub:case><epub:default>x, or so</epub:default></epub:switch></p>"
    )
    assert html_of(switch) == "<p><math><mi>x</mi></math></p>"
    other = switch.replace('1998/Math/MathML">', 'x/CML">', 1)
    assert html_of(other) == "<p>x, or so</p>"


def test_right_to_left_and_vertical_books_are_text_like_others() -> None:
    data = a_book(
        '<p dir="rtl" xml:lang="ar">مرحبا</p><p style="writing-mode: vertical-rl">縦書き</p>',
        spine_attributes='page-progression-direction="rtl"',
    )
    assert htmls(data) == ['<p lang="ar" dir="rtl">مرحبا</p><p>縦書き</p>']


# Pictures


def test_each_picture_is_kept_once_with_its_size() -> None:
    data = a_book(
        '<p><img src="a.png" alt="A &quot;boat&quot;"/><img src="b.png" alt=""/></p>',
        '<p>x<img src="a.png"/></p>',
        files={"a.png": png(30, 20), "b.png": png(30, 20), "c.png": png(4, 5)},
    )
    book = read(data)
    (picture,) = book["pictures"]
    assert book["sizes"] == {FOLDER + picture["name"]: (30, 20)}
    assert (
        f'<img src="{FOLDER}{picture["name"]}" alt="A &quot;boat&quot;">'
        in book["fragments"][0]["html"]
    )
    assert all(picture["name"] in fragment["html"] for fragment in book["fragments"])


def test_pictures_in_addresses_are_kept_too() -> None:
    address = "data:image/png;base64," + base64.b64encode(png(7, 7)).decode()
    assert f'<img src="{FOLDER}' in html_of(f'<p><img src="{address}" alt="x"/></p>')
    assert html_of('<p><img src="data:image/png;base64,AAAA" alt="Seven"/></p>') == "<p>[Seven]</p>"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", f'<svg xmlns="{SVG}"><script>alert(1)</script></svg>'),
        ("a.png", "no picture"),
        ("a.png", png(16_385, 1)),
        ("a.png", png(3, 2).replace(struct.pack(">II", 3, 2), struct.pack(">II", 8_000, 5_001))),
        ("a.tiff", b"II*\0"),
    ],
)
def test_what_is_no_picture_for_us_leaves_its_description(name: str, content: str | bytes) -> None:
    files = {name: content}
    assert html_of(f'<p><img src="{name}" alt="A &lt;b&gt;"/></p>', files=files) == (
        "<p>[A &lt;b&gt;]</p>"
    )
    assert html_of(f'<p>y<img src="{name}"/></p>', files=files) == "<p>y</p>"


def test_a_large_plate_is_a_picture() -> None:
    book = read(a_book('<p><img src="a.png" alt="A map"/></p>', files={"a.png": png(8_000, 400)}))
    assert list(book["sizes"].values()) == [(8_000, 400)]


def test_a_picture_on_the_web_is_a_link() -> None:
    assert html_of('<p><img src="https://a.example/x.png?a=1&amp;b=2" alt="A boat"/></p>') == (
        '<p><a href="https://a.example/x.png?a=1&amp;b=2" rel="noopener noreferrer" '
        'target="_blank" referrerpolicy="no-referrer">[A boat]</a></p>'
    )
    assert html_of('<p>y<img src="//a.example/x.png"/></p>') == "<p>y<a>[Picture]</a></p>"


def test_the_picture_in_a_wrapper_of_svg_is_taken_out() -> None:
    wrapper = (
        f'<div><svg xmlns="{SVG}" xmlns:xlink="{XLINK}" viewBox="0 0 3 2"><title>Cover</title>'
        '<image width="3" height="2" xlink:href="a.png"/></svg></div>'
    )
    html = html_of(wrapper, files={"a.png": png()})
    assert html.startswith(f'<p><img src="{FOLDER}')
    assert html.endswith('.png" alt="Cover"></p>')
    drawing = f'<svg xmlns="{SVG}"><desc>A circle</desc><circle r="3"/><text>label</text></svg>'
    assert html_of(f"<p>{drawing}</p>") == "<p>[A circle]</p>"
    inside = f'<svg xmlns="{SVG}"><foreignObject><p>Words</p></foreignObject></svg>'
    assert html_of(inside) == "<p>Words</p>"


def test_documents_of_svg_and_of_pictures_alone() -> None:
    svg = (
        f'<svg xmlns="{SVG}" xmlns:xlink="{XLINK}"><image xlink:href="a.png"/>'
        "<text>Bang!</text><script>alert(1)</script></svg>"
    )
    book = read(Book(documents={"1.svg": svg, "2.png": png(9, 9)}, files={"a.png": png()}).bytes())
    first, second = book["fragments"]
    assert (first["text"], second["text"]) == ("Bang!", "")
    assert "<img" in first["html"]
    assert "<img" in second["html"]
    assert sorted(book["sizes"].values()) == [(3, 2), (9, 9)]


def test_a_comic_of_pictures_only() -> None:
    files = {f"{n}.png": png(20, 30, n) for n in range(1, 6)}
    data = a_book(*(f'<div><img src="{n}.png" alt=""/></div>' for n in range(1, 6)), files=files)
    book = read(data)
    assert [fragment["text"] for fragment in book["fragments"]] == [""] * 5
    assert len(book["pictures"]) == 5


def test_an_item_that_cannot_be_read_has_a_fallback() -> None:
    book = Book(
        documents={"1.xhtml": page("<p>Instead</p>")},
        items='<item id="x" href="a.bin" media-type="application/x-demo" fallback="i0"/>',
        raw={"OEBPS/a.bin": b"\0"},
        spine='<itemref idref="x"/>',
    )
    assert texts(book.bytes()) == ["Instead"]


def test_a_picture_that_cannot_be_shown_has_a_fallback() -> None:
    items = (
        '<item id="x" href="a.psd" media-type="image/x-psd" fallback="y"/>'
        '<item id="y" href="a.svg" media-type="image/svg+xml" fallback="z"/>'
        '<item id="z" href="a.png" media-type="image/png" fallback="x"/>'
    )
    raw = {"OEBPS/a.psd": b"8BPS", "OEBPS/a.svg": "<svg/>", "OEBPS/a.png": png()}
    html = html_of('<p><img src="a.psd" alt="x"/></p>', items=items, raw=raw)
    assert html.startswith(f'<p><img src="{FOLDER}')


# What plays


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ('<video src="a.mp4"><p>No video here</p></video>', "<p>[Video]</p>"),
        ('<audio title="A song" src="a.mp3"></audio>', "<p>A song</p>"),
        ('<object data="a.swf"><p>Instead</p></object>', "<p>Instead</p>"),
        ('<iframe src="a.xhtml"></iframe>', ""),
        ('<p><a href="javascript:alert(1)">x</a><a href="a.mp4">y</a></p>', "<p>xy</p>"),
        ('<form><input type="text"/><button>Send</button><p>z</p></form>', "<p>z</p>"),
    ],
)
def test_what_only_plays_leaves_words_or_nothing(body: str, html: str) -> None:
    assert html_of(body, files={"a.mp4": b"x"}) == html


def test_what_plays_on_the_web_is_a_link() -> None:
    html = html_of('<video src="https://a.example/v.mp4"></video>')
    assert 'href="https://a.example/v.mp4"' in html
    assert "a.example" in html
