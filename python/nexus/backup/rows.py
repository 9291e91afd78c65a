"""The rows of a table as `COPY` writes and reads them, on their way through an archive.

An archive never contains SQL: it contains lines, and Nexus decides which table they are for.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from psycopg.abc import Buffer

from nexus.backup.errors import BackupError, DamagedArchive

GZIP = 31
ZLIB = 15
_PIECE_BYTES = 1024 * 1024
# Articles are a few megabytes at most; Postgres would buffer a line of any length.
_MAX_ROW_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TableRows:
    """What an archive has for one table."""

    columns: tuple[str, ...]
    chunks: Callable[[], Iterator[bytes]]


class Room:
    """How many bytes of rows there is room for; None where that cannot be known."""

    def __init__(self, free: int | None) -> None:
        self._free = free

    def take(self, size: int) -> None:
        """Use some of it, or BackupError."""
        if self._free is not None:
            self._free -= size
            if self._free < 0:
                raise BackupError("The archive needs more room than the disk has.")


def deflated(chunks: Iterable[Buffer]) -> Iterator[bytes]:
    """Bytes, compressed as gzip."""
    engine = zlib.compressobj(wbits=GZIP)
    for chunk in chunks:
        yield engine.compress(chunk)
    yield engine.flush()


def inflated(chunks: Iterable[bytes], wbits: int) -> Iterator[bytes]:
    """The bytes of one compressed stream, in pieces of bounded size; DamagedArchive otherwise."""
    engine = zlib.decompressobj(wbits)
    try:
        for chunk in chunks:
            if engine.eof:
                raise DamagedArchive("The archive is damaged: rows go on behind their end.")
            yield from _pieces(engine, chunk)
    except zlib.error:
        raise DamagedArchive("The archive is damaged: rows cannot be decompressed.") from None
    if not engine.eof or engine.unused_data:
        raise DamagedArchive("The archive is damaged: rows are cut off.")


def _pieces(engine: "zlib._Decompress", chunk: bytes) -> Iterator[bytes]:
    piece = engine.decompress(chunk, _PIECE_BYTES)
    while piece:
        yield piece
        piece = engine.decompress(engine.unconsumed_tail, _PIECE_BYTES)


def checked_rows(chunks: Iterable[bytes], room: Room) -> Iterator[bytes]:
    """The same bytes, as long as there is room for them and no row is too long."""
    row = 0
    for chunk in chunks:
        room.take(len(chunk))
        last = chunk.rfind(b"\n")
        row = row + len(chunk) if last < 0 else len(chunk) - last - 1
        if row > _MAX_ROW_BYTES:
            raise DamagedArchive("The archive is damaged: a row is too long.")
        yield chunk
    if row:
        raise DamagedArchive("The archive is damaged: the last row is cut off.")
