"""ASGI middleware: how many requests, with which status, and how long they took."""

import time

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Nobody needs to know when a label was first seen, and it doubles the text.
disable_created_metrics()  # type: ignore[no-untyped-call]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestMetrics:
    """The counters of one application; `service` is part of their names."""

    def __init__(self, service: str, registry: CollectorRegistry) -> None:
        self.count = Counter(
            f"nexus_{service}_requests",
            "Requests served.",
            ("method", "route", "status"),
            registry=registry,
        )
        self.seconds = Histogram(
            f"nexus_{service}_request_seconds",
            "Time from the first byte of a request to the last of its response.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=registry,
        )


class RequestMetricsMiddleware:
    """Labels are the route's template and nothing a caller can make up."""

    def __init__(self, app: ASGIApp, *, metrics: RequestMetrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = 500
        started = time.perf_counter()

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting_status)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.count.labels(method, route, str(status)).inc()
            self._metrics.seconds.labels(method, route).observe(time.perf_counter() - started)
