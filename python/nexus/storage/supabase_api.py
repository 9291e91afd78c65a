"""Requests to Supabase Storage's REST API: authentication, time limits, retries, typed errors."""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from nexus.outbound.client import bounded_client, within
from nexus.outbound.limits import MIB, LimitExceeded, Limits
from nexus.storage.errors import (
    InvalidPath,
    ObjectExists,
    ObjectNotFound,
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
)

_JSON = Limits(body_bytes=MIB, seconds=30, silence_seconds=15)
# The service answers an upload when it has stored it all.
_UPLOAD = Limits(body_bytes=MIB, seconds=600, silence_seconds=120)
# The largest file is 100 MiB: a stream that takes longer than this is stuck.
FILE = Limits(body_bytes=256 * MIB, seconds=600, silence_seconds=15)
_TRIES = 3
# 544 is the service's own "database timed out".
_TRANSIENT = {429, 500, 502, 503, 504, 544}


class SupabaseApi:
    """One authenticated connection pool. Every call it makes may safely be repeated."""

    def __init__(
        self, url: str, service_key: str, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.base_url = f"{url.rstrip('/')}/storage/v1"
        self._sleep = sleep
        # Redirects are not followed: the key goes to the configured host only.
        self._client = bounded_client(
            _JSON,
            headers={"apikey": service_key, "Authorization": f"Bearer {service_key}"},
            kept_connections=20,
            proxied_for=url,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def call(self, method: str, path: str, json: object = None) -> Any:
        """The decoded answer to a request, or a typed error."""
        with self.stream(method, path, json=json) as response:
            response.read()
            try:
                return response.json()
            except (RecursionError, ValueError):
                raise StorageMisconfigured("the storage URL did not answer with JSON") from None

    def upload(self, url: str, *, chunks: Iterable[bytes], headers: dict[str, str]) -> None:
        """Send bytes to a signed URL, once: they cannot be taken from the start again."""
        with _transport_errors():
            response = self._client.put(
                url, content=iter(chunks), headers=headers, extensions=within(_UPLOAD)
            )
            if not response.is_success:
                raise _failure(response)

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        headers: dict[str, str] | None = None,
        limits: Limits = _JSON,
    ) -> Iterator[httpx.Response]:
        """A successful response whose body is still to be read."""
        request = self._client.build_request(
            method,
            f"{self.base_url}/{path}",
            json=json,
            headers=headers,
            extensions=within(limits),
        )
        response = self._send(request)
        try:
            with _transport_errors():
                yield response
        finally:
            response.close()

    def _send(self, request: httpx.Request) -> httpx.Response:
        for attempt in range(1, _TRIES + 1):
            try:
                with _transport_errors():
                    response = self._client.send(request, stream=True)
                    if response.is_success:
                        return response
                    raise _failure(response)
            except StorageMisconfigured:
                raise
            except StorageUnavailable:
                if attempt == _TRIES:
                    raise
            self._sleep(0.2 * 4 ** (attempt - 1) * random.uniform(0.5, 1.5))  # noqa: S311
        raise AssertionError("unreachable")


def _failure(response: httpx.Response) -> StorageError:
    # The service answers 400 for almost everything and puts the true status into the body.
    try:
        response.read()
        body = response.json()
    except (LimitExceeded, RecursionError, ValueError):
        body = None
    finally:
        response.close()
    if not isinstance(body, dict):
        return _failure_of_gateway(response.status_code)
    status = int(body["statusCode"]) if str(body.get("statusCode")).isdecimal() else 0
    status = status or response.status_code
    words = {str(body.get(name)) for name in ("error", "code", "message")}
    if status in _TRANSIENT:
        return StorageUnavailable(f"the storage service answered {status}")
    if words & {"Bucket not found", "NoSuchBucket"}:
        return StorageMisconfigured("the storage bucket does not exist")
    if status in {401, 403} or words & {"InvalidJWT", "Unauthorized", "AccessDenied"}:
        return StorageMisconfigured("the storage service refuses the service key")
    if status == 404:
        return ObjectNotFound("nothing is stored there")
    if status == 409:
        return ObjectExists("an object is already stored there")
    if "InvalidKey" in words:
        return InvalidPath("the storage service refuses the path")
    return StorageMisconfigured(f"the storage service answered {status}")


def _failure_of_gateway(status: int) -> StorageError:
    # Not the service's own words, so never proof that an object is missing.
    if status in _TRANSIENT:
        return StorageUnavailable(f"the storage service answered {status}")
    return StorageMisconfigured(f"the storage URL answered {status}, not as a storage service does")


@contextmanager
def _transport_errors() -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException:
        raise StorageUnavailable("the storage service did not answer in time") from None
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise StorageUnavailable(
            f"the storage service could not be reached ({type(error).__name__})"
        ) from None
