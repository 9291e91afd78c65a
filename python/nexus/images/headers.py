"""Sizes of raster images, read from their headers. Nothing here decodes a pixel.

Each function takes a whole file that begins like its format, and returns width and height. Short
or broken ones raise `struct.error`, `IndexError` or `ValueError`. No loop is as long as the file.
"""

import struct
import zlib
from collections.abc import Iterator

Size = tuple[int, int]
Body = bytes | bytearray

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# More than any program writes; a file with more is meant to keep us busy.
_MAX_PARTS = 4096


def png_size(body: Body, start: int = 0) -> Size:
    """The size in IHDR, which comes first and has a checksum."""
    length, name, width, height = struct.unpack_from(">I4sII", body, start + 8)
    (checksum,) = struct.unpack_from(">I", body, start + 29)
    if length != 13 or name != b"IHDR" or zlib.crc32(body[start + 12 : start + 29]) != checksum:
        raise ValueError("no header")
    return width, height


def gif_size(body: Body) -> Size:
    """The size of the screen, or of the first image if that is larger, as in browsers."""
    width, height, flags = struct.unpack_from("<HHB", body, 6)
    position = 13 + _color_table(flags)
    for _ in range(_MAX_PARTS):
        if body[position] == 0x2C:
            left, top, wide, high = struct.unpack_from("<HHHH", body, position + 1)
            return max(width, left + wide), max(height, top + high)
        # An extension: its kind, then blocks until an empty one.
        position = position + 2 if body[position] == 0x21 else len(body)
        while body[position]:
            position += 1 + body[position]
            if position > _MAX_PARTS * 256:
                raise ValueError("no picture for too long")
        position += 1
    raise ValueError("no picture")


def _color_table(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def webp_size(body: Body) -> Size:
    """The size in the first chunk: a canvas, or one image of either kind."""
    kind = bytes(body[12:16])
    if kind == b"VP8X":
        return (
            1 + int.from_bytes(_exactly(body, 24, 3), "little"),
            1 + int.from_bytes(_exactly(body, 27, 3), "little"),
        )
    if kind == b"VP8L" and body[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", body, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and body[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", body, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError("no picture")


def bmp_size(body: Body) -> Size:
    return _bitmap_size(body, 14)


def _bitmap_size(body: Body, start: int) -> Size:
    (length,) = struct.unpack_from("<I", body, start)
    if length == 12:
        width, height = struct.unpack_from("<HH", body, start + 4)
    elif 16 <= length <= 124:
        # A negative height means that the first row is the top one.
        width, height = struct.unpack_from("<ii", body, start + 4)
    else:
        raise ValueError("no header")
    return width, abs(height)


def ico_size(body: Body) -> Size:
    """The largest of an icon's images by their own headers, not by the directory."""
    (count,) = struct.unpack_from("<H", body, 4)
    if not 0 < count <= 256:
        raise ValueError("no pictures")
    sizes = [_icon_size(body, *entry) for entry in _directory(body, count)]
    # The sides of all images count: which one is shown is the browser's choice.
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _directory(body: Body, count: int) -> Iterator[tuple[int]]:
    for entry in range(count):
        yield struct.unpack_from("<I", body, 6 + 16 * entry + 12)


def _icon_size(body: Body, start: int) -> Size:
    if body[start : start + 8] == PNG_SIGNATURE:
        return png_size(body, start)
    width, height = _bitmap_size(body, start)
    # The height includes the image's mask, which is of the same size.
    return width, height // 2


def jpeg_size(body: Body) -> Size:
    """The size of the first image, rotated as its EXIF says. There may be others after it."""
    size, turned = None, None
    for marker, start, end in _jpeg_segments(body):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and size is None:
            height, width = struct.unpack_from(">HH", body, start + 1)
            size = width, height
        elif marker == 0xE1 and turned is None and body[start : start + 6] == b"Exif\0\0":
            turned = _is_on_its_side(bytes(body[start + 6 : end]))
    if size is None:
        raise ValueError("no picture")
    return (size[1], size[0]) if turned else size


def _jpeg_segments(body: Body) -> Iterator[tuple[int, int, int]]:
    """Marker, start and end of what comes before the pixels."""
    position = 2
    for _ in range(_MAX_PARTS):
        if position + 4 > len(body) or body[position] != 0xFF:
            return
        marker = body[position + 1]
        if marker in (0xD9, 0xDA):
            return
        if marker == 0xFF:  # a byte to fill up
            position += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            position += 2
        else:
            (length,) = struct.unpack_from(">H", body, position + 2)
            yield marker, position + 4, position + 2 + length
            position += 2 + max(2, length)


# EXIF orientations that turn an image on its side, as browsers do when they show it.
_ORIENTATION, _SHORT = 0x0112, 3
_ON_ITS_SIDE = range(5, 9)


def _is_on_its_side(exif: bytes) -> bool:
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    try:
        if order is None:
            return False
        (start,) = struct.unpack_from(f"{order}I", exif, 4)
        (count,) = struct.unpack_from(f"{order}H", exif, start)
        for entry in range(count):
            found = struct.unpack_from(f"{order}HHIH", exif, start + 2 + 12 * entry)
            if found[:2] == (_ORIENTATION, _SHORT):
                return found[3] in _ON_ITS_SIDE
    except struct.error:
        pass
    return False


def _exactly(body: Body, start: int, count: int) -> bytes:
    part = bytes(body[start : start + count])
    if len(part) != count:
        raise ValueError("too short")
    return part
