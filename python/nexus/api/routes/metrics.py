"""The API's metrics and those of the whole installation, for the BFF and for Prometheus."""

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from nexus.errors import NotFoundError

router = APIRouter(tags=["health"])


@router.get("/metrics", include_in_schema=False)
def metrics(request: Request) -> Response:
    # Behind the internal gate. What the BFF forwards for a person always carries a bearer token.
    if "authorization" in request.headers:
        raise NotFoundError("There is nothing at this address.")
    registry = request.app.state.metrics_registry
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
