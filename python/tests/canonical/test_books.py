"""The documents of books: the server and Chromium read the same text out of them."""

from nexus.html.canonicalize import canonical_map
from nexus.html.sanitize import SanitizedHtml
from tests.canonical.twin import Twin
from tests.epub_files import Book, a_book, page, png
from tests.extractors.epub.reading import read

SVG = "http://www.w3.org/2000/svg"
BODIES = (
    '<p id="a">One <a href="2.xhtml#n">1</a><img src="a.png" alt="A boat"/> two</p>'
    "<hr/><pre>\nx</pre>",
    '<aside epub:type="footnote" id="n"><p>Note <ruby>漢<rt>kan</rt></ruby></p></aside>'
    "<p>e\u0301</p>",
    f'<div><svg xmlns="{SVG}"><title>Cover</title><image href="a.png"/></svg></div>',
    "<table><tr><td>a<p>b</p></td></tr></table><ul><li>x<ul><li>y</li></ul></li></ul>",
    '<p dir="rtl">مرحبا <span class="i">بك</span></p><blockquote>verse<br/>verse</blockquote>',
    "<p>not <b>well<p>formed &nbsp; text<div/><br>end",
)


def test_server_and_browser_read_the_same_books(twin: Twin) -> None:
    files = {"a.png": png(), "a.css": ".i { font-style: italic }"}
    books = [
        a_book(*BODIES, files=files),
        Book(documents={"1.xhtml": page("<p>ü</p>").encode("utf-16")}).bytes(),
    ]
    fragments = [fragment for data in books for fragment in read(data)["fragments"]]
    assert len(fragments) == len(BODIES) + 1
    readings = twin.read([fragment["html"] for fragment in fragments])
    for fragment, reading in zip(fragments, readings, strict=True):
        assert reading.text == fragment["text"]
        assert reading.as_part == reading.as_document == fragment["html"]
        assert reading.nodes == canonical_map(SanitizedHtml(fragment["html"])).nodes
