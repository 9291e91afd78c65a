"""The parts of Nexus: embedded servers and applications."""

import http.client
import socket
import sys
from pathlib import Path

from nexus.config import Settings
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.server import EmbeddedServer
from nexus.progress import Progress
from nexus.queues import QUEUES
from nexus.supervisor.layout import Layout
from nexus.supervisor.program import Program

# An article takes 40 s at most: the worker may finish the one it is working on.
_WORKER_STOP_SECONDS = 45
_CELERY = [sys.executable, "-m", "celery", "--quiet", "-A", "apps.worker.main:celery_app"]
# What they import in any case, one or the other, before they are forked.
_PRELOAD = (
    *("nexus.api.app", "nexus.bff.app", "nexus.http.guarded", "nexus.tasks.warm"),
    *("uvicorn.main", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.loops.uvloop"),
    *("anyio._backends._asyncio", "celery.bin.celery", "celery.apps.worker"),
    *("celery.app.amqp", "celery.app.control", "celery.app.log", "celery.backends.base"),
    *("celery.worker.components", "celery.worker.consumer", "celery.worker.strategy"),
    *("celery.concurrency.prefork", "kombu.transport.redis", "billiard.popen_fork"),
    *("billiard.sharedctypes", "cffi.cparser"),
)
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104


def embedded_servers(settings: Settings, layout: Layout, say: Progress) -> list[EmbeddedServer]:
    """The servers this installation runs itself."""
    servers: list[EmbeddedServer] = []
    if settings.database_url is None:
        servers.append(EmbeddedPostgres(layout.postgres.root, say=say))
    if settings.redis_url is None:
        servers.append(layout.redis)
    return servers


def server_program(server: EmbeddedServer) -> Program:
    """An embedded server as a supervised program."""
    return Program(
        name=server.name,
        command=server.command(),
        ready=lambda: None if server.is_ready() else "it does not respond",
        stop_signal=server.stop_signal,
        stop_seconds=20,
        user=server.account,
        keeps_data=True,
    )


def application_programs(settings: Settings, layout: Layout) -> list[Program]:
    """API, BFF and worker, which also sends what is due by the clock."""
    host, port = settings.host, settings.port
    # A single worker has no peers to find; looking for them would take a second.
    worker = ["-Q", ",".join(QUEUES), "--without-mingle", "--without-gossip"]
    worker += ["--concurrency", str(settings.worker_concurrency)]
    return [
        Program(
            "api",
            _uvicorn(
                "apps.api.main:app",
                *("--uds", str(layout.api_socket)),
                *("--http", "nexus.http.guarded:GuardedHttpTools"),
            ),
            ready=lambda: socket_problem(layout.api_socket),
            preload=_PRELOAD,
        ),
        Program(
            "bff",
            _uvicorn("apps.bff.main:app", "--host", host, "--port", str(port), *_front(settings)),
            ready=lambda: http_problem(host, port),
            preload=_PRELOAD,
        ),
        Program(
            "worker",
            [*_CELERY, "worker", *worker],
            reports=True,
            stop_seconds=_WORKER_STOP_SECONDS,
            preload=_PRELOAD,
        ),
    ]


def _front(settings: Settings) -> list[str]:
    """What the public server needs besides its address."""
    # The pure-Python parser bounds the size of a request's head; the faster one does not.
    options = ["--http", "nexus.http.guarded:GuardedH11"]
    # Whose forwarded client address is trusted: nobody's, unless configured.
    if settings.trusted_proxies:
        return [*options, "--proxy-headers", "--forwarded-allow-ips", settings.trusted_proxies]
    return [*options, "--no-proxy-headers"]


def _uvicorn(app: str, *where: str) -> list[str]:
    # The applications write their own access log.
    options = ["--no-access-log", "--no-server-header", "--timeout-graceful-shutdown", "5"]
    # WebSockets are not used, and their connections would have no limits.
    options += ["--ws", "none"]
    return [sys.executable, "-m", "uvicorn", app, *where, *options]


def socket_problem(path: Path) -> str | None:
    """None when somebody accepts connections there."""
    with socket.socket(socket.AF_UNIX) as probe:
        return None if probe.connect_ex(str(path)) == 0 else "it accepts no connections"


def http_problem(host: str, port: int, *, timeout: float = 5.0) -> str | None:
    """None when GET /readyz returns 200 there, otherwise what happened instead."""
    connection = http.client.HTTPConnection(_ANY_ADDRESS.get(host, host), port, timeout=timeout)
    try:
        connection.request("GET", "/readyz")
        response = connection.getresponse()
        body = response.read(300).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return f"/readyz cannot be reached ({error})"
    finally:
        connection.close()
    return None if response.status == 200 else f"/readyz returned {response.status}: {body}"
