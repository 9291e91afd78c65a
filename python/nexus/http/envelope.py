"""The two shapes every JSON answer has: `{"data": …}` and `{"error": …}`."""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from nexus.errors import ApiError
from nexus.logging import current_request_id

T = TypeVar("T")


class Envelope(BaseModel, Generic[T]):
    data: T


class ErrorBody(BaseModel):
    code: str
    message: str
    request_id: str | None


class ErrorEnvelope(BaseModel):
    error: ErrorBody


def success_response(data: BaseModel | dict[str, Any], status_code: int = 200) -> Response:
    """Wrap a result. Models are serialized once, straight to JSON."""
    if isinstance(data, BaseModel):
        body = b'{"data":' + data.model_dump_json().encode() + b"}"
        return Response(body, status_code=status_code, media_type="application/json")
    return JSONResponse({"data": data}, status_code=status_code)


def no_content() -> Response:
    return Response(status_code=204)


def error_response(error: ApiError) -> JSONResponse:
    body = ErrorEnvelope(
        error=ErrorBody(code=error.code, message=error.message, request_id=current_request_id())
    )
    return JSONResponse(body.model_dump(), status_code=error.status, headers=error.headers)
