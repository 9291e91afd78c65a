"""What an image is, read from its header alone, and from headers that lie."""

import struct
import zlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nexus.errors import ApiError
from nexus.images.inspect import MAX_SIDE, image_form
from tests.images.drawn import DRAWN, SIZE, drawn, turned
from tests.steps import steps

MIB = 1024 * 1024
BODIES = [body for _, body in DRAWN.values()]


def verdict(body: bytes) -> str:
    """The type, or the code of the error; anything else is raised."""
    try:
        return image_form(body).content_type
    except ApiError as error:
        return error.code


@pytest.mark.parametrize("name", list(DRAWN))
def test_type_and_size(name: str) -> None:
    content_type, body = DRAWN[name]
    form = image_form(body)
    assert (form.content_type, form.width, form.height) == (content_type, *SIZE)


@pytest.mark.parametrize("kind", ["JPEG", "AVIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_images_on_their_side(kind: str, orientation: int) -> None:
    form = image_form(drawn(kind, exif=turned(orientation)))
    assert (form.width, form.height) == (SIZE[::-1] if orientation > 4 else SIZE)


@pytest.mark.parametrize("kind", ["TIFF", "PPM", "TGA", "PDF", "EPS", "DDS", "PCX", "ICNS", "SGI"])
def test_formats_that_are_not_allowed(kind: str) -> None:
    size = (16, 16) if kind == "ICNS" else SIZE
    assert verdict(drawn(kind, size)) == "E_IMAGE_UNSUPPORTED"


def png_header(width: int, height: int) -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n\0\0\0\r" + header + struct.pack(">I", zlib.crc32(header))


def ico(*pictures: bytes) -> bytes:
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    for picture in pictures:
        head += struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return head + b"".join(pictures)


def gif(screen: tuple[int, int], frame: tuple[int, int, int, int]) -> bytes:
    head = b"GIF89a" + struct.pack("<HHBBB", *screen, 0, 0, 0)
    return head + b"\x21\xf9\x04\0\0\0\0\0\x2c" + struct.pack("<HHHHB", *frame, 0)


HUGE = MAX_SIDE + 1
LARGE = {
    "png": png_header(HUGE, 1),
    "tall png": png_header(1, HUGE),
    "the largest png": png_header(2**32 - 1, 2**32 - 1),
    "gif screen": gif((HUGE, 1), (0, 0, 1, 1)),
    "gif picture": gif((1, 1), (0, 0, 1, HUGE)),
    "gif picture aside": gif((1, 1), (MAX_SIDE, 0, 1, 1)),
    "webp canvas": b"RIFF____WEBPVP8X\x0a\0\0\0\0\0\0\0\0\x10\0\0\0\0",
    "png in ico": ico(png_header(HUGE, HUGE)),
    "second png in ico": ico(png_header(16, 16), png_header(1, HUGE)),
    "bitmap in ico": ico(struct.pack("<Iii", 40, HUGE, 2)),
    "bmp": b"BM" + bytes(12) + struct.pack("<Iii", 40, HUGE, 1),
    "bmp from the top": b"BM" + bytes(12) + struct.pack("<Iii", 40, 1, -HUGE),
    "old bmp": b"BM" + bytes(12) + struct.pack("<IHH", 12, HUGE, 1),
}


@pytest.mark.parametrize("name", list(LARGE))
def test_more_pixels_than_allowed(name: str) -> None:
    assert verdict(LARGE[name]) == "E_IMAGE_TOO_LARGE"


def test_parts_of_an_avif_count_too() -> None:
    body = DRAWN["AVIF"][1]
    at = body.index(b"ispe") - 4
    end = body.index(b"ipma") - 4
    tile = struct.pack(">I4sIII", 20, b"ispe", 0, 60_000, 60_000)
    grown = bytearray(body[:end] + tile + body[end:])
    for name in (b"meta", b"iprp", b"ipco"):
        start = body.index(name) - 4
        assert start < at
        (length,) = struct.unpack_from(">I", grown, start)
        struct.pack_into(">I", grown, start, length + len(tile))
    assert verdict(bytes(grown)) == "E_IMAGE_TOO_LARGE"


BROKEN = {
    "empty": b"",
    "png cut off": png_header(1, 1)[:-1],
    "png with a wrong checksum": png_header(1, 1)[:-1] + b"\0",
    "png without width": png_header(0, 1),
    "gif without a picture": b"GIF89a" + bytes(7) + b"\x3b",
    "gif of rubbish": b"GIF89a" + bytes(7) + b"????",
    "jpeg without a picture": b"\xff\xd8\xff\xd9",
    "jpeg of rubbish": b"\xff\xd8\xff" + bytes(100),
    "bmp without width": b"BM" + bytes(12) + struct.pack("<Iii", 40, 0, 1),
    "bmp of negative width": b"BM" + bytes(12) + struct.pack("<Iii", 40, -5, 1),
    "bmp with another header": b"BM" + bytes(12) + struct.pack("<Iii", 4000, 1, 1),
    "ico without pictures": ico(),
    "ico of a thousand": ico(*[png_header(1, 1)] * 1000),
    "ico that points outside": b"\0\0\1\0\1\0" + struct.pack("<8xII", 9, 2**32 - 1),
    "webp of nothing": b"RIFF____WEBP",
    "webp of something": b"RIFF____WEBPVP9 " + bytes(40),
    "avif without a description": b"\0\0\0\x10ftypavif\0\0\0\0" + bytes(8),
    "html": b"<html>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_what_is_no_image(name: str) -> None:
    assert verdict(BROKEN[name]) == "E_IMAGE_UNSUPPORTED"


LABORIOUS = {
    "gif extensions": b"GIF89a" + bytes(7) + b"\x21\xfe\0" * (3 * MIB),
    "gif blocks": b"GIF89a" + bytes(7) + b"\x21\xfe" + b"\1x" * (5 * MIB),
    "jpeg segments": b"\xff\xd8" + b"\xff\xe0\0\2" * (2 * MIB),
    "jpeg filling": b"\xff\xd8" + b"\xff" * (10 * MIB),
    "jpeg markers": b"\xff\xd8" + b"\xff\xd0" * (5 * MIB),
    "avif boxes": b"\0\0\0\x10ftypavif\0\0\0\0" + b"\0\0\0\x08free" * MIB,
    "avif brands": b"\0\xa0\0\0ftypmif1" + b"mif1" * (2 * MIB),
    "avif meta": b"\0\0\0\x10ftypavif\0\0\0\0\0\xa0\0\0meta" + b"\0\0\0\x08free" * MIB,
}


@pytest.mark.parametrize("name", list(LABORIOUS))
def test_no_file_keeps_us_busy(name: str) -> None:
    body = LABORIOUS[name]
    assert verdict(body) == "E_IMAGE_UNSUPPORTED"
    # No loop is as long as the file, so that one twice as long costs the same.
    assert steps(lambda: verdict(body)) == steps(lambda: verdict(body[: len(body) // 2]))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A real image with some bytes of its head changed, and perhaps its end missing."""
    body = bytearray(draw(st.sampled_from(BODIES)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, min(len(body), 600) - 1))
        part = draw(st.one_of(st.binary(min_size=1, max_size=8), st.just(b"\xff" * 4)))
        body[at : at + len(part)] = part
    return bytes(body[: draw(st.one_of(st.none(), st.integers(0, len(body))))])


@settings(max_examples=600, deadline=None, derandomize=True, database=None)
@given(mutated())
@example(b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0\xff\xff\xff\xff")
def test_every_header_has_a_verdict(body: bytes) -> None:
    known = verdict(body)
    if known.startswith("image/"):
        form = image_form(body)
        assert 0 < form.width <= MAX_SIDE
        assert 0 < form.height <= MAX_SIDE
    else:
        assert known in {"E_IMAGE_UNSUPPORTED", "E_IMAGE_TOO_LARGE"}
