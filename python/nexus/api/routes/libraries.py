"""Libraries and what they hold."""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from nexus.api.deps import DEFAULT_PAGE, CursorParam, LimitParam, ViewerDep
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.schemas.libraries import (
    AddMediaRequest,
    LibraryList,
    LibraryMediaOut,
    LibraryNameRequest,
    LibraryOut,
)
from nexus.schemas.media import MediaList
from nexus.schemas.shelf import AddedOut, MediaIdsRequest
from nexus.services import libraries, library_media, media_list
from nexus.services.media_filter import MediaFilter

router = APIRouter(prefix="/libraries", tags=["libraries"])


@router.get("", response_model=Envelope[LibraryList])
def list_libraries(
    session: ReadingSessionDep,
    viewer: ViewerDep,
    cursor: CursorParam = None,
    limit: LimitParam = DEFAULT_PAGE,
) -> Response:
    result = libraries.list_libraries(session, viewer, cursor=cursor, limit=limit)
    return success_response(result)


@router.post("", status_code=201, response_model=Envelope[LibraryOut])
def create_library(body: LibraryNameRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    return success_response(libraries.create_library(session, viewer, name=body.name), 201)


@router.get("/{library_id}", response_model=Envelope[LibraryOut], responses=errors(404))
def get_library(library_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(libraries.get_library(session, viewer, library_id=library_id))


@router.patch("/{library_id}", response_model=Envelope[LibraryOut], responses=errors(404))
def rename_library(
    library_id: UUID, body: LibraryNameRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    result = libraries.rename_library(session, viewer, library_id=library_id, name=body.name)
    return success_response(result)


@router.delete("/{library_id}", status_code=204, responses=errors(404))
def delete_library(library_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    libraries.delete_library(session, viewer, library_id=library_id)
    return no_content()


@router.get("/{library_id}/media", response_model=Envelope[MediaList], responses=errors(404))
def list_library_media(
    library_id: UUID,
    session: ReadingSessionDep,
    viewer: ViewerDep,
    cursor: CursorParam = None,
    limit: LimitParam = DEFAULT_PAGE,
) -> Response:
    only = MediaFilter(library_id=library_id)
    result = media_list.list_media(session, viewer, only=only, cursor=cursor, limit=limit)
    return success_response(result)


@router.post(
    "/{library_id}/media",
    status_code=201,
    response_model=Envelope[LibraryMediaOut],
    responses={
        200: {"model": Envelope[LibraryMediaOut], "description": "It was already there"},
        **errors(404),
    },
)
def add_media(
    library_id: UUID, body: AddMediaRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    result, added = library_media.add_media_to_library(
        session, viewer, library_id=library_id, media_id=body.media_id
    )
    return success_response(result, 201 if added else 200)


@router.post("/{library_id}/media/bulk", response_model=Envelope[AddedOut], responses=errors(404))
def add_many(
    library_id: UUID, body: MediaIdsRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    """Put several items into a library: all of them, or none if one cannot be read."""
    added = library_media.add_many_to_library(
        session, viewer, library_id=library_id, media_ids=body.media_ids
    )
    return success_response(AddedOut(added=added))


@router.delete("/{library_id}/media/{media_id}", status_code=204, responses=errors(404))
def remove_media(
    library_id: UUID, media_id: UUID, session: SessionDep, viewer: ViewerDep
) -> Response:
    library_media.remove_media_from_library(
        session, viewer, library_id=library_id, media_id=media_id
    )
    return no_content()
