"""What the package file says: metadata, cover, contents, pages, beginning, layout, protection."""

import pytest

from nexus.extractors.web_article.metadata import validated
from tests.epub_files import Book, a_book, line, nav, page, png, toc
from tests.extractors.epub.reading import FOLDER, lines, problem, read, texts

CHAPTERS = {
    "1.xhtml": page('<h1>One</h1><p id="a">Alpha.</p><p id="b">Beta.</p>'),
    "2.xhtml": page("<h1>Two</h1><h2>Inside</h2><p>Gamma.</p>"),
}
NCX = """<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
<navPoint><navLabel><text>First &amp; best</text></navLabel><content src="1.xhtml"/>
<navPoint><navLabel><text>Beta</text></navLabel><content src="1.xhtml#b"/></navPoint></navPoint>
<navPoint><navLabel><text>Second</text></navLabel><content src="2.xhtml"/></navPoint></navMap>
<pageList><pageTarget value="1" type="normal"><navLabel><text>i</text></navLabel>
<content src="1.xhtml#a"/></pageTarget><pageTarget value="2" type="normal"><navLabel>
<text>ii</text></navLabel><content src="2.xhtml"/></pageTarget></pageList></ncx>"""


def metadata_of(metadata: str, **fields: object) -> dict[str, object]:
    return read(Book(metadata=metadata, **fields).bytes())  # type: ignore[arg-type]


def test_metadata_of_epub_3() -> None:
    found = metadata_of(
        '<dc:title id="s">Or, the Whale</dc:title><meta refines="#s" property="title-type">subtitle'
        '</meta><dc:title id="t">Moby-Dick</dc:title><meta refines="#t" property="title-type">main'
        '</meta><dc:creator id="b">Second</dc:creator><meta refines="#b" property="display-seq">2'
        '</meta><dc:creator id="a">First</dc:creator><meta refines="#a" property="display-seq">1'
        '</meta><dc:creator id="i">Painter</dc:creator><meta refines="#i" property="role">'
        "ill</meta>"
        "<dc:publisher>Harper</dc:publisher><dc:date>1851-10-18</dc:date>"
        "<dc:language>en-gb</dc:language><dc:language>fr</dc:language>"
        "<dc:description>&lt;p&gt;A &lt;b&gt;whale&lt;/b&gt; &amp;amp; a man.&lt;/p&gt;"
        "</dc:description>"
    )
    assert found["title"] == "Moby-Dick: Or, the Whale"
    metadata = validated(found, "")
    assert metadata.authors == ("First", "Second")
    assert (metadata.site_name, metadata.published_at) == ("Harper", "1851-10-18")
    assert (metadata.language, metadata.excerpt) == ("en-GB", "A whale & a man.")


def test_metadata_of_epub_2() -> None:
    found = metadata_of(
        "<dc:title> Moby \n Dick </dc:title><dc:title>Another</dc:title>"
        '<dc:creator opf:role="edt">An Editor</dc:creator><dc:creator opf:role="aut" '
        'opf:file-as="Melville, Herman">Herman Melville</dc:creator>'
        '<dc:date opf:event="modification">2011-01-01</dc:date>'
        '<dc:date opf:event="publication">1851</dc:date>',
        version="2.0",
    )
    metadata = validated(found, "")
    assert found["title"] == "Moby Dick"
    assert (metadata.authors, metadata.published_at) == (("Herman Melville",), "1851")
    edited = metadata_of('<dc:creator opf:role="edt">An Editor</dc:creator>')
    assert (edited["authors"], edited["title"]) == (["An Editor"], None)


@pytest.mark.parametrize(
    "fields",
    [
        {"properties": {"c.png": "cover-image"}},
        {"metadata": '<dc:title>x</dc:title><meta name="cover" content="i1"/>'},
        {"metadata": '<dc:title>x</dc:title><meta content="c.png" name="Cover"/>'},
        {"guide": '<guide><reference type="cover" href="c.png"/></guide>'},
    ],
)
def test_the_cover_is_found(fields: dict[str, object]) -> None:
    book = Book(files={"c.png": png(60, 90)}, **fields)  # type: ignore[arg-type]
    found = read(book.bytes())
    assert found["sizes"] == {found["cover"]: (60, 90)}


def test_the_cover_may_be_a_page_or_the_first_picture_or_outside_the_manifest() -> None:
    cover = page('<div><img src="x.png"/></div>')
    book = Book(
        documents={"text.xhtml": page("<p>x</p>"), "cover.xhtml": cover},
        files={"x.png": png(6, 9)},
        guide='<guide><reference type="cover" href="cover.xhtml"/></guide>',
    )
    assert read(book.bytes())["cover"].startswith(FOLDER)
    first = a_book('<p>a<img src="x.png"/></p>', files={"x.png": png(6, 9)})
    assert read(first)["cover"].startswith(FOLDER)
    outside = a_book("<p>a</p>", raw={"OEBPS/images/cover.png": png(6, 9)})
    assert read(outside)["cover"].startswith(FOLDER)
    assert read(a_book("<p>a</p>"))["cover"] is None


