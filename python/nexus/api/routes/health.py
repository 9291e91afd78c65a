"""Is this process alive, and can it do its work?"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from nexus.http.envelope import success_response
from nexus.http.openapi import errors
from nexus.services import health
from nexus.version import VERSION

router = APIRouter(tags=["health"])


@router.get("/healthz")
def healthz() -> Response:
    return success_response({"status": "ok", "version": VERSION})


@router.get("/readyz", responses=errors(503))
def readyz(request: Request) -> Response:
    state = request.app.state
    health.require_ready(state.session_factory, settings=state.settings)
    return success_response({"status": "ok"})
