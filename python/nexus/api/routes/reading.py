"""How and where a person reads."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from nexus.api.deps import StorageDep, ViewerDep
from nexus.http.conditional import revalidated
from nexus.http.envelope import Envelope, success_response
from nexus.http.openapi import NOT_MODIFIED, errors
from nexus.http.session import ReadingSessionDep, SessionDep, TransactionRoute
from nexus.schemas.opening import OpeningOut
from nexus.schemas.reading import (
    PositionOut,
    PositionRequest,
    PreferencesOut,
    PreferencesRequest,
)
from nexus.services import opening, reading

router = APIRouter(tags=["reading"], route_class=TransactionRoute)


@router.get("/me/preferences", response_model=Envelope[PreferencesOut | None])
def get_preferences(session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(reading.get_preferences(session, viewer))


@router.put("/me/preferences", response_model=Envelope[PreferencesOut])
def put_preferences(body: PreferencesRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    return success_response(reading.put_preferences(session, viewer, request=body))


@router.get(
    "/media/{media_id}/reading",
    response_model=Envelope[OpeningOut],
    responses={**NOT_MODIFIED, **errors(404)},
)
def open_media(
    request: Request,
    media_id: UUID,
    session: ReadingSessionDep,
    viewer: ViewerDep,
    storage: StorageDep,
    text: bool = True,
) -> Response:
    """All that is needed to open an item, in one response.

    Without the text for those who have it: a fragment never changes.
    """
    found = opening.open_media(session, viewer, storage, media_id=media_id, text=text)
    return revalidated(request, found)


@router.get(
    "/media/{media_id}/position",
    response_model=Envelope[PositionOut | None],
    responses=errors(404),
)
def get_position(media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(reading.get_position(session, viewer, media_id=media_id))


@router.put(
    "/media/{media_id}/position", response_model=Envelope[PositionOut], responses=errors(404)
)
def put_position(
    media_id: UUID, body: PositionRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    result = reading.put_position(session, viewer, media_id=media_id, request=body)
    return success_response(result)
