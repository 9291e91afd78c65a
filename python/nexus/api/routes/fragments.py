"""The parts of items, one at a time."""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.envelope import Envelope, success_response
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep
from nexus.schemas.media import FragmentOut
from nexus.services import document_read

router = APIRouter(prefix="/fragments", tags=["media"])


@router.get("/{fragment_id}", response_model=Envelope[FragmentOut], responses=errors(404))
def get_fragment(fragment_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(document_read.get_fragment(session, viewer, fragment_id=fragment_id))
