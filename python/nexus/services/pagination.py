"""Keyset cursors: opaque to clients, cheap at any depth, stable while rows come and go."""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from nexus.errors import InvalidRequestError
from nexus.text import is_storable

DEFAULT_LIMIT = 50
MAX_LIMIT = 100


def encode_cursor(values: Sequence[object]) -> str:
    """Pack the sort key of a page's last row."""
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    raw = json.dumps(plain, default=str, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decode_cursor(cursor: str, types: Sequence[type]) -> list[Any]:
    """Unpack a cursor into values of the given types; anything else is a bad request."""
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        values = json.loads(raw)
        if not isinstance(values, list) or len(values) != len(types):
            raise ValueError("wrong number of parts")
        return [_parse(value, kind) for value, kind in zip(values, types, strict=True)]
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise bad_cursor() from None


def bad_cursor() -> InvalidRequestError:
    return InvalidRequestError(
        "cursor: this is not a cursor of this list. Start again without a cursor."
    )


def _parse(value: object, kind: type) -> object:
    if kind is bool:
        if not isinstance(value, bool):
            raise ValueError("not a boolean")
        return value
    if not isinstance(value, str) or not is_storable(value):
        raise ValueError("not text")
    if kind is datetime:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError("not a time with a zone")
        return moment
    return UUID(value) if kind is UUID else value
