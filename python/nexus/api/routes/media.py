"""Items: saving, reading, retrying, removing, and their live changes."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from nexus.api.deps import (
    DEFAULT_PAGE,
    CursorParam,
    LimitParam,
    StorageDep,
    TagsParam,
    ViewerDep,
)
from nexus.db.enums import MediaKind, ProcessingStatus, ReadingState
from nexus.http.envelope import AfterCommitResponse, Envelope, no_content, success_response
from nexus.http.event_stream import EventStream
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.logging import current_request_id
from nexus.schemas.media import (
    CreateMediaRequest,
    FileUrlOut,
    FragmentList,
    FromUrlRequest,
    FromUrlResponse,
    HoldingLibraries,
    IngestOut,
    MediaFromUrlOut,
    MediaFromUrlRequest,
    MediaList,
    MediaOut,
    OutlineOut,
    RetryOut,
    UploadInitRequest,
    UploadRequest,
    UploadTarget,
)
from nexus.schemas.shelf import MediaSort
from nexus.services import (
    document_read,
    media,
    media_create,
    media_list,
    media_read,
    media_removal,
    media_retry,
    upload,
)
from nexus.services.media_events import MediaEvents
from nexus.services.media_filter import MediaFilter

router = APIRouter(prefix="/media", tags=["media"])


@router.get("", response_model=Envelope[MediaList], responses=errors(404))
def list_media(
    session: ReadingSessionDep,
    viewer: ViewerDep,
    sort: MediaSort = MediaSort.NEWEST,
    kind: MediaKind | None = None,
    status: ProcessingStatus | None = None,
    state: ReadingState | None = None,
    archived: bool | None = None,
    favourite: bool | None = None,
    tag: TagsParam = None,
    library_id: UUID | None = None,
    cursor: CursorParam = None,
    limit: LimitParam = DEFAULT_PAGE,
) -> Response:
    """Items in the order of `sort`. A cursor continues a list of the same order and filters.

    What was never opened, has no title of its own yet or no known length comes last.
    """
    only = MediaFilter(
        kind=kind,
        status=status,
        state=state,
        archived=archived,
        favourite=favourite,
        tags=tuple(tag or ()),
        library_id=library_id,
    )
    result = media_list.list_media(
        session, viewer, sort=sort, only=only, cursor=cursor, limit=limit
    )
    return success_response(result)


@router.post(
    "",
    status_code=201,
    response_model=Envelope[UploadTarget | MediaFromUrlOut],
    responses={
        200: {"model": Envelope[MediaFromUrlOut], "description": "It was already there"},
    },
)
def create_media(
    body: CreateMediaRequest,
    session: SessionDep,
    viewer: ViewerDep,
    storage: StorageDep,
) -> Response:
    """One route for both ways to add an item: by its address, or as a file to upload."""
    if isinstance(body, UploadInitRequest):
        return init_upload(body, session, viewer, storage)
    return create_from_kind_and_url(body, session, viewer)


@router.post(
    "/url",
    status_code=201,
    response_model=Envelope[MediaFromUrlOut],
    responses={200: {"model": Envelope[MediaFromUrlOut], "description": "It was already there"}},
)
def create_from_kind_and_url(
    body: MediaFromUrlRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    result = media_create.create_from_url(session, viewer, kind=body.kind, url=body.url)
    return AfterCommitResponse(result, 201 if result.created else 200)


@router.post("/from_url", status_code=202, response_model=Envelope[FromUrlResponse])
def create_from_url(body: FromUrlRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    """Save a web page. A worker fetches it; this call returns at once."""
    result = media.enqueue_web_article_from_url(session, viewer, body.url, current_request_id())
    return AfterCommitResponse(result, 202)


@router.post("/upload/init", status_code=201, response_model=Envelope[UploadTarget])
def init_upload(
    body: UploadInitRequest, session: SessionDep, viewer: ViewerDep, storage: StorageDep
) -> Response:
    return success_response(upload.init_upload(session, viewer, storage, request=body), 201)


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "Changes as they happen"},
        **errors(429),
    },
)
async def stream_events(request: Request, viewer: ViewerDep) -> Response:
    events: MediaEvents = request.app.state.media_events
    return EventStream(lambda: events.subscription(viewer.user_id))


@router.get("/{media_id}", response_model=Envelope[MediaOut], responses=errors(404))
def get_media(media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(media_read.get_media(session, viewer, media_id=media_id))


@router.delete("/{media_id}", status_code=204, responses=errors(404))
def delete_media(media_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    media_removal.remove_media(session, viewer, media_id=media_id)
    return no_content()


@router.post("/{media_id}/restore", response_model=Envelope[MediaOut], responses=errors(404))
def restore_media(media_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    """Undo a removal, for as long as the app offers to."""
    return success_response(media_removal.restore_media(session, viewer, media_id=media_id))


@router.get("/{media_id}/fragments", response_model=Envelope[FragmentList], responses=errors(404))
def list_fragments(
    media_id: UUID,
    session: ReadingSessionDep,
    viewer: ViewerDep,
    limit: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """The text: all of it, or so many of its parts, for those who need only the first."""
    found = document_read.list_fragments(session, viewer, media_id=media_id, limit=limit)
    return success_response(found)


@router.get("/{media_id}/outline", response_model=Envelope[OutlineOut], responses=errors(404))
def get_outline(media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    """The parts of an item and its table of contents, to load a long one piece by piece."""
    return success_response(document_read.get_outline(session, viewer, media_id=media_id))


@router.get(
    "/{media_id}/libraries", response_model=Envelope[HoldingLibraries], responses=errors(404)
)
def list_holding_libraries(
    media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep
) -> Response:
    return success_response(media_read.list_holding_libraries(session, viewer, media_id=media_id))


@router.get("/{media_id}/file", response_model=Envelope[FileUrlOut], responses=errors(404))
def get_file(
    media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep, storage: StorageDep
) -> Response:
    return success_response(media_read.get_file_url(session, viewer, storage, media_id=media_id))


@router.post("/{media_id}/retry", response_model=Envelope[RetryOut], responses=errors(404, 409))
def retry_media(media_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    return AfterCommitResponse(media_retry.retry(session, viewer, media_id=media_id))


@router.post("/{media_id}/ingest", response_model=Envelope[IngestOut], responses=errors(404, 409))
def ingest_media(
    media_id: UUID, session: SessionDep, viewer: ViewerDep, storage: StorageDep
) -> Response:
    """The upload is complete: check the file and process it."""
    return AfterCommitResponse(upload.confirm_upload(session, viewer, storage, media_id=media_id))


@router.post(
    "/{media_id}/upload", response_model=Envelope[UploadTarget], responses=errors(404, 409)
)
def renew_upload(
    media_id: UUID,
    body: UploadRequest,
    session: SessionDep,
    viewer: ViewerDep,
    storage: StorageDep,
) -> Response:
    """A new place to send the file to, after a retry."""
    result = upload.renew_upload(session, viewer, storage, media_id=media_id, request=body)
    return success_response(result)
