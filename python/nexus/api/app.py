"""The API: FastAPI with bearer tokens; browsers never talk to it directly."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from nexus.api.limits import limits
from nexus.api.routes import (
    exports,
    fragments,
    health,
    highlights,
    images,
    imports,
    libraries,
    me,
    media,
    metrics,
    reading,
    search,
    shelf,
    tags,
    unplaced,
)
from nexus.auth.tokens import Authenticator
from nexus.config import Settings, get_settings
from nexus.db.session import database_url, get_reading_session_factory, get_request_session_factory
from nexus.http.body_limit import BodyLimitMiddleware
from nexus.http.error_handlers import install_error_handlers
from nexus.http.internal import InternalOnlyMiddleware
from nexus.http.long_lived import tune_process
from nexus.http.openapi import document_errors, document_limits, errors
from nexus.http.request_context import RequestContextMiddleware
from nexus.metrics.requests import RequestMetrics, RequestMetricsMiddleware
from nexus.services.images.proxy import create_image_cache
from nexus.services.installation_metrics import InstallationCollector
from nexus.services.media_events import MediaEvents
from nexus.services.storage_limits import warn_of_storage_problems
from nexus.services.viewer import KnownViewers

# They are tried in this order: those that are asked most come first.
_ROUTERS = (
    highlights.router,
    fragments.router,
    # Before the items: "image" and "bulk" are not ids of any.
    images.router,
    shelf.router,
    media.router,
    search.router,
    reading.router,
    me.router,
    libraries.router,
    tags.router,
    unplaced.router,
    imports.router,
    exports.router,
    health.router,
    metrics.router,
)


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:
    tune_process()
    if app.state.settings.storage != "local":
        warn_of_storage_problems(app.state.settings)
    async with app.state.media_events.running():
        yield


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or get_settings()
    app = FastAPI(
        title="Nexus API",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=_running,
        redirect_slashes=False,
        responses=errors(400, 401, 403, 413, 503, 507),
    )
    app.state.settings = settings
    app.state.session_factory = get_request_session_factory()
    app.state.reading_session_factory = get_reading_session_factory()
    app.state.known_viewers = KnownViewers()
    app.state.media_events = MediaEvents(database_url(), app.state.session_factory)
    app.state.image_cache = create_image_cache(settings)
    app.state.image_places = images.places()
    app.state.import_places = imports.places()
    app.state.authenticator = Authenticator.from_settings(settings)
    app.state.metrics_registry = CollectorRegistry()
    app.state.metrics_registry.register(InstallationCollector(settings, app.state.session_factory))
    for router in _ROUTERS:
        app.include_router(router)
    install_error_handlers(app)
    document_errors(app)
    document_limits(app, limits())
    # The last one added runs first: every request gets its id, then the gate, then the limit.
    app.add_middleware(BodyLimitMiddleware, file_paths=frozenset({"/imports"}))
    if settings.internal_secret:
        secret = settings.internal_secret.get_secret_value()
        app.add_middleware(InternalOnlyMiddleware, secret=secret)
    app.add_middleware(
        RequestMetricsMiddleware, metrics=RequestMetrics("api", app.state.metrics_registry)
    )
    app.add_middleware(RequestContextMiddleware)
    return app
