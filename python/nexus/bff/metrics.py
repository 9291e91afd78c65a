"""`/metrics` of the BFF: its own counters, followed by those of the API."""

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
    # No metric is in both, so the two texts can simply be concatenated.
    up = "# HELP nexus_api_up 1 if the API responds, else 0.\n# TYPE nexus_api_up gauge\n"
    up += f"nexus_api_up {0 if behind is None else 1}\n"
    return Response(own + up.encode() + (behind or b""), media_type=CONTENT_TYPE_LATEST)
