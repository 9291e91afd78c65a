"""The BFF: serves the web app, owns sessions, and is the only caller of the API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from prometheus_client import CollectorRegistry
from starlette.responses import Response

from nexus.auth.tokens import LocalTokens
from nexus.bff import metrics, proxy, routes_auth
from nexus.bff.addresses import OwnAddresses
from nexus.bff.csrf import OwnSiteMiddleware
from nexus.bff.headers import SecurityHeadersMiddleware
from nexus.bff.lanes import open_lanes
from nexus.bff.rate_limit import AuthLimiter
from nexus.bff.request_rate import RequestRate
from nexus.bff.web_app import mount_web_app
from nexus.config import Settings, SettingsError, get_settings
from nexus.db.session import get_request_session_factory
from nexus.errors import UnavailableError
from nexus.http.body_limit import BodyLimitMiddleware
from nexus.http.envelope import Envelope, success_response
from nexus.http.error_handlers import install_error_handlers
from nexus.http.long_lived import tune_process
from nexus.http.openapi import document_errors, errors
from nexus.http.request_context import RequestContextMiddleware
from nexus.http.stored_bytes import storage_router
from nexus.metrics.requests import RequestMetrics, RequestMetricsMiddleware
from nexus.schemas.health import HealthOut


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or get_settings()
    if settings.jwt_secret is None:
        raise SettingsError("NEXUS_JWT_SECRET is not set: start Nexus with `make up`, or set it.")
    app = FastAPI(
        title="Nexus BFF",
        version="1",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        responses=errors(400, 401, 403, 413, 429, 503, 507),
    )
    app.state.settings = settings
    app.state.session_factory = get_request_session_factory()
    app.state.local_tokens = LocalTokens(settings.jwt_secret.get_secret_value())
    app.state.auth_limiter = AuthLimiter(settings)
    app.state.request_rate = RequestRate(settings.request_rate)
    app.state.metrics_registry = CollectorRegistry()
    app.include_router(routes_auth.router)
    app.include_router(proxy.router)
    if settings.storage == "local":
        app.include_router(storage_router(settings))
    app.include_router(metrics.router)
    _add_health(app)
    mount_web_app(app)
    install_error_handlers(app)
    document_errors(app)
    # The last one added runs first.
    app.add_middleware(
        BodyLimitMiddleware,
        exempt_prefix="/storage/",
        file_paths=frozenset({proxy.FILE_PATH}),
    )
    app.add_middleware(OwnSiteMiddleware, addresses=OwnAddresses(settings), origin=settings.origin)
    app.add_middleware(
        SecurityHeadersMiddleware,
        https=settings.secure_cookies,
        storage_origin=settings.storage_origin,
    )
    app.add_middleware(
        RequestMetricsMiddleware, metrics=RequestMetrics("bff", app.state.metrics_registry)
    )
    app.add_middleware(RequestContextMiddleware)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    tune_process()
    async with open_lanes(app.state.settings) as lanes:
        app.state.lanes = lanes
        yield


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", tags=["health"], response_model=Envelope[HealthOut])
    def healthz() -> Response:
        return success_response(HealthOut())

    @app.get("/readyz", tags=["health"])
    async def readyz(request: Request) -> Response:
        """Ready when the API is."""
        try:
            response = await request.app.state.lanes.others.client.get("/readyz", timeout=5)
        except Exception as error:
            raise UnavailableError("The API is not responding yet.") from error
        if response.status_code != 200:
            raise UnavailableError(response.json()["error"]["message"])
        return success_response({"status": "ok"})
