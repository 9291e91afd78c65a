"""The one place where exceptions become HTTP responses, for the API and the BFF alike."""

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from psycopg.errors import DiskFull
from sqlalchemy.exc import DataError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nexus.disk import is_disk_full
from nexus.errors import (
    ApiError,
    InvalidRequestError,
    NotFoundError,
    StorageFullError,
    UnavailableError,
)
from nexus.http.envelope import error_response
from nexus.logging import get_logger
from nexus.storage.errors import StorageError, StorageFull, StorageMisconfigured

logger = get_logger(__name__)

# A message may quote the request; it stays something a person can read.
_MAX_MESSAGE = 500
_HTTP_CODES = {401: "E_UNAUTHENTICATED", 403: "E_FORBIDDEN", 405: "E_METHOD_NOT_ALLOWED"}


def install_error_handlers(app: FastAPI) -> None:
    """Turn every exception into an error envelope; no bare 422 or traceback gets out."""
    app.add_exception_handler(ApiError, _handler(lambda error: error))
    app.add_exception_handler(RequestValidationError, _handler(_from_validation))
    app.add_exception_handler(HTTPException, _handler(_from_http))
    # Text that Postgres cannot store, or a number out of its range: the caller's mistake.
    app.add_exception_handler(
        DataError,
        _handler(lambda _: InvalidRequestError("A value in the request is out of range.")),
    )
    # Nobody reads this response: the caller left before the request was complete.
    app.add_exception_handler(
        ClientDisconnect, _handler(lambda _: InvalidRequestError("The request was incomplete."))
    )
    for unreachable in (OperationalError, InterfaceError, PoolTimeoutError):
        app.add_exception_handler(unreachable, _handler(_from_database))
    app.add_exception_handler(StorageError, _handler(_from_storage))
    app.add_exception_handler(OSError, _handler(_from_system))
    # The framework handles these outside all middleware; ours comes first, so that a 500 has its
    # request id and security headers too.
    app.add_exception_handler(Exception, _handler(_from_unexpected))
    app.add_middleware(UnexpectedErrorMiddleware)


class UnexpectedErrorMiddleware:
    """ASGI middleware, the innermost: logs an unexpected error and responds with the envelope."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noting_start(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noting_start)
        except Exception as error:
            # Half a response cannot be taken back: the server must drop the connection.
            if scope["type"] != "http" or started:
                raise
            await error_response(_from_unexpected(error))(scope, receive, send)


def _handler(
    translate: Callable[..., ApiError],
) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handler(_request: Request, error: Exception) -> Response:
        return error_response(translate(error))

    return handler


def _from_validation(error: RequestValidationError) -> ApiError:
    problems = [_describe(problem) for problem in error.errors()[:3]]
    message = "; ".join(problems) or "The request is not valid."
    if len(message) > _MAX_MESSAGE:
        message = message[: _MAX_MESSAGE - 1] + "…"
    return InvalidRequestError(message)


def _describe(problem: dict[str, object]) -> str:
    if problem["type"] == "json_invalid":
        return "The body is not valid JSON."
    location = problem["loc"]
    assert isinstance(location, tuple)
    # Parts in brackets name the model's internals, not the caller's fields.
    where = ".".join(str(part) for part in location[1:] if "[" not in str(part))
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def _from_http(error: HTTPException) -> ApiError:
    # FastAPI hides errors raised while a body is read, such as the limit on its size.
    if isinstance(error.__cause__, ApiError):
        return error.__cause__
    if error.status_code == 404:
        return NotFoundError("There is nothing at this address.")
    code = _HTTP_CODES.get(error.status_code, "E_INVALID_REQUEST")
    headers = dict(error.headers or {})
    return ApiError(code, str(error.detail), status=error.status_code, headers=headers)


def _from_database(error: Exception) -> ApiError:
    reason = str(error).splitlines()[0]
    if isinstance(getattr(error, "orig", None), DiskFull):
        logger.error("disk_full", error=reason)
        return StorageFullError()
    logger.error("database_unreachable", error=reason)
    return UnavailableError()


def _from_system(error: OSError) -> ApiError:
    if is_disk_full(error):
        logger.error("disk_full", error=str(error))
        return StorageFullError()
    return _from_unexpected(error)


def _from_storage(error: Exception) -> ApiError:
    logger.error("storage_failed", error=str(error))
    if isinstance(error, StorageFull):
        return StorageFullError()
    if isinstance(error, StorageMisconfigured):
        return UnavailableError(
            "The file store of this server is not set up correctly. Ask the person who runs it to "
            "run `nexus doctor`."
        )
    return UnavailableError("The file store cannot be used right now. Try again in a moment.")


def _from_unexpected(error: Exception) -> ApiError:
    logger.error("unexpected_error", exc_info=error)
    return ApiError(
        "E_INTERNAL",
        "Something went wrong on the server. Try again; if it keeps happening, give the request id "
        "to the person who runs this server.",
        status=500,
    )
