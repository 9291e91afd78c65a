"""Zips whose directory is missing or damaged: each entry also has a header of its own."""

import mmap
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple

from nexus.zips.problems import ZipTooLarge

Data = bytes | mmap.mmap

_HEADER = struct.Struct("<4s5H3L2H")
_SIGNATURE = b"PK\x03\x04"
_SLICE = 64 * 1024
_MOST_DAMAGED = 64 * 1024 * 1024
_UTF8_NAME = 0x800


def salvage(
    file: BinaryIO, into: BinaryIO, *, most_entries: int, most_bytes: int, damaged: bool = False
) -> int:
    """Write a new archive of the entries that are whole, and return how many there are.

    With `damaged`, entries are kept up to where they are damaged, too.
    """
    count = 0
    with _bytes_of(file) as data, zipfile.ZipFile(into, "w") as archive:
        for name, content in _entries(data, most_bytes, damaged=damaged):
            count += 1
            if count > most_entries:
                raise ZipTooLarge("This archive has too many files inside.")
            archive.writestr(zipfile.ZipInfo(name), content)
    return count


@contextmanager
def _bytes_of(file: BinaryIO) -> Iterator[Data]:
    """All bytes, of which a file on disk keeps in memory only what is looked at."""
    try:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        file.seek(0)
        yield file.read()
    else:
        with mapped:
            yield mapped


def _entries(data: Data, most_bytes: int, *, damaged: bool) -> Iterator[tuple[str, bytes]]:
    position, seen = data.find(_SIGNATURE), set()
    while position >= 0:
        found = _entry(data, position, min(most_bytes, _MOST_DAMAGED) if damaged else most_bytes)
        if found is not None and not damaged and len(found.content) == most_bytes:
            raise ZipTooLarge("This archive unpacks to too much.")
        if found is None or not (found.is_whole or damaged):
            position += len(_SIGNATURE)
        else:
            # Behind what is damaged the next entry may begin anywhere.
            position = found.end if found.is_whole else position + len(_SIGNATURE)
            most_bytes -= len(found.content)
            if most_bytes < 0:
                raise ZipTooLarge("This archive unpacks to too much.")
            if found.name not in seen and not found.name.endswith("/"):
                seen.add(found.name)
                yield found.name, found.content
        position = data.find(_SIGNATURE, position)


class _Found(NamedTuple):
    name: str
    content: bytes
    end: int
    is_whole: bool


def _entry(data: Data, position: int, most: int) -> _Found | None:
    """The entry that begins here, as far as it can be unpacked."""
    if position + _HEADER.size > len(data):
        return None
    fields = _HEADER.unpack_from(data, position)
    flags, method, crc, packed = fields[2], fields[3], fields[6], fields[7]
    name_at = position + _HEADER.size
    start = name_at + fields[9] + fields[10]
    raw = data[name_at : name_at + fields[9]]
    if flags & 1 or not raw:
        return None
    if method == zipfile.ZIP_STORED:
        content, end = data[start : start + min(packed, most)], start + packed
        is_whole = end <= len(data)
    elif method == zipfile.ZIP_DEFLATED:
        content, end, is_whole = _inflated(data, start, most)
    else:
        return None
    # A checksum of zero stands behind the data instead.
    is_whole = is_whole and (not crc or zlib.crc32(content) == crc)
    name = raw.decode("utf-8" if flags & _UTF8_NAME else "cp437", "replace").split("\0")[0]
    return _Found(name, content, end, is_whole) if name else None


def _inflated(data: Data, start: int, most: int) -> tuple[bytes, int, bool]:
    """The content of a deflated entry, where it ends, and whether it ends by itself."""
    unpacker, content = zlib.decompressobj(-zlib.MAX_WBITS), bytearray()
    position = start
    while not unpacker.eof and position < len(data) and len(content) <= most:
        before = unpacker.copy()
        piece = data[position : position + _SLICE]
        try:
            content += _unpacked(unpacker, piece, most)
        except zlib.error:
            content += _up_to_the_damage(before, piece)
            return bytes(content[:most]), position, False
        position += len(piece)
    is_whole = unpacker.eof and len(content) <= most
    return bytes(content[:most]), position - len(unpacker.unused_data), is_whole


def _unpacked(unpacker: "zlib._Decompress", piece: bytes, most: int) -> bytes:
    content = bytearray(unpacker.decompress(piece, _SLICE))
    while unpacker.unconsumed_tail and len(content) <= most:
        content += unpacker.decompress(unpacker.unconsumed_tail, _SLICE)
    return bytes(content)


def _up_to_the_damage(unpacker: "zlib._Decompress", piece: bytes) -> bytes:
    """Byte by byte, because a step that fails returns nothing."""
    content = bytearray()
    with suppress(zlib.error):
        for at in range(len(piece)):
            content += unpacker.decompress(piece[at : at + 1], _SLICE)
    return bytes(content)
