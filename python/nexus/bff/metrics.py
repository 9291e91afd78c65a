"""`/metrics` at the front: its own counters, followed by what the API answers."""

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from nexus.bff.deps import SettingsDep
from nexus.bff.proxy import ask_for_ourselves
from nexus.metrics.access import require_metrics_reader

router = APIRouter()

_TIMEOUT_SECONDS = 8.0


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, settings: SettingsDep) -> Response:
    require_metrics_reader(request, settings)
    own = generate_latest(request.app.state.metrics_registry)
    behind = await ask_for_ourselves(request, "/metrics", timeout=_TIMEOUT_SECONDS)
    # The names of the two differ, so the texts may simply follow each other.
    up = "# HELP nexus_api_up 1 when the API answers, else 0.\n# TYPE nexus_api_up gauge\n"
    up += f"nexus_api_up {0 if behind is None else 1}\n"
    return Response(own + up.encode() + (behind or b""), media_type=CONTENT_TYPE_LATEST)
