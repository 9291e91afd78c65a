"""Exports: what one person has, streamed as a file."""

import threading

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from nexus.api.deps import StorageDep, ViewerDep
from nexus.errors import UnavailableError
from nexus.export.formats import FORMATS
from nexus.export.render import DEFAULT_TEMPLATE
from nexus.export.run import start_export
from nexus.http.envelope import Envelope, success_response
from nexus.http.openapi import errors
from nexus.http.session_stream import session_stream
from nexus.schemas.exports import ExportRequest, TemplateOut
from nexus.storage.filenames import content_disposition

router = APIRouter(prefix="/exports", tags=["exports"])

# Each holds a connection to the database while it is sent.
_AT_ONCE = 8
_turns = threading.BoundedSemaphore(_AT_ONCE)


@router.post(
    "",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {one.content_type.partition(";")[0]: {} for one in FORMATS.values()},
            "description": "The file, as an attachment. `X-Nexus-Items` is how many items it has.",
        },
        **errors(404, 409),
    },
)
def create_export(
    body: ExportRequest, request: Request, viewer: ViewerDep, storage: StorageDep
) -> Response:
    """Write what the viewer has, as it is now, into a file.

    If it cannot be finished, the connection breaks: a response that ends as it should is whole.
    """
    with session_stream(request) as stream:
        if not _turns.acquire(blocking=False):
            raise UnavailableError("Too many exports are being written. Try again in a moment.")
        stream.at_end(_turns.release)
        export = start_export(
            stream.session,
            viewer,
            storage,
            format=body.format,
            media_ids=body.media_ids,
            template=body.template,
        )
        stream.at_end(export.close)
        headers = {
            "Content-Disposition": content_disposition(export.filename),
            "Content-Type": export.content_type,
            "Cache-Control": "no-store",
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "X-Content-Type-Options": "nosniff",
            "X-Nexus-Items": str(export.job.selection.total),
        }
        return stream.response(export.chunks, headers)


@router.get("/template", response_model=Envelope[TemplateOut])
def get_default_template(viewer: ViewerDep) -> Response:  # noqa: ARG001
    """The template by which Markdown is written, to begin a template of one's own with."""
    return success_response(TemplateOut(template=DEFAULT_TEMPLATE))
