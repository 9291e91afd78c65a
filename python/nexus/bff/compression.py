"""Smaller JSON for slow connections.

The size of a compressed response can tell an observer of the network what is in it, to one who can
make a browser send request after request (BREACH). So only our own pages get it: what another site
asks for is sent as it is. See docs/decisions/0054.
"""

import zlib
from collections.abc import AsyncIterator

from starlette.datastructures import Headers

from nexus.http.encodings import accepts

# Less than a packet holds saves nothing; much more would take the processor from others.
_WORTH_IT = range(1_400, 8 * 1024 * 1024)
# A third faster than the default level, for 1 % more bytes.
_LEVEL = 5
_GZIP_FORMAT = 31


def may_compress(request: Headers, response: Headers, *, https: bool) -> bool:
    """Whether a response of the API is sent compressed."""
    # Browsers say this of themselves, to secure addresses only; on others all can be read anyway.
    asked_by_us = request.get("sec-fetch-site", "none" if https else "same-origin") == "same-origin"
    length = response.get("content-length", "")
    return (
        asked_by_us
        and accepts(request, "gzip")
        and response.get("content-type", "").startswith("application/json")
        and "content-encoding" not in response
        and length.isdigit()
        and int(length) in _WORTH_IT
    )


def compressed_headers(response: dict[str, str]) -> dict[str, str]:
    """The headers of a response whose body is compressed on its way."""
    kept = {name: value for name, value in response.items() if name != "content-length"}
    return {**kept, "content-encoding": "gzip", "vary": "Accept-Encoding"}


async def compressed(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A body as it comes, piece by piece: no piece holds up other requests for long."""
    compressor = zlib.compressobj(_LEVEL, wbits=_GZIP_FORMAT)
    async for piece in body:
        if smaller := compressor.compress(piece):
            yield smaller
    yield compressor.flush()
