"""Pictures of texts: of articles through the image proxy, of books from storage."""

import os
from typing import Annotated
from uuid import UUID

import anyio
import anyio.to_thread
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from nexus.api.deps import IdentityDep, StorageDep, ViewerDep
from nexus.egress.url_parse import MAX_URL_LENGTH
from nexus.http.account_places import AccountPlaces
from nexus.http.conditional import is_unchanged
from nexus.http.openapi import NOT_MODIFIED, errors
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.http.stored_bytes import OpenFileResponse
from nexus.services.images import pictures, proxy

router = APIRouter(tags=["images"])

# Slow sites can tie up these threads but no others, and one reader only some of them.
_THREADS = 16
_limiter = anyio.CapacityLimiter(_THREADS)

_HEADERS = {
    "Cache-Control": "private, max-age=86400",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}


def places() -> AccountPlaces:
    """How many images may be fetched at once, in all and per account."""
    return AccountPlaces(total=_THREADS, each=4, reserved=4, max_queued=100, max_wait=20)


@router.get(
    "/media/image",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"image/*": {}}, "description": "The image"},
        **NOT_MODIFIED,
        **errors(415, 429, 502, 504),
    },
)
async def get_image(
    request: Request,
    session: SessionDep,
    identity: IdentityDep,
    url: Annotated[str, Query(max_length=4 * MAX_URL_LENGTH)],
) -> Response:
    state = request.app.state
    async with state.image_places.taken(str(identity.user_id)):
        image, file = await anyio.to_thread.run_sync(
            lambda: proxy.serve_image(session, state.settings, state.image_cache, url=url),
            limiter=_limiter,
        )
    etag = f'"{image.sha256}"'
    headers = {**_HEADERS, "ETag": etag}
    if is_unchanged(request, etag):
        file.close()
        return Response(status_code=304, headers=headers)
    length = os.fstat(file.fileno()).st_size
    headers |= {"Content-Length": str(length), "Content-Type": image.form.content_type}
    return OpenFileResponse(file, length, status_code=200, headers=headers)


@router.get(
    "/media/{media_id}/pictures/{name}",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"image/*": {}}, "description": "The picture"},
        **NOT_MODIFIED,
        **errors(404),
    },
)
def get_picture(
    media_id: UUID,
    name: Annotated[str, Path(max_length=80)],
    request: Request,
    session: ReadingSessionDep,
    viewer: ViewerDep,
    storage: StorageDep,
) -> Response:
    """A picture that is stored with the text of an item."""
    picture = pictures.find_picture(session, viewer, media_id=media_id, name=name)
    etag = f'"{picture.name}"'
    headers = {**_HEADERS, "ETag": etag}
    if is_unchanged(request, etag):
        return Response(status_code=304, headers=headers)
    chunks = pictures.open_picture(storage, picture)
    headers |= {"Content-Length": str(picture.size_bytes), "Content-Type": picture.content_type}
    return StreamingResponse(chunks, headers=headers)
