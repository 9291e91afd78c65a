"""Entry point: `uvicorn apps.api.main:app`."""

from nexus.api.app import create_app

app = create_app()
