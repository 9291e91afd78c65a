"""PDFs for tests, built when they are needed: each function returns the bytes of one file.

Unless a name says otherwise pages are US Letter, 612 × 792 points, and their text is Helvetica.
"""

import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from textwrap import wrap

from PIL import Image, ImageDraw
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    TextStringObject,
)
from reportlab.lib.pagesizes import A4, landscape, letter
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

TOP, LEFT, LEADING = 720, 72, 14

_WORDS = [
    "river",
    "stone",
    "winter",
    "letter",
    "garden",
    "window",
    "morning",
    "village",
    "story",
    "silver",
    "market",
    "evening",
    "bridge",
    "mountain",
    "paper",
    "harbour",
    "candle",
    "orchard",
    "journey",
    "lantern",
    "meadow",
    "thunder",
    "whisper",
    "copper",
]


def sentence(number: int) -> str:
    """A sentence like no other, of some twelve words."""
    words = [_WORDS[(number * 7 + step * (step + 3)) % len(_WORDS)] for step in range(10)]
    return f"Sentence {number} says {' '.join(words)}."


def page_lines(number: int, count: int = 30) -> list[str]:
    """The lines of a full page of prose, no two pages alike."""
    text = " ".join(sentence(number * 1_000 + index) for index in range(count))
    return wrap(text, 80)[:count]


# Files that are as they should be


def text_pages(pages: Iterable[Sequence[str]], *, title: str | None = None) -> bytes:
    """One page for each list of lines, top to bottom; an empty list is a blank page."""
    canvas, output = _canvas(title)
    for lines in pages:
        _draw(canvas, lines)
        canvas.showPage()
    return _finish(canvas, output)


@cache
def plain(count: int = 3, lines: int = 30) -> bytes:
    """So many pages of prose."""
    return text_pages(page_lines(number, lines) for number in range(1, count + 1))


def two_columns() -> bytes:
    """A title over two columns of prose, written one after the other, on two pages."""
    canvas, output = _canvas()
    for number in (1, 2):
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(LEFT, TOP + 20, f"Columns {number}")
        for column, left in enumerate((LEFT, 324)):
            lines = wrap(" ".join(page_lines(number * 10 + column)), 36)[:40]
            _draw(canvas, lines, left=left, top=TOP - 20, size=10)
        canvas.showPage()
    return _finish(canvas, output)


def running_heads(count: int = 6) -> bytes:
    """Every page with the book's name on top and its number at the foot."""
    canvas, output = _canvas()
    for number in range(1, count + 1):
        canvas.setFont("Helvetica", 9)
        canvas.drawString(LEFT, 760, "The Book of Rivers")
        _draw(canvas, page_lines(number))
        canvas.setFont("Helvetica", 9)
        canvas.drawCentredString(306, 40, str(number))
        canvas.showPage()
    return _finish(canvas, output)


HYPHENATED = [
    ["This is an exam-", "ple of a well-", "known habit of type-", "setters since 1455-", "1460."],
    ["A dash -", "with spaces - is none, and the last word is hy-"],
    ["phenated across a page."],
]


def hyphenated() -> bytes:
    return text_pages(HYPHENATED)


RIVER_LABELS = ("i", "ii", *map(str, range(1, 11)))


@cache
def river_book() -> bytes:
    """A heading, a word cut in two by the end of the first page, and prose up to page 10.

    The two pages before page 1 are i and ii.
    """
    canvas, output = _canvas()
    canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
    canvas.addPageLabel(2, style="ARABIC", start=1)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(LEFT, TOP, "Of rivers")
    cut = "A river begins in the hills, as all the old people say, and one exam-"
    _draw(canvas, [*page_lines(1, 38), cut], top=TOP - 30)
    canvas.showPage()
    _draw(canvas, ["ple of its course is told at every fire, for example in the winter."])
    _draw(canvas, page_lines(2), top=TOP - 3 * LEADING)
    canvas.showPage()
    for number in range(3, 13):
        _draw(canvas, page_lines(number))
        canvas.showPage()
    return _finish(canvas, output)


def outlined() -> bytes:
    """Two pages of preface (i, ii) and four of text (1–4), with an outline of two levels."""
    canvas, output = _canvas("The Outlined Book")
    canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
    canvas.addPageLabel(2, style="ARABIC", start=1)
    headings = {0: [("Preface", 0)], 2: [("First chapter", 0), ("A section", 1)]}
    headings[4] = [("Second chapter", 0)]
    for number in range(6):
        top: float = TOP
        for label, level in headings.get(number, []):
            canvas.bookmarkHorizontal(label, 0, top + 16)
            canvas.addOutlineEntry(label, label, level)
            canvas.setFont("Helvetica-Bold", 16 - 2 * level)
            canvas.drawString(LEFT, top, label)
            top = _draw(canvas, page_lines(number, 10), top=top - 30) - 30
        if number not in headings:
            _draw(canvas, page_lines(number))
        canvas.showPage()
    return _finish(canvas, output)


