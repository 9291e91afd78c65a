"""Structured logs: one JSON object per line, with the request id that ties browser to worker."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# structlog colours tracebacks with rich where that is installed, which our logs have no use for: it
# would be 7 MiB and 60 ms of every process.
_rich = sys.modules.get("rich")
sys.modules["rich"] = None  # type: ignore[assignment]

import structlog  # noqa: E402
from structlog.typing import EventDict, WrappedLogger  # noqa: E402

if _rich is None:
    del sys.modules["rich"]
else:
    sys.modules["rich"] = _rich

from nexus.config import Settings  # noqa: E402

_SECRET_KEYS = frozenset(
    {"password", "authorization", "cookie", "set-cookie", "token", "secret", "x-nexus-internal"}
)


# Libraries that log every step they take.
QUIETED = ("httpx", "httpcore", "uvicorn.access", "alembic.runtime.migration")


def configure_logging(settings: Settings, *, service: str) -> None:
    """Send structlog and stdlib logging alike to stdout, in one format."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _redact,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    # Tracebacks without local variables: those hold passwords and tokens.
    plain = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    render: list[structlog.typing.Processor] = (
        [structlog.processors.ExceptionRenderer(plain), structlog.processors.JSONRenderer()]
        if settings.log_format == "json"
        else [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for name in QUIETED:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.contextvars.bind_contextvars(service=service)


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


@contextmanager
def task_log_context(request_id: str | None, **extra: object) -> Iterator[None]:
    """Give every log line inside the block the request id that caused this task."""
    values = {key: str(value) for key, value in extra.items() if value is not None}
    with structlog.contextvars.bound_contextvars(request_id=request_id, **values):
        yield


def current_request_id() -> str | None:
    """The id of the request or task being handled, if any."""
    value = structlog.contextvars.get_contextvars().get("request_id")
    return None if value is None else str(value)


def _redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for key in event:
        if key.lower() in _SECRET_KEYS:
            event[key] = "[redacted]"
    return event
