"""EPUBs for tests, made at run time: good ones, odd ones and hostile ones."""

import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="{opf}" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""
XHTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><title>{title}</title><style>p {{ color: red }}</style></head>
<body>{body}</body></html>"""
TYPES = {
    "xhtml": "application/xhtml+xml",
    "html": "application/xhtml+xml",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "ncx": "application/x-dtbncx+xml",
    "css": "text/css",
    "otf": "application/vnd.ms-opentype",
    "mp4": "video/mp4",
}


def png(width: int = 3, height: int = 2, color: int = 0) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([color]) * width) * height
    content = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + content


def page(body: str, title: str = "A page") -> str:
    return XHTML.format(title=escape(title), body=body)


def nav(*lists: str) -> str:
    """A navigation document of lists such as `toc` makes."""
    return page("".join(lists), "Navigation")


def toc(items: str, kind: str = "toc") -> str:
    return f'<nav epub:type="{kind}"><ol>{items}</ol></nav>'


def line(href: str, label: str, below: str = "", kind: str = "") -> str:
    mark = f' epub:type="{kind}"' if kind else ""
    return f'<li><a href="{href}"{mark}>{label}</a>{f"<ol>{below}</ol>" if below else ""}</li>'


@dataclass
class Book:
    """A book of files in `OEBPS`, the documents in the order they are given."""

    documents: dict[str, str | bytes] = field(
        default_factory=lambda: {"one.xhtml": page("<h1>One</h1><p>First words.</p>")}
    )
    files: dict[str, str | bytes] = field(default_factory=dict)
    """What is in the manifest but not in the spine."""
    raw: dict[str, str | bytes] = field(default_factory=dict)
    """Further entries of the archive, by their whole name."""
    metadata: str = "<dc:title>A book</dc:title><dc:language>en</dc:language>"
    properties: Mapping[str, str] = field(default_factory=dict)
    """Of manifest items, by file."""
    items: str = ""
    spine: str | None = None
    spine_attributes: str = ""
    not_linear: Iterable[str] = ()
    guide: str = ""
    version: str = "3.0"
    opf: str = "OEBPS/book.opf"
    container: str | None = CONTAINER

    def package(self) -> str:
        names = [*self.documents, *self.files]
        listed = "".join(
            f'<item id="i{n}" href="{escape(name)}" media-type="{_type(name)}"'
            f' properties="{self.properties.get(name, "")}"/>'
            for n, name in enumerate(names)
        )
        refs = "".join(
            f'<itemref idref="i{n}" linear="{"no" if name in self.not_linear else "yes"}"/>'
            for n, name in enumerate(self.documents)
        )
        return (
            '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"'
            f' version="{self.version}" unique-identifier="id">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"'
            f' xmlns:opf="http://www.idpf.org/2007/opf">{self.metadata}</metadata>'
            f"<manifest>{listed}{self.items}</manifest>"
            f"<spine {self.spine_attributes}>{refs if self.spine is None else self.spine}</spine>"
            f"{self.guide}</package>"
        )

    def entries(self) -> dict[str, str | bytes]:
        found: dict[str, str | bytes] = {}
        if self.container is not None:
            found["META-INF/container.xml"] = self.container.format(opf=self.opf)
        found["OEBPS/book.opf"] = self.package()
        for name, content in {**self.documents, **self.files}.items():
            found[f"OEBPS/{name}"] = content
        return {**found, **self.raw}

    def bytes(self) -> bytes:
        return zipped(self.entries().items())


def zipped(entries: Iterable[tuple[str, str | bytes]], *, mimetype: bool = True) -> bytes:
    """An archive; names may be given twice."""
    buffer = io.BytesIO()
    with (
        warnings.catch_warnings(action="ignore"),  # of names that are there already
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        if mimetype:
            archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        for name, content in entries:
            info = zipfile.ZipInfo("x", date_time=(2026, 1, 1, 0, 0, 0))
            # Set afterwards, because the library corrects names.
            info.filename = name
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def a_book(*bodies: str, **fields: object) -> bytes:
    """A book of documents with these bodies: `1.xhtml`, `2.xhtml`, …"""
    documents = {f"{n}.xhtml": page(body) for n, body in enumerate(bodies, 1)}
    return Book(documents=documents, **fields).bytes()  # type: ignore[arg-type]


def long_book(documents: int, characters: int) -> bytes:
    """A book with so much text in all, in so many documents, with contents and links."""
    sentence = "The tide had turned, and with it the <em>mood</em> of the harbour town. "
    each = max(1, characters // documents // 66 // 8)
    paragraph = f"<p>{sentence * 8}</p>"
    found = {
        f"{n}.xhtml": page(
            f'<h2 id="h{n}">Chapter {n}</h2>{paragraph * each}'
            f'<p><a href="{n % documents + 1}.xhtml#h{n % documents + 1}">Next</a></p>'
        )
        for n in range(1, documents + 1)
    }
    lines = "".join(line(f"{n}.xhtml#h{n}", f"Chapter {n}") for n in range(1, documents + 1))
    book = Book(documents=dict(found), files={"nav.xhtml": nav(toc(lines))})
    book.properties = {"nav.xhtml": "nav"}
    return book.bytes()


def bomb(mebibytes: int, *, name: str = "1.xhtml", declared: int | None = None) -> bytes:
    """A document of so many blank MiB; its size may be declared as another."""
    blank = b" " * (mebibytes * 1024 * 1024)
    data = Book(documents={name: page("<p>x</p>").encode() + blank}).bytes()
    if declared is None:
        return data
    actual = struct.pack("<I", len(page("<p>x</p>").encode()) + len(blank))
    return data.replace(actual, struct.pack("<I", declared))


def without_directory(data: bytes) -> bytes:
    """As if the end of the download were missing: no central directory."""
    return data[: data.index(b"PK\x01\x02")]


def with_flag(data: bytes, name: str, flag: int) -> bytes:
    """The same archive with a flag set on one entry, in both its headers."""
    changed = bytearray(data)
    for signature, flags_at, name_at, length_at in (
        (b"PK\x03\x04", 6, 30, 26),
        (b"PK\x01\x02", 8, 46, 28),
    ):
        position = data.find(signature)
        while position >= 0:
            (length,) = struct.unpack_from("<H", data, position + length_at)
            if data[position + name_at : position + name_at + length] == name.encode():
                changed[position + flags_at] |= flag
            position = data.find(signature, position + 4)
    return bytes(changed)


def _type(name: str) -> str:
    return TYPES.get(name.rpartition(".")[2].lower(), "application/octet-stream")
