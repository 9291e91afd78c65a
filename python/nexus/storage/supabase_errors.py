"""What a refusal of Supabase Storage means.

The service responds 400 to almost everything and puts the true status, its code and its error
name into the body. Gateways in front of it, and servers at a mistyped address, refuse with JSON
too: only the service's own code says that an object is missing.
"""

import json
from typing import Any

from nexus.storage.errors import (
    InvalidPath,
    ObjectExists,
    ObjectNotFound,
    ObjectTooLarge,
    RangeBehindEnd,
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
    WrongAddress,
    WrongBucket,
    WrongKey,
)

# 423 is a locked object, 544 the service's own "database timed out".
_TRANSIENT = {423, 429, 500, 502, 503, 504, 544}
_MISSING = {"NoSuchKey", "not_found"}
_NO_BUCKET = {"NoSuchBucket", "Bucket not found"}
_NO_ACCESS = {"AccessDenied", "InvalidJWT", "Unauthorized"}
_TAKEN = {"Duplicate", "KeyAlreadyExists", "ResourceAlreadyExists"}


def refusal(http_status: int, content: bytes) -> StorageError:
    """The error that a response which is no success stands for."""
    body = _object(content)
    status = _status(body) or http_status
    names = {body[name] for name in ("code", "error") if isinstance(body.get(name), str)}
    if status in _TRANSIENT or "TransactionError" in names:
        return StorageUnavailable(f"the storage service responded with {status}")
    if status == 413 or "EntityTooLarge" in names:
        return ObjectTooLarge()
    if status == 416 or "InvalidRange" in names:
        return RangeBehindEnd("the object ends before that")
    if names & _NO_BUCKET or (status == 404 and "InvalidRequest" in names):
        return WrongBucket("the storage bucket does not exist")
    if status in {401, 403} or names & _NO_ACCESS:
        return WrongKey("the storage service refuses the service key")
    if names & _MISSING or _is_lost(http_status, body):
        return ObjectNotFound("nothing is stored there")
    if names & _TAKEN:
        return ObjectExists("an object is already stored there")
    if "InvalidKey" in names:
        return InvalidPath("the storage service refuses the path")
    if not names or status == 404 or "TenantNotFound" in names:
        return WrongAddress(
            f"the storage URL responded with {status}, not as a storage service does"
        )
    return StorageMisconfigured(f"the storage service responded with {status}")


def _object(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _status(body: dict[str, Any]) -> int | None:
    text = str(body.get("statusCode"))
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 3 else None


def _is_lost(http_status: int, body: dict[str, Any]) -> bool:
    """The service has the object's row but not its bytes, and reports it without a code."""
    reported = (http_status, body.get("statusCode"), body.get("error"))
    return reported == (400, "404", "Not found")
