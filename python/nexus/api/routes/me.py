"""Who am I."""

from fastapi import APIRouter
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.envelope import Envelope, success_response
from nexus.http.session import ReadingSessionDep
from nexus.schemas.users import MeOut
from nexus.services import users

router = APIRouter(tags=["me"])


@router.get("/me", response_model=Envelope[MeOut])
def get_me(session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(users.get_me(session, viewer))