def described(
    *,
    title: str | None = "On Rivers",
    author: str | None = "Ada Writer; Ben Reader",
    xmp: str | None = None,
    language: str | None = "en-GB",
) -> bytes:
    """A page with what its file declares: in its info, and in XMP if given."""
    writer = _copy(plain(1))
    info = {"/Title": title, "/Author": author, "/CreationDate": "D:20190503101500+02'00'"}
    writer.metadata = {key: value for key, value in info.items() if value is not None}
    root = writer.root_object
    if language is not None:
        root[NameObject("/Lang")] = TextStringObject(language)
    if xmp is not None:
        stream = DecodedStreamObject()
        stream.set_data(xmp.encode())
        stream.update({NameObject("/Type"): NameObject("/Metadata")})
        stream.update({NameObject("/Subtype"): NameObject("/XML")})
        root[NameObject("/Metadata")] = writer._add_object(stream)
    return _written(writer)


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Rivers &amp; Their Names</rdf:li></rdf:Alt>
</dc:title>
<dc:creator><rdf:Seq><rdf:li>Ada Writer</rdf:li><rdf:li>Ben Reader</rdf:li></rdf:Seq></dc:creator>
<dc:publisher><rdf:Bag><rdf:li>River Press</rdf:li></rdf:Bag></dc:publisher>
<dc:language><rdf:Bag><rdf:li>de-AT</rdf:li></rdf:Bag></dc:language>
<dc:date><rdf:Seq><rdf:li>2018-04-02</rdf:li></rdf:Seq></dc:date>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def rotated_and_mixed() -> bytes:
    """Pages turned by 0, 90, 180 and 270 degrees, then A4, A4 landscape and a small one."""
    canvas, output = _canvas()
    for number, turn in enumerate((0, 90, 180, 270)):
        canvas.setPageSize(letter)
        canvas.setPageRotation(turn)
        _draw(canvas, [f"Turned by {turn} degrees.", *page_lines(number, 5)], top=540)
        canvas.showPage()
    canvas.setPageRotation(0)
    for size in (A4, landscape(A4), (200, 300)):
        canvas.setPageSize(size)
        _draw(canvas, [f"{size[0]:.0f} by {size[1]:.0f}"], left=20, top=size[1] - 40)
        canvas.showPage()
    return _finish(canvas, output)


def linked() -> bytes:
    """Links to the second page, to the web, and to an address no reader should follow."""
    canvas, output = _canvas()
    _draw(canvas, ["To the second page", "To the web", "To a script"])
    box = (LEFT, TOP - 4, LEFT + 120, TOP + 10)
    canvas.linkRect("", "second", box)
    for line, url in ((1, "https://example.org/?a=1&b=2"), (2, "javascript:alert(1)")):
        down = line * LEADING
        canvas.linkURL(url, (box[0], box[1] - down, box[2], box[3] - down))
    canvas.showPage()
    canvas.bookmarkHorizontal("second", 0, TOP)
    _draw(canvas, ["The second page"])
    canvas.showPage()
    return _finish(canvas, output)


def scan(count: int = 2) -> bytes:
    """Pictures of pages, without a character of text."""
    canvas, output = _canvas()
    for number in range(1, count + 1):
        picture = Image.new("L", (612, 792), 255)
        ImageDraw.Draw(picture).text((LEFT, LEFT), f"Scanned page {number}", fill=0)
        canvas.drawImage(ImageReader(picture), 0, 0, 612, 792)
        canvas.showPage()
    return _finish(canvas, output)


def chinese() -> bytes:
    """A font that is not in the file, with a character map that every reader has to have."""
    return _cid_pages("STSong-Light", ["你好,世界。", "这是第二行。"])


def japanese(*, vertical: bool = False) -> bytes:
    return _cid_pages("HeiseiMin-W3", ["日本語の文章", "二行目です"], vertical=vertical)


def spelled(lines: Sequence[str]) -> bytes:
    """Any characters at all, at most 200 different ones: the font says what each byte means."""
    characters = dict.fromkeys("".join(lines))
    codes = {character: 33 + index for index, character in enumerate(characters)}
    ranges = [
        f"<{code:02x}> <{character.encode('utf-16-be', 'surrogatepass').hex()}>"
        for character, code in codes.items()
    ]
    to_unicode = _to_unicode(ranges)
    shown = "".join(
        f"<{bytes(codes[character] for character in line).hex()}> Tj 0 -20 Td\n" for line in lines
    )
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 5 0 R >>"
    return _raw(
        [_page(font), _stream(f"BT /F1 12 Tf 72 700 Td\n{shown}ET"), _stream(to_unicode)],
    )