def test_contents_from_the_navigation_document() -> None:
    items = line("../OEBPS/1.xhtml", "First", line("1.xhtml#b", "<b>Beta</b> part"))
    items += "<li><span>Part two</span><ol>" + line("2.xhtml", "Second") + "</ol></li>"
    items += line("gone.xhtml", "Gone") + line("#x", "Here")
    book = Book(
        documents=dict(CHAPTERS),
        files={"nav.xhtml": nav(toc(items)), "toc.ncx": NCX},
        properties={"nav.xhtml": "nav"},
        spine_attributes='toc="i3"',
    )
    found = read(book.bytes())
    assert lines(found["contents"], found["fragments"]) == [
        "First → One",
        "  Beta part → Beta.",
        "Part two → Two",
        "  Second → Two",
    ]
    assert [fragment["label"] for fragment in found["fragments"]] == ["First", "Part two"]


@pytest.mark.parametrize("broken", [None, "<nav><ol>", nav(toc("<li>x</li>")), nav(toc(""))])
def test_contents_from_the_ncx(broken: str | None) -> None:
    book = Book(documents=dict(CHAPTERS), files={"toc.ncx": NCX.replace("&amp;", "&")})
    book.spine_attributes = 'toc="i2"'
    if broken is not None:
        book.files["nav.xhtml"] = broken
        book.properties = {"nav.xhtml": "nav"}
    found = read(book.bytes())
    assert lines(found["contents"], found["fragments"]) == [
        "First & best → One",
        "  Beta → Beta.",
        "Second → Two",
    ]
    assert found["pages"] == [
        {"number": 1, "label": "i", "fragment_idx": 0, "offset": 5},
        {"number": 2, "label": "ii", "fragment_idx": 1, "offset": 0},
    ]


def test_contents_from_headings_where_there_are_none() -> None:
    found = read(Book(documents=dict(CHAPTERS)).bytes())
    assert lines(found["contents"], found["fragments"]) == [
        "One → One",
        "Two → Two",
        "  Inside → Inside",
    ]
    assert [fragment["label"] for fragment in found["fragments"]] == ["One", "Two"]


def test_reading_begins_where_the_book_says() -> None:
    marks = toc(
        line("1.xhtml", "Cover", kind="cover") + line("2.xhtml", "x", kind="bodymatter"),
        "landmarks",
    )
    book = Book(
        documents=dict(CHAPTERS),
        files={"nav.xhtml": nav(marks)},
        properties={"nav.xhtml": "nav"},
    )
    assert read(book.bytes())["start"] == {"fragment_idx": 1, "offset": 0}
    guide = '<guide><reference type="text" href="1.xhtml#b"/></guide>'
    guided = read(Book(documents=dict(CHAPTERS), guide=guide).bytes())
    assert guided["start"] == {"fragment_idx": 0, "offset": 13}
    assert read(Book(documents=dict(CHAPTERS)).bytes())["start"] is None


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": '<meta property="rendition:layout">pre-paginated</meta>'},
        {"metadata": '<meta name="fixed-layout" content="true"/>'},
        {"spine": '<itemref idref="i0" properties="rendition:layout-pre-paginated"/>'},
        {
            "raw": {
                "META-INF/com.apple.ibooks.display-options.xml": "<display_options><platform>"
                '<option name="fixed-layout">true</option></platform></display_options>'
            }
        },
    ],
)
def test_a_fixed_layout_is_noted(fields: dict[str, object]) -> None:
    found = read(Book(**fields).bytes())  # type: ignore[arg-type]
    assert found["fixed_layout"] is True
    assert found["fragments"][0]["text"] == "One\n\nFirst words."
    assert read(Book().bytes())["fixed_layout"] is False


# Protection


def encryption(*algorithms: str) -> str:
    entries = "".join(
        f'<enc:EncryptedData><enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
        '<enc:CipherReference URI="OEBPS/font.otf"/></enc:CipherData></enc:EncryptedData>'
        for algorithm in algorithms
    )
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        f'xmlns:enc="http://www.w3.org/2001/04/xmlenc#">{entries}</encryption>'
    )


FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"


@pytest.mark.parametrize(
    "files",
    [
        {"META-INF/encryption.xml": encryption(AES)},
        {"META-INF/encryption.xml": encryption(*FONTS, AES)},
        {"META-INF/encryption.xml": encryption(AES) + "<broken"},
        {"META-INF/license.lcpl": "{}"},
        {"META-INF/sinf.xml": "<fairplay/>"},
    ],
)
def test_copy_protection_is_said(files: dict[str, str | bytes]) -> None:
    assert problem(Book(raw=files).bytes()) == (
        "E_EPUB_DRM",
        "This book has copy protection (DRM), so only the shop's own apps can open it.",
    )


@pytest.mark.parametrize(
    "files",
    [
        {"META-INF/encryption.xml": encryption(*FONTS)},
        {"META-INF/encryption.xml": encryption()},
        {"META-INF/rights.xml": "<rights/>"},
    ],
)
def test_scrambled_fonts_and_leftovers_are_no_protection(files: dict[str, str | bytes]) -> None:
    assert texts(Book(raw=files).bytes()) == ["One\n\nFirst words."]


def test_media_overlays_and_remote_resources_are_left_alone() -> None:
    book = Book(
        items='<item id="o" href="a.smil" media-type="application/smil+xml"/>'
        '<item id="r" href="https://a.example/a.mp3" media-type="audio/mpeg"/>',
        raw={"OEBPS/a.smil": "<smil/>"},
    )
    assert texts(book.bytes()) == ["One\n\nFirst words."]
