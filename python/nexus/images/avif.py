"""The size of an AVIF, read from the boxes that describe it (ISO/IEC 14496-12, 23008-12)."""

import struct
from collections.abc import Iterator

from nexus.images.headers import Body, Size

_BRANDS = {b"avif", b"avis"}
# A still image has a dozen boxes and properties, one made of tiles a few dozen.
_MAX_BOXES = 1024
_MAX_META = 1024 * 1024


def is_avif(body: Body) -> bool:
    (length,) = struct.unpack_from(">I", body, 0)
    brands = bytes(body[8 : min(length, 256)])
    return bool(_BRANDS & {brands[at : at + 4] for at in range(0, len(brands), 4) if at != 4})


def avif_size(body: Body) -> Size:
    """The size of the primary item as it is shown, and not less than that of any part of it."""
    view = memoryview(body)
    meta = _box(view, b"meta")[4:]
    if len(meta) > _MAX_META:
        raise ValueError("described at too much length")
    properties = _box(meta, b"iprp")
    listed = list(_boxes(_box(properties, b"ipco")))
    used = [listed[index - 1] for index in _properties_of(properties, _primary(meta)) if index]
    sizes = [struct.unpack_from(">II", content, 4) for name, content in used if name == b"ispe"]
    if len(sizes) != 1:
        raise ValueError("no size")
    width, height = sizes[0]
    if any(name == b"irot" and content[0] & 1 for name, content in used):
        width, height = height, width
    # Tiles larger than the whole must not slip through.
    parts = [struct.unpack_from(">II", content, 4) for name, content in listed if name == b"ispe"]
    largest = max(max(part) for part in parts)
    return (largest, largest) if largest > max(width, height) else (width, height)


def _boxes(view: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    position = 0
    for _ in range(_MAX_BOXES):
        if position >= len(view):
            return
        length, name = struct.unpack_from(">I4s", view, position)
        head = 8
        if length == 1:
            (length,) = struct.unpack_from(">Q", view, position + 8)
            head = 16
        elif length == 0:  # to the end
            length = len(view) - position
        if length < head:
            raise ValueError("a box shorter than its head")
        yield name, view[position + head : position + length]
        position += length
    raise ValueError("too many boxes")


def _box(view: memoryview, wanted: bytes) -> memoryview:
    for name, content in _boxes(view):
        if name == wanted:
            return content
    raise ValueError(f"no {wanted!r}")


def _primary(meta: memoryview) -> int:
    content = _box(meta, b"pitm")
    item: int = struct.unpack_from(">I" if content[0] else ">H", content, 4)[0]
    return item


def _properties_of(properties: memoryview, item: int) -> list[int]:
    """Which of the listed properties an item has, counted from 1."""
    content = _box(properties, b"ipma")
    (version_and_flags, count) = struct.unpack_from(">II", content, 0)
    is_wide, long_ids = version_and_flags & 1, version_and_flags >> 24 > 0
    position = 8
    for _ in range(min(count, _MAX_BOXES)):
        (number,) = struct.unpack_from(">I" if long_ids else ">H", content, position)
        position += 4 if long_ids else 2
        amount = content[position]
        form = f">{amount}{'H' if is_wide else 'B'}"
        found = struct.unpack_from(form, content, position + 1)
        if number == item:
            # The highest bit says whether a reader must understand the property.
            return [index & (0x7FFF if is_wide else 0x7F) for index in found]
        position += 1 + struct.calcsize(form)
    raise ValueError("the primary item has no properties")