def arabic() -> bytes:
    """Two lines as they are printed, from left to right: the last letter comes first."""
    return spelled(["مرحبا بالعالم"[::-1], "السطر الثاني"[::-1]])


def without_unicode() -> bytes:
    """A font whose glyphs have names that mean nothing, and no word on what they are."""
    differences = b"/Encoding << /Differences [65 /g01 /g02 /g03] >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Odd " + differences + b" >>"
    return _raw([_page(font), _stream("BT /F1 12 Tf 72 700 Td (ABC) Tj ET")])


# Files that are locked, broken or hostile


def locked(password: str = "secret") -> bytes:
    """Nobody opens it without the password."""
    writer = _copy(plain(1))
    writer.encrypt(password, algorithm="AES-256")
    return _written(writer)


def owner_locked() -> bytes:
    """Everybody opens it; the password is for changing it."""
    writer = _copy(plain(1))
    writer.encrypt("", "owner", algorithm="AES-128")
    return _written(writer)


def truncated() -> bytes:
    """The first half of a file: some pages are there, what lists them is not."""
    data = plain(5)
    return data[: len(data) // 2]


def without_table() -> bytes:
    """A file that lost its end: all objects are there, the table that says where is not."""
    data = plain(5)
    table, trailer, end = (data.rindex(name) for name in (b"xref\n0 ", b"trailer", b"startxref"))
    return data[:table] + data[trailer:end]


def wrong_xref() -> bytes:
    """Every offset in the table is wrong; the objects themselves are whole."""
    return plain(2).replace(b"%PDF-", b"%PDF-1.4\n% something was put in here later\n%PDF-", 1)


def broken_page() -> bytes:
    """A page with a few words, and after it one that is nowhere: it leads back to itself."""
    pages = b"<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>"
    content = _stream("BT /F1 12 Tf 72 700 Td (The first page is whole.) Tj ET")
    loop = b"<< /Type /Pages /Parent 2 0 R /Kids [5 0 R] /Count 1 >>"
    return _file([b"<< /Type /Catalog /Pages 2 0 R >>", pages, _page(), content, loop])


def hopeless() -> bytes:
    """It begins like a PDF, and nothing else of it does."""
    return b"%PDF-1.7\n" + bytes(range(256)) * 20


def active() -> bytes:
    """Script, XFA form, launch action and attachment, which all want to run when it is opened."""
    writer = _copy(plain(1))
    writer.add_attachment("run.exe", b"MZ not a program")
    xfa = DecodedStreamObject()
    xfa.set_data(
        b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'><template>XFA text</template></xdp:xdp>"
    )
    form = DictionaryObject({NameObject("/Fields"): ArrayObject()})
    form[NameObject("/XFA")] = writer._add_object(xfa)
    writer.root_object[NameObject("/AcroForm")] = form
    script = TextStringObject("app.alert('run'); this.submitForm('http://127.0.0.1:9/');")
    action = _action("/JavaScript", JS=script)
    action[NameObject("/Next")] = _action("/Launch", F=TextStringObject("/bin/sh"))
    writer.root_object[NameObject("/OpenAction")] = action
    events = DictionaryObject({NameObject("/O"): _action("/JavaScript", JS=script)})
    writer.pages[0][NameObject("/AA")] = events
    return _written(writer)


def blank_pages(count: int) -> bytes:
    """So many pages with nothing on them, a hundred bytes each."""
    first = 3
    kids = b" ".join(b"%d 0 R" % (first + index) for index in range(count))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"
    pages = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count)
    return _file([b"<< /Type /Catalog /Pages 2 0 R >>", pages, *[page] * count])


@cache
def deflate_bomb(mebibytes: int = 4096) -> bytes:
    """A page whose content is this long once it is unpacked, twice packed into a small file."""
    return _raw([_page(), _packed_spaces(mebibytes)])


def endless_form() -> bytes:
    """A drawing that contains itself."""
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>"
    content = _stream("BT /F1 12 Tf 72 700 Td (Before) Tj ET /X Do")
    resources = b"/XObject << /X 5 0 R >>"
    return _raw([_page(more=resources), content, _stream("/X Do /X Do", form)])


def nested_forms(depth: int = 12, each: int = 12) -> bytes:
    """Drawings that contain the next one a dozen times: 12 ^ 12 in all."""
    last = 5 + depth
    forms = []
    for number in range(5, last):
        inner = b"/Resources << /XObject << /X %d 0 R >> >>" % (number + 1)
        head = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] " + inner
        forms.append(_stream("/X Do " * each, head))
    leaf = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
    content = _stream("BT /F1 12 Tf 72 700 Td (Before) Tj ET /X Do")
    page = _page(more=b"/XObject << /X 5 0 R >>")
    return _raw([page, content, *forms, _stream("BT /F1 1 Tf (leaf) Tj ET", leaf)])


