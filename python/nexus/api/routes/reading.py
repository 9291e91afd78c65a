"""How and where a person reads."""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.envelope import Envelope, success_response
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.schemas.reading import (
    PositionOut,
    PositionRequest,
    PreferencesOut,
    PreferencesRequest,
)
from nexus.services import reading

router = APIRouter(tags=["reading"])


@router.get("/me/preferences", response_model=Envelope[PreferencesOut | None])
def get_preferences(session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(reading.get_preferences(session, viewer))


@router.put("/me/preferences", response_model=Envelope[PreferencesOut])
def put_preferences(body: PreferencesRequest, session: SessionDep, viewer: ViewerDep) -> Response:
    return success_response(reading.put_preferences(session, viewer, request=body))


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
