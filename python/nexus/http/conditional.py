"""Conditional requests: whether the caller already has what we would send (RFC 9110)."""

import re

from starlette.requests import Request

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def is_unchanged(request: Request, etag: str) -> bool:
    """Whether If-None-Match names this tag: in a list, as a weak tag, or with `*`."""
    given = ",".join(request.headers.getlist("if-none-match"))
    return given.strip() == "*" or etag in _TAG.findall(given)
