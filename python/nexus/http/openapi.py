"""The OpenAPI document describes what the API really returns."""

from typing import Any

from fastapi import FastAPI

from nexus.http.envelope import ErrorEnvelope

ErrorResponses = dict[int | str, dict[str, Any]]

_MEANINGS = {
    400: "The request is not valid",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not there, or not yours to see",
    409: "Not possible in the current state",
    413: "Too large",
    415: "Not a supported type of file",
    429: "Too many requests",
    500: "Internal error",
    502: "Another site failed",
    504: "Another site took too long",
    503: "A part of Nexus cannot be reached",
    507: "The disk is full",
}

NOT_MODIFIED: ErrorResponses = {304: {"description": "Unchanged"}}


def errors(*statuses: int) -> ErrorResponses:
    """Document the error responses of a route or of a whole app."""
    return {
        status: {"model": ErrorEnvelope, "description": _MEANINGS[status]} for status in statuses
    }


def document_errors(app: FastAPI) -> None:
    """Drop FastAPI's 422 from the document: validation errors are 400 in the envelope."""
    generate = app.openapi

    def without_422() -> dict[str, Any]:
        document = generate()
        for path in document["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        for unused in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(unused, None)
        return document

    app.openapi = without_422  # type: ignore[method-assign]


def document_limits(app: FastAPI, limits: dict[str, Any]) -> None:
    """Put limits into the document, which the web app takes them from."""
    generate = app.openapi
    app.openapi = lambda: generate() | {"x-limits": limits}  # type: ignore[method-assign]
