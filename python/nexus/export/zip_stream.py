"""A zip written from its first byte to its last, without going back.

Its table of contents waits on disk, so that memory does not grow with the number of files. Every
file has one and the same date: the same contents are always the same bytes.
"""

import struct
import zlib
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Self

_STORED, _DEFLATED = 0, 8
_UTF8_NAMES = 0x800
_DATE = 0x0021  # 1980-01-01, the first one there is
_MAX_32 = 0xFFFFFFFF
_MAX_16 = 0xFFFF
_IN_MEMORY = 1024 * 1024
_CHUNK = 256 * 1024


class ZipStream:
    """Every method yields the bytes to send."""

    def __init__(self) -> None:
        self._sent = 0
        self._entries = 0
        self._contents: IO[bytes] = SpooledTemporaryFile(  # noqa: SIM115
            max_size=_IN_MEMORY
        )

    def add(self, name: str, data: bytes) -> Iterator[bytes]:
        """A file that is compressed."""
        packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        packed = packer.compress(data) + packer.flush()
        yield self._head(name, _DEFLATED, zlib.crc32(data), len(packed), len(data))
        yield self._count(packed)

    def add_file(self, name: str, file: IO[bytes]) -> Iterator[bytes]:
        """A file as it is: PDFs and EPUBs are compressed already."""
        crc = size = 0
        while chunk := file.read(_CHUNK):
            crc, size = zlib.crc32(chunk, crc), size + len(chunk)
        file.seek(0)
        yield self._head(name, _STORED, crc, size, size)
        while chunk := file.read(_CHUNK):
            yield self._count(chunk)

    def end(self) -> Iterator[bytes]:
        """The table of contents, without which nobody takes the file for whole."""
        start = self._sent
        self._contents.seek(0)
        while chunk := self._contents.read(_CHUNK):
            yield self._count(chunk)
        size = self._sent - start
        if self._entries >= _MAX_16 or start >= _MAX_32 or size >= _MAX_32:
            here = self._sent
            yield self._count(
                struct.pack(
                    "<4sQHHLLQQQQ",
                    *(b"PK\6\6", 44, 45, 45, 0, 0),
                    *(self._entries, self._entries, size, start),
                )
            )
            yield self._count(struct.pack("<4sLQL", b"PK\6\7", 0, here, 1))
        entries = min(self._entries, _MAX_16)
        yield struct.pack(
            "<4sHHHHLLH",
            *(b"PK\5\6", 0, 0, entries, entries, min(size, _MAX_32), min(start, _MAX_32), 0),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._contents.close()

    def _head(self, name: str, method: int, crc: int, packed: int, size: int) -> bytes:
        encoded = name.encode()
        if max(packed, size) >= _MAX_32:
            raise ValueError("a file in an export is smaller than 4 GiB")
        common = (_UTF8_NAMES, method, 0, _DATE, crc, packed, size, len(encoded))
        start = self._sent
        far = struct.pack("<HHQ", 1, 8, start) if start >= _MAX_32 else b""
        self._contents.write(
            struct.pack(
                "<4sHHHHHHLLLHHHHHLL",
                *(b"PK\1\2", 0x031E, 45 if far else 20, *common, len(far), 0, 0, 0),
                *(0o100600 << 16, min(start, _MAX_32)),
            )
        )
        self._contents.write(encoded + far)
        self._entries += 1
        return self._count(struct.pack("<4sHHHHHLLLHH", b"PK\3\4", 20, *common, 0) + encoded)

    def _count(self, data: bytes) -> bytes:
        self._sent += len(data)
        return data
