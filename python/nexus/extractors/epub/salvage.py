"""Zips whose directory is missing or damaged: each entry also has a header of its own."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from nexus.extractors.epub.problems import TooComplexBook

_HEADER = struct.Struct("<4s5H3L2H")
_SIGNATURE = b"PK\x03\x04"
_SLICE = 64 * 1024
_UTF8_NAME = 0x800


def salvage(file: BinaryIO, into: BinaryIO, *, most_entries: int, most_bytes: int) -> int:
    """Write a new archive of the entries that are whole, and return how many there are."""
    file.seek(0)
    data = file.read()
    count = 0
    with zipfile.ZipFile(into, "w") as archive:
        for name, content in _entries(data, most_bytes):
            count += 1
            if count > most_entries:
                raise TooComplexBook("This EPUB has too many files inside.")
            archive.writestr(zipfile.ZipInfo(name), content)
    return count


def _entries(data: bytes, most_bytes: int) -> Iterator[tuple[str, bytes]]:
    position, seen = data.find(_SIGNATURE), set()
    while position >= 0:
        found = _entry(data, position, most_bytes)
        if found is None:
            position += len(_SIGNATURE)
        else:
            name, content, position = found
            most_bytes -= len(content)
            if most_bytes < 0:
                raise TooComplexBook("This EPUB unpacks to too much.")
            if name not in seen and not name.endswith("/"):
                seen.add(name)
                yield name, content
        position = data.find(_SIGNATURE, position)


def _entry(data: bytes, position: int, most: int) -> tuple[str, bytes, int] | None:
    """Name, content and end of the entry that begins here, if it is whole."""
    if position + _HEADER.size > len(data):
        return None
    fields = _HEADER.unpack_from(data, position)
    flags, method, crc, packed = fields[2], fields[3], fields[6], fields[7]
    start = position + _HEADER.size + fields[9] + fields[10]
    raw = data[position + _HEADER.size :][: fields[9]]
    if flags & 1 or not raw:
        return None
    if method == zipfile.ZIP_STORED:
        content, end = data[start : start + packed], start + packed
    elif method == zipfile.ZIP_DEFLATED:
        content, end = _inflated(data, start, most)
    else:
        return None
    # A checksum of zero stands behind the data instead.
    if end > len(data) or (crc and zlib.crc32(content) != crc):
        return None
    name = raw.decode("utf-8" if flags & _UTF8_NAME else "cp437", "replace").split("\0")[0]
    return (name, content, end) if name else None


def _inflated(data: bytes, start: int, most: int) -> tuple[bytes, int]:
    """The content of a deflated entry, which ends by itself; beyond the file if it is cut off."""
    unpacker, content = zlib.decompressobj(-zlib.MAX_WBITS), bytearray()
    position = start
    try:
        while not unpacker.eof and position < len(data):
            piece = unpacker.unconsumed_tail or data[position : position + _SLICE]
            if not unpacker.unconsumed_tail:
                position += len(piece)
            content += unpacker.decompress(piece, _SLICE)
            if len(content) > most:
                raise TooComplexBook("This EPUB unpacks to too much.")
    except zlib.error:
        return b"", len(data) + 1
    if not unpacker.eof:
        return b"", len(data) + 1
    return bytes(content), position - len(unpacker.unused_data)
