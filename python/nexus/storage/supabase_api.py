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
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
    WrongAddress,
)
from nexus.storage.supabase_errors import refusal

_JSON = Limits(body_bytes=MIB, seconds=30, silence_seconds=15)
# The service responds to an upload when it has stored it all.
_UPLOAD = Limits(body_bytes=MIB, seconds=600, silence_seconds=120)
# The largest file is 100 MiB: a stream that takes longer than this is stuck.
FILE = Limits(body_bytes=256 * MIB, seconds=600, silence_seconds=15)
_TRIES = 3


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
        """The decoded response to a request, or a typed error."""
        with self.stream(method, path, json=json) as response:
            response.read()
            try:
                return response.json()
            except (RecursionError, ValueError):
                raise WrongAddress("the storage URL did not respond with JSON") from None

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
    try:
        response.read()
    except LimitExceeded:
        return refusal(response.status_code, b"")
    finally:
        response.close()
    return refusal(response.status_code, response.content)


@contextmanager
def _transport_errors() -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException:
        raise StorageUnavailable("the storage service did not respond in time") from None
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise StorageUnavailable(
            f"the storage service could not be reached ({type(error).__name__})"
        ) from None
