"""Conditional requests: whether the caller already has what we would send (RFC 9110)."""

import re
from hashlib import blake2b
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from nexus.http.envelope import success_response

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def is_unchanged(request: Request, etag: str) -> bool:
    """Whether If-None-Match names this tag: in a list, as a weak tag, or with `*`."""
    given = ",".join(request.headers.getlist("if-none-match"))
    return given.strip() == "*" or etag in _TAG.findall(given)


def revalidated(request: Request, data: BaseModel | dict[str, Any]) -> Response:
    """A response that a browser may keep, and must ask about each time it uses it.

    Not without asking: the next request may come from somebody else, or after access was lost. The
    tag is weak, because the front may compress the body.
    """
    response = success_response(data)
    tag = f'"{blake2b(bytes(response.body), digest_size=16).hexdigest()}"'
    headers = {"ETag": f"W/{tag}", "Cache-Control": "private, no-cache"}
    if is_unchanged(request, tag):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response
