"""Entry point: `uvicorn apps.api.main:app`."""

from nexus.api.app import create_app
from nexus.config import get_settings
from nexus.logging import configure_logging

configure_logging(get_settings(), service="api")
app = create_app()