def much_text(megabytes: int = 21) -> bytes:
    """More text than anybody writes: each of its few glyphs stands for 500 characters."""
    meaning = ("abcdefgh " * 60)[:500].encode("utf-16-be").hex()
    to_unicode = _to_unicode([f"<41> <{meaning}>"])
    lines, each = 40, 50
    content = "BT /F1 5 Tf 20 780 Td " + f"({'A' * each}) Tj 0 -6 Td\n" * lines + "ET"
    count = megabytes * 1_000_000 // (lines * each * 500) + 1
    pages = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b"3 0 R " * count, count)
    page = _page(b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 5 0 R >>")
    head = b"<< /Type /Catalog /Pages 2 0 R >>"
    return _file([head, pages, page, _stream(content), _stream(to_unicode)])


# How they are made


def _canvas(title: str | None = None) -> tuple[Canvas, io.BytesIO]:
    output = io.BytesIO()
    canvas = Canvas(output, pagesize=letter, invariant=1)
    if title is not None:
        canvas.setTitle(title)
    return canvas, output


def _finish(canvas: Canvas, output: io.BytesIO) -> bytes:
    canvas.save()
    return output.getvalue()


def _draw(
    canvas: Canvas, lines: Sequence[str], *, left: int = LEFT, top: float = TOP, size: int = 11
) -> float:
    """Write lines downwards; returns where the next would be."""
    text = canvas.beginText(left, top)
    text.setFont("Helvetica", size, LEADING)
    for line in lines:
        text.textLine(line)
    canvas.drawText(text)
    return float(text.getY())


def _cid_pages(font: str, lines: Sequence[str], *, vertical: bool = False) -> bytes:
    face = UnicodeCIDFont(font, isVertical=vertical)
    pdfmetrics.registerFont(face)
    canvas, output = _canvas()
    canvas.setFont(face.fontName, 14)
    for index, line in enumerate(lines):
        canvas.drawString(LEFT if not vertical else 500 - 24 * index, TOP - 24 * index, line)
    canvas.showPage()
    return _finish(canvas, output)


def _action(kind: str, **more: TextStringObject) -> DictionaryObject:
    named = {NameObject(f"/{key}"): value for key, value in more.items()}
    return DictionaryObject({NameObject("/S"): NameObject(kind), **named})


def _copy(data: bytes) -> PdfWriter:
    return PdfWriter(clone_from=PdfReader(io.BytesIO(data)))


def _written(writer: PdfWriter) -> bytes:
    output = io.BytesIO()
    writer.write(output)
    return output.getvalue()


_HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def _page(font: bytes = _HELVETICA, more: bytes = b"") -> bytes:
    """A page whose content is object 4."""
    resources = b"<< /Font << /F1 " + font + b" >> " + more + b" >>"
    box = b"/MediaBox [0 0 612 792] /Contents 4 0 R"
    return b"<< /Type /Page /Parent 2 0 R " + box + b" /Resources " + resources + b" >>"


def _raw(objects: Sequence[bytes]) -> bytes:
    """A file of one page, which is the first of the objects and number 3."""
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return _file([b"<< /Type /Catalog /Pages 2 0 R >>", pages, *objects])


def _stream(data: str | bytes, head: bytes = b"", *, packed: bool = False) -> bytes:
    content = data.encode() if isinstance(data, str) else data
    if packed:
        content = zlib.compress(content)
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), head, content)


def _to_unicode(ranges: Sequence[str]) -> str:
    """What the codes of a font mean."""
    listed = "\n".join(ranges)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(ranges)} beginbfchar\n{listed}\nendbfchar endcmap end end"
    )


def _packed_spaces(mebibytes: int) -> bytes:
    once = b"".join(_deflated(mebibytes))
    return _stream(zlib.compress(once, 9), b"/Filter [/FlateDecode /FlateDecode]")


def _deflated(mebibytes: int) -> Iterator[bytes]:
    """Spaces as zlib packs them, made from one mebibyte that is repeated. The checksum is wrong."""
    packer = zlib.compressobj(9)
    block = b" " * 1024 * 1024
    yield packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(mebibytes - 1):
        yield again
    yield packer.flush()


def _file(objects: Sequence[bytes]) -> bytes:
    """Number the objects from 1, the catalog, and write the table of where they are."""
    output = io.BytesIO()
    output.write(b"%PDF-1.7\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(output.tell())
        output.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    start = output.tell()
    output.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    output.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    output.write(trailer % (len(objects) + 1, start))
    return output.getvalue()
