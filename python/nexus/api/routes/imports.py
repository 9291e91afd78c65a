"""Files brought from elsewhere: a preview, then the import itself, which can be undone."""

from typing import Annotated
from uuid import UUID

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from nexus.api.deps import StorageDep, ViewerDep
from nexus.errors import InvalidRequestError
from nexus.http.account_places import AccountPlaces
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.received_file import received_file
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.schemas.imports import MAX_IMPORT_BYTES, ImportList, ImportOut, StartImportRequest
from nexus.services.imports import preview, read, report, states
from nexus.services.imports.undo import undo_import
from nexus.text import is_storable

router = APIRouter(prefix="/imports", tags=["imports"])

_FILE = {
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
}


def places() -> AccountPlaces:
    """Reading a file takes a process of its own: few at once, and one for each person."""
    return AccountPlaces(total=4, each=1, max_queued=3, max_wait=60)


@router.post(
    "",
    status_code=201,
    response_model=Envelope[ImportOut],
    responses=errors(429),
    openapi_extra={"requestBody": {"required": True, **_FILE}},
)
async def create_import(
    request: Request,
    session: SessionDep,
    viewer: ViewerDep,
    storage: StorageDep,
    name: Annotated[str, Query(min_length=1, max_length=1024, description="The file's name")],
) -> Response:
    """Read a file and say what is in it. Nothing is imported before it is started."""
    if not is_storable(name):
        raise InvalidRequestError("name: contains characters that cannot be stored")
    waiting: AccountPlaces = request.app.state.import_places
    async with (
        waiting.taken(str(viewer.user_id)),
        received_file(request, max_bytes=MAX_IMPORT_BYTES) as file,
    ):
        result = await run_sync(
            lambda: preview.create_preview(session, viewer, storage, file=file, name=name)
        )
    return success_response(result, 201)


@router.get("", response_model=Envelope[ImportList])
def list_imports(session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(read.list_imports(session, viewer))


@router.get("/{import_id}", response_model=Envelope[ImportOut], responses=errors(404))
def get_import(import_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(read.get_import(session, viewer, import_id=import_id))


@router.delete("/{import_id}", status_code=204, responses=errors(404, 409))
def forget_import(import_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    """Forget a preview, or the report of an import that is over. What was imported stays."""
    states.forget(session, viewer, import_id=import_id)
    return no_content()


@router.post(
    "/{import_id}/start",
    status_code=202,
    response_model=Envelope[ImportOut],
    responses=errors(404, 409),
)
def start_import(
    import_id: UUID,
    session: SessionDep,
    viewer: ViewerDep,
    body: StartImportRequest | None = None,
) -> Response:
    """Start an import, or let one that was stopped go on."""
    body = body or StartImportRequest()
    states.start(session, viewer, import_id=import_id, library_id=body.library_id, tags=body.tags)
    return success_response(read.get_import(session, viewer, import_id=import_id), 202)


@router.post("/{import_id}/stop", response_model=Envelope[ImportOut], responses=errors(404, 409))
def stop_import(import_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    states.stop(session, viewer, import_id=import_id)
    return success_response(read.get_import(session, viewer, import_id=import_id))


@router.post(
    "/{import_id}/undo",
    status_code=202,
    response_model=Envelope[ImportOut],
    responses=errors(404, 409),
)
def undo_stored_import(import_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    """Take back what the import added and nobody has touched since."""
    undo_import(session, viewer, import_id=import_id)
    return success_response(read.get_import(session, viewer, import_id=import_id), 202)


@router.get(
    "/{import_id}/report.csv",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/csv": {}}, "description": "Every line and what became of it"},
        **errors(404),
    },
)
def get_report(
    request: Request, import_id: UUID, session: ReadingSessionDep, viewer: ViewerDep
) -> Response:
    read.get_import(session, viewer, import_id=import_id)
    return StreamingResponse(
        report.report_lines(request.app.state.session_factory, import_id=import_id),
        media_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="nexus-import-{import_id}.csv"',
            "X-Content-Type-Options": "nosniff",
        },
    )
