"""A request body that is a file: streamed to the disk, never held in memory."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO

from anyio.to_thread import run_sync
from fastapi import Request
from starlette.requests import ClientDisconnect

from nexus.disk import is_disk_full
from nexus.errors import ApiError, StorageFullError, TooLargeError

# A client that sends nothing for this long is gone; one that trickles is cut off after an hour.
_IDLE_SECONDS = 60.0
_UPLOAD_SECONDS = 3600.0
_MIB = 1024 * 1024


@asynccontextmanager
async def received_file(request: Request, *, max_bytes: int) -> AsyncIterator[BinaryIO]:
    """The body as an open file, which is gone when the block ends."""
    refuse_announced(request, max_bytes=max_bytes)
    with tempfile.TemporaryFile() as file:
        await _receive(request, file, max_bytes)
        yield file


def refuse_announced(request: Request, *, max_bytes: int) -> None:
    """Before anything is received: what says that it is too large is refused."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdigit() or int(announced) > max_bytes:
        raise _too_large(max_bytes)


async def _receive(request: Request, file: BinaryIO, max_bytes: int) -> None:
    chunks, size = aiter(request.stream()), 0
    try:
        async with asyncio.timeout(_UPLOAD_SECONDS):
            while True:
                async with asyncio.timeout(_IDLE_SECONDS):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    return
                size += len(chunk)
                if size > max_bytes:
                    raise _too_large(max_bytes)
                # One at a time: a fast client waits for a slow disk instead of filling memory.
                await run_sync(file.write, chunk)
    except (TimeoutError, ClientDisconnect) as error:
        raise upload_incomplete() from error
    except OSError as error:
        raise StorageFullError if is_disk_full(error) else error from error


def upload_incomplete() -> ApiError:
    message = "The upload was interrupted. Try again."
    return ApiError("E_UPLOAD_INCOMPLETE", message, status=400)


def _too_large(max_bytes: int) -> TooLargeError:
    return TooLargeError(
        f"The file is larger than {max_bytes // _MIB} MiB. Split it and import the parts.",
        code="E_FILE_TOO_LARGE",
    )
