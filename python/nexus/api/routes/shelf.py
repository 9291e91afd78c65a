"""What a person makes of their items, one by one and in bulk."""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.session import SessionDep
from nexus.schemas.media import MediaOut
from nexus.schemas.shelf import BulkMineRequest, MediaIdsRequest, MediaItems, MineRequest
from nexus.services import media_removal, shelf

router = APIRouter(prefix="/media", tags=["shelf"])


@router.patch("/bulk/mine", response_model=Envelope[MediaItems], responses=errors(404, 409))
def change_many(body: BulkMineRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    """Change your own state and tags of several items: all of them, or none if one is not there."""
    return success_response(shelf.change_many(session, viewer, request=body))


@router.post("/bulk/remove", status_code=204, responses=errors(404))
def remove_many(body: MediaIdsRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    """Remove several items: all of them, or none. For a moment it can be undone."""
    media_removal.remove_many(session, viewer, media_ids=body.media_ids)
    return no_content()


@router.post("/bulk/restore", response_model=Envelope[MediaItems], responses=errors(404))
def restore_many(body: MediaIdsRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    """Undo the removal of several items: all of them, or none."""
    result = media_removal.restore_many(session, viewer, media_ids=body.media_ids)
    return success_response(result)


@router.patch("/{media_id}/mine", response_model=Envelope[MediaOut], responses=errors(404, 409))
def change_mine(
    media_id: UUID, body: MineRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    """Change your own reading state, archive, favourite and tags of an item."""
    result = shelf.change_mine(session, viewer, media_id=media_id, request=body)
    return success_response(result)


@router.post("/{media_id}/opened", status_code=204, responses=errors(404))
def mark_opened(media_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    """You opened the item just now."""
    shelf.mark_opened(session, viewer, media_id=media_id)
    return no_content()
