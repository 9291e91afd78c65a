"""Decompression that never holds more than a slice of what comes out."""

import zlib
from collections.abc import Iterable, Iterator

import httpx

from nexus.outbound.limits import BodyTooLarge

_SLICE = 64 * 1024
_ZLIB, _GZIP, _RAW = zlib.MAX_WBITS, zlib.MAX_WBITS | 16, -zlib.MAX_WBITS


def bounded(chunks: Iterable[bytes], *, encoding: str, limit: int) -> Iterator[bytes]:
    """The body as it was before compression, refused as soon as it is over the limit."""
    total = 0
    for part in _plain(chunks, encoding):
        total += len(part)
        if total > limit:
            raise BodyTooLarge("it is too large")
        yield part


def _plain(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    if encoding in ("", "identity"):
        return iter(chunks)
    if encoding in ("gzip", "x-gzip", "deflate"):
        return _inflated(chunks, is_gzip=encoding != "deflate")
    # Compressed twice, or in a way that we do not ask for and cannot limit.
    raise httpx.DecodingError("it is compressed in a way that we do not read")


def _inflated(chunks: Iterable[bytes], *, is_gzip: bool) -> Iterator[bytes]:
    inflater = None
    try:
        for chunk in chunks:
            if inflater is None:
                inflater = zlib.decompressobj(_GZIP if is_gzip else _deflate_window(chunk))
            waiting = chunk
            while waiting:
                if inflater.eof:
                    raise httpx.DecodingError("something follows the compressed body")
                # zlib stops at a full slice, and keeps what it did not look at yet.
                part = inflater.decompress(waiting, _SLICE)
                waiting = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
                if part:
                    yield part
        while inflater is not None and not inflater.eof:
            part = inflater.decompress(b"", _SLICE)
            if not part:
                raise httpx.DecodingError("the compressed body is cut off")
            yield part
    except zlib.error as error:
        raise httpx.DecodingError("the compressed body is damaged") from error


def _deflate_window(first: bytes) -> int:
    """Half the world sends `deflate` with zlib's header, as the standard says; the rest without."""
    is_header = int.from_bytes(first[:2], "big") % 31 == 0 and first[0] & 15 == 8
    return _ZLIB if len(first) > 1 and is_header else _RAW
