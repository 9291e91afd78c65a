"""Highlights from elsewhere that have no place in the text yet."""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.schemas.highlights import HighlightOut
from nexus.schemas.unplaced import PlaceHighlightRequest, UnplacedList, UnplacedOut
from nexus.services import unplaced, unplaced_write

router = APIRouter(tags=["unplaced"])


@router.get(
    "/media/{media_id}/unplaced", response_model=Envelope[UnplacedList], responses=errors(404)
)
def list_unplaced(media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    """What waits for its place in this item, or was not found in its text."""
    return success_response(unplaced.list_unplaced(session, viewer, media_id=media_id))


@router.post(
    "/unplaced/{unplaced_id}/place",
    status_code=201,
    response_model=Envelope[HighlightOut],
    responses={
        200: {"model": Envelope[HighlightOut], "description": "It was there already"},
        **errors(404, 409),
    },
)
def place_unplaced(
    unplaced_id: UUID, body: PlaceHighlightRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    """Make it a highlight of the passage that the person chose, with its own dates and note.

    If they highlighted exactly this passage before, that highlight gets the note: 200.
    """
    result, created = unplaced_write.place_by_hand(
        session, viewer, unplaced_id=unplaced_id, request=body
    )
    return success_response(result, 201 if created else 200)


@router.delete("/unplaced/{unplaced_id}", status_code=204, responses=errors(404))
def delete_unplaced(unplaced_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    unplaced.delete_unplaced(session, viewer, unplaced_id=unplaced_id)
    return no_content()


@router.post(
    "/unplaced/{unplaced_id}/restore",
    response_model=Envelope[UnplacedOut],
    responses=errors(404),
)
def restore_unplaced(unplaced_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    """Undo a deletion made moments ago."""
    result = unplaced.restore_unplaced(session, viewer, unplaced_id=unplaced_id)
    return success_response(result)
