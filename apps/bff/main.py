"""Entry point: `uvicorn apps.bff.main:app`."""

from nexus.bff.app import create_app
from nexus.config import get_settings
from nexus.logging import configure_logging

configure_logging(get_settings(), service="bff")
app = create_app()
