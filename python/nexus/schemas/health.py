"""Health, as API and BFF tell it."""

from nexus.schemas.base import ResponseModel
from nexus.version import VERSION


class HealthOut(ResponseModel):
    status: str = "ok"
    version: str = VERSION
