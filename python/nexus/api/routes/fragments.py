"""The parts of items, one at a time."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.conditional import revalidated
from nexus.http.envelope import Envelope
from nexus.http.openapi import NOT_MODIFIED, errors
from nexus.http.session import ReadingSessionDep
from nexus.schemas.media import FragmentOut
from nexus.services import document_read

router = APIRouter(prefix="/fragments", tags=["media"])


@router.get(
    "/{fragment_id}",
    response_model=Envelope[FragmentOut],
    responses={**NOT_MODIFIED, **errors(404)},
)
def get_fragment(
    request: Request, fragment_id: UUID, session: ReadingSessionDep, viewer: ViewerDep
) -> Response:
    fragment = document_read.get_fragment(session, viewer, fragment_id=fragment_id)
    return revalidated(request, fragment)
