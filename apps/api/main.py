"""Entry point: `uvicorn apps.api.main:app`."""

import nexus.tasks  # noqa: F401 - importing registers the tasks, which eager mode runs here
from nexus.api.app import create_app
from nexus.config import get_settings
from nexus.logging import configure_logging

configure_logging(get_settings(), service="api")
app = create_app()
