"""The byte-serving side of local storage: PUT, GET and HEAD below /storage, by signed URL only."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from typing import BinaryIO

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from nexus.config import Settings
from nexus.errors import ApiError, StorageFullError
from nexus.http.conditional import is_unchanged
from nexus.storage.errors import (
    ObjectExists,
    ObjectNotFound,
    SignatureExpired,
    SignatureInvalid,
    StorageError,
    StorageFull,
    UploadIncomplete,
    UploadTooLarge,
)
from nexus.storage.filenames import content_disposition
from nexus.storage.local import URL_PREFIX, LocalStorage, PendingUpload
from nexus.storage.paths import content_type_of
from nexus.storage.protocol import CHUNK_BYTES
from nexus.storage.ranges import ByteRange, RangeNotSatisfiable, parse_range

# A client that sends nothing for this long is gone; one that trickles is cut off after an hour.
IDLE_SECONDS = 60.0
UPLOAD_SECONDS = 3600.0

# Stored files are untrusted: never rendered, never sniffed, never kept in a shared cache.
_SAFE_HEADERS = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

_API_ERRORS: dict[type[StorageError], tuple[int, str, str]] = {
    SignatureInvalid: (403, "E_SIGNATURE_INVALID", "This link is not valid. Request a new one."),
    SignatureExpired: (403, "E_SIGNATURE_EXPIRED", "This link has expired. Request a new one."),
    UploadTooLarge: (
        413,
        "E_FILE_TOO_LARGE",
        "The file is larger than announced. Start the upload again.",
    ),
    UploadIncomplete: (
        400,
        "E_UPLOAD_INCOMPLETE",
        "The upload was interrupted. Try again.",
    ),
    ObjectExists: (
        409,
        "E_UPLOAD_CONFLICT",
        "Another file was already uploaded here. Start the upload again.",
    ),
    ObjectNotFound: (404, "E_NOT_FOUND", "This file is no longer stored here."),
}
_UNAVAILABLE = (
    503,
    "E_UNAVAILABLE",
    "The file could not be stored or read right now. Try again in a moment.",
)


def storage_router(
    settings: Settings,
    *,
    idle_seconds: float = IDLE_SECONDS,
    upload_seconds: float = UPLOAD_SECONDS,
) -> APIRouter:
    """The routes below /storage, for the process that faces the browser."""
    storage = LocalStorage.from_settings(settings)
    router = APIRouter(prefix=URL_PREFIX, include_in_schema=False)

    @router.put("/{path:path}", status_code=204)
    async def upload(path: str, request: Request) -> Response:
        with _api_errors():
            size = _granted_size(storage, path, request)
            with storage.pending_upload(path, size) as pending:
                await _receive(request, pending, idle_seconds, upload_seconds)
                await run_sync(pending.commit)
        return Response(status_code=204)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def download(path: str, request: Request) -> Response:
        with _api_errors():
            grant = storage.verify_download(path, _query(request))
            file = await run_sync(storage.open_object, path)
        return _object_response(request, file, path, grant.filename)

    return router


def _granted_size(storage: LocalStorage, path: str, request: Request) -> int:
    grant = storage.verify_upload(path, _query(request))
    if request.headers.get("content-type", "").strip().lower() != grant.content_type:
        raise SignatureInvalid("another content type was signed")
    announced = request.headers.get("content-length")
    if announced is not None and int(announced) != grant.size_bytes:
        raise UploadTooLarge if int(announced) > grant.size_bytes else UploadIncomplete
    return grant.size_bytes


async def _receive(
    request: Request, pending: PendingUpload, idle_seconds: float, upload_seconds: float
) -> None:
    chunks = aiter(request.stream())
    try:
        async with asyncio.timeout(upload_seconds):
            while True:
                async with asyncio.timeout(idle_seconds):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    return
                # In a thread, and one at a time: the disk never blocks the loop, and a fast
                # client waits for a slow disk instead of filling memory.
                await run_sync(pending.write, chunk)
    except (TimeoutError, ClientDisconnect) as error:
        raise UploadIncomplete("the client stopped sending") from error


def _object_response(request: Request, file: BinaryIO, path: str, filename: str) -> Response:
    info = os.fstat(file.fileno())
    headers = {
        **_SAFE_HEADERS,
        "Content-Disposition": content_disposition(filename),
        "Content-Type": content_type_of(path),
        "ETag": f'"{info.st_mtime_ns:x}-{info.st_size:x}"',
        "Last-Modified": formatdate(info.st_mtime, usegmt=True),
    }
    if is_unchanged(request, headers["ETag"]):
        file.close()
        return Response(status_code=304, headers=headers)
    try:
        chosen = _chosen_range(request, headers, info.st_size)
    except RangeNotSatisfiable:
        file.close()
        raise ApiError(
            "E_RANGE_NOT_SATISFIABLE",
            "The requested range is not in the file.",
            status=416,
            headers={"Content-Range": f"bytes */{info.st_size}"},
        ) from None
    if chosen:
        headers["Content-Range"] = f"bytes {chosen.first}-{chosen.last}/{info.st_size}"
        file.seek(chosen.first)
    length = chosen.length if chosen else info.st_size
    headers["Content-Length"] = str(length)
    if request.method == "HEAD":
        file.close()
        return Response(headers=headers)
    return OpenFileResponse(file, length, status_code=206 if chosen else 200, headers=headers)


def _chosen_range(request: Request, headers: dict[str, str], size: int) -> ByteRange | None:
    condition = request.headers.get("if-range")
    if request.method == "HEAD":  # RFC 9110 defines ranges for GET alone
        return None
    if condition is not None and condition not in (headers["ETag"], headers["Last-Modified"]):
        return None
    return parse_range(request.headers.get("range"), size)


class OpenFileResponse(StreamingResponse):
    """Streams an open file, so that a deletion or a new upload meanwhile changes nothing."""

    def __init__(
        self, file: BinaryIO, length: int, *, status_code: int, headers: dict[str, str]
    ) -> None:
        super().__init__(_chunks(file, length), status_code=status_code, headers=headers)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


async def _chunks(file: BinaryIO, length: int) -> AsyncIterator[bytes]:
    while length > 0:
        chunk = await run_sync(file.read, min(CHUNK_BYTES, length))
        if not chunk:
            raise OSError("the stored file became shorter while it was read")
        length -= len(chunk)
        yield chunk


def _query(request: Request) -> str:
    raw: bytes = request.scope["query_string"]
    return raw.decode("latin-1")


@contextmanager
def _api_errors() -> Iterator[None]:
    try:
        yield
    except StorageFull as error:
        raise StorageFullError from error
    except StorageError as error:
        status, code, message = _API_ERRORS.get(type(error), _UNAVAILABLE)
        raise ApiError(code, message, status=status) from error
