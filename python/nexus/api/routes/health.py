"""Is this process alive, and can it do its work?"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from nexus.http.envelope import Envelope, success_response
from nexus.http.openapi import errors
from nexus.schemas.health import HealthOut
from nexus.services import health

router = APIRouter(tags=["health"])


@router.get("/healthz", response_model=Envelope[HealthOut])
def healthz() -> Response:
    return success_response(HealthOut())


@router.get("/readyz", responses=errors(503))
def readyz(request: Request) -> Response:
    state = request.app.state
    health.require_ready(state.session_factory, settings=state.settings)
    return success_response({"status": "ok"})
