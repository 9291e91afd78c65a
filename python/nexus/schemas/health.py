"""The response of `/healthz`, for the API and the BFF."""

from nexus.schemas.base import ResponseModel
from nexus.version import VERSION


class HealthOut(ResponseModel):
    status: str = "ok"
    version: str = VERSION
