"""Entry point: `uvicorn apps.bff.main:app`."""

from nexus.bff.app import create_app

app = create_app()
