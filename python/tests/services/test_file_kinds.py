"""What may be announced as an upload, and telling a real file from its name."""

import io
import zipfile
from functools import partial

import pytest

from nexus.db.enums import MediaKind
from nexus.errors import ApiError
from nexus.extractors.file_types import HEAD_BYTES
from nexus.services.file_kinds import check_announced_file, file_type

MIB = 1024 * 1024
PDF, EPUB = file_type("pdf"), file_type("epub")


def a_zip(name: str, content: bytes, *, stored: bool = True, extra: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(buffer, "w", method) as archive:
        entry = zipfile.ZipInfo(name)
        entry.compress_type = method
        entry.extra = extra
        archive.writestr(entry, content)
        archive.writestr("META-INF/container.xml", b"<container/>")
    return buffer.getvalue()


MIMETYPE = b"application/epub+zip"
EXTRA = b"\xfe\xca\x04\x00abcd"
HEADS = {
    "pdf": (MediaKind.PDF, b"%PDF-1.7\n", True),
    "pdf of one version more": (MediaKind.PDF, b"%PDF-9", True),
    "text": (MediaKind.PDF, b"Hello, I am a PDF", False),
    "blank before the header": (MediaKind.PDF, b"\n%PDF-1.7", False),
    "lower case": (MediaKind.PDF, b"%pdf-1.7", False),
    "html": (MediaKind.PDF, b"<!doctype html><p>hello", False),
    "cut header": (MediaKind.PDF, b"%PDF", False),
    "epub as pdf": (MediaKind.PDF, a_zip("mimetype", MIMETYPE), False),
    "epub": (MediaKind.EPUB, a_zip("mimetype", MIMETYPE), True),
    "epub with an extra field": (MediaKind.EPUB, a_zip("mimetype", MIMETYPE, extra=EXTRA), True),
    "plain zip": (MediaKind.EPUB, a_zip("readme.txt", b"hello"), False),
    "zip of another type": (MediaKind.EPUB, a_zip("mimetype", b"application/zip"), False),
    "packed mimetype": (MediaKind.EPUB, a_zip("mimetype", MIMETYPE * 9, stored=False), False),
    "name that only begins so": (MediaKind.EPUB, a_zip("mimetypes", MIMETYPE), False),
    "mimetype not first": (MediaKind.EPUB, a_zip("a", b"x") + MIMETYPE, False),
    "empty zip": (MediaKind.EPUB, b"PK\x05\x06" + bytes(18), False),
    "cut zip": (MediaKind.EPUB, a_zip("mimetype", MIMETYPE)[:40], False),
    "nothing": (MediaKind.EPUB, b"", False),
    "pdf as epub": (MediaKind.EPUB, b"%PDF-1.7" + bytes(100), False),
}


@pytest.mark.parametrize("name", HEADS)
def test_magic_bytes(name: str) -> None:
    kind, data, right = HEADS[name]
    assert file_type(kind.value).looks_right(data[:HEAD_BYTES]) is right


ANNOUNCED = {
    "pdf": (PDF, "a.pdf", "application/pdf", 1, None),
    "upper case": (PDF, "A.PDF", "Application/PDF", 1, None),
    "with parameters": (PDF, "a.pdf", "application/pdf; charset=binary", 1, None),
    "largest pdf": (PDF, "a.pdf", "application/pdf", 100 * MIB, None),
    "too large pdf": (PDF, "a.pdf", "application/pdf", 100 * MIB + 1, "E_FILE_TOO_LARGE"),
    "largest epub": (EPUB, "a.epub", "application/epub+zip", 50 * MIB, None),
    "too large epub": (EPUB, "a.epub", "application/epub+zip", 50 * MIB + 1, "E_FILE_TOO_LARGE"),
    "absurdly large": (PDF, "a.pdf", "application/pdf", 10**40, "E_FILE_TOO_LARGE"),
    "empty": (PDF, "a.pdf", "application/pdf", 0, "E_INVALID_REQUEST"),
    "negative": (PDF, "a.pdf", "application/pdf", -1, "E_INVALID_REQUEST"),
    "wrong type": (PDF, "a.pdf", "text/plain", 1, "E_INVALID_REQUEST"),
    "other kind's type": (PDF, "a.pdf", "application/epub+zip", 1, "E_INVALID_REQUEST"),
    "no type": (PDF, "a.pdf", "", 1, "E_INVALID_REQUEST"),
    "wrong extension": (PDF, "a.epub", "application/pdf", 1, "E_INVALID_REQUEST"),
    "no extension": (PDF, "pdf", "application/pdf", 1, "E_INVALID_REQUEST"),
    "no name": (PDF, "", "application/pdf", 1, "E_INVALID_REQUEST"),
    "a path": (PDF, "../a.pdf", "application/pdf", 1, "E_INVALID_REQUEST"),
    "a windows path": (PDF, "c:\\a.pdf", "application/pdf", 1, "E_INVALID_REQUEST"),
    "long name": (PDF, "a" * 251 + ".pdf", "application/pdf", 1, None),
    "too long name": (PDF, "a" * 252 + ".pdf", "application/pdf", 1, "E_INVALID_REQUEST"),
}


@pytest.mark.parametrize("name", ANNOUNCED)
def test_announced_files(name: str) -> None:
    kind, filename, content_type, size, refusal = ANNOUNCED[name]
    check = partial(
        check_announced_file,
        kind,
        filename=filename,
        content_type=content_type,
        size_bytes=size,
        storage_limit=None,
    )
    if refusal is None:
        check()
        return
    with pytest.raises(ApiError) as raised:
        check()
    assert raised.value.code == refusal
    assert raised.value.status == (413 if refusal == "E_FILE_TOO_LARGE" else 400)


def test_the_limit_of_the_storage_holds_too() -> None:
    check = partial(
        check_announced_file,
        PDF,
        filename="a.pdf",
        content_type="application/pdf",
        storage_limit=20 * MIB,
    )
    check(size_bytes=20 * MIB)
    with pytest.raises(ApiError) as raised:
        check(size_bytes=20 * MIB + 1)
    assert (raised.value.status, raised.value.code) == (413, "E_FILE_TOO_LARGE")
    assert raised.value.message == "This file is too large; the storage accepts 20 MB."


@pytest.mark.parametrize("kind", ["web_article", "video", "podcast_episode", "PDF", "", "docx"])
def test_kinds_that_are_no_files(kind: str) -> None:
    with pytest.raises(ApiError) as raised:
        file_type(kind)
    assert raised.value.code == "E_INVALID_KIND"
