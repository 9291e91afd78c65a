"""Requests to Supabase Storage's REST API: authentication, time limits, retries, typed errors."""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from nexus.storage.errors import (
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
    WrongAddress,
)
from nexus.storage.supabase_errors import refusal

_TIMEOUT = httpx.Timeout(15.0, connect=5.0)
# The service answers an upload when it has stored it all.
_UPLOAD_TIMEOUT = httpx.Timeout(120.0, connect=5.0)
_TRIES = 3


class SupabaseApi:
    """One authenticated connection pool. Every call it makes may safely be repeated."""

    def __init__(
        self, url: str, service_key: str, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.base_url = f"{url.rstrip('/')}/storage/v1"
        self._sleep = sleep
        self._client = httpx.Client(
            headers={
                "apikey": service_key,
                "Authorization": f"Bearer {service_key}",
                "Accept-Encoding": "identity",
            },
            timeout=_TIMEOUT,
            follow_redirects=False,  # the key goes to the configured host only
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
            except ValueError:
                raise WrongAddress("the storage URL did not respond with JSON") from None

    def upload(self, url: str, *, chunks: Iterable[bytes], headers: dict[str, str]) -> None:
        """Send bytes to a signed URL, once: they cannot be taken from the start again."""
        with _transport_errors():
            response = self._client.put(
                url, content=iter(chunks), headers=headers, timeout=_UPLOAD_TIMEOUT
            )
            if not response.is_success:
                raise _failure(response)

    @contextmanager
    def stream(
        self, method: str, path: str, *, json: object = None, headers: dict[str, str] | None = None
    ) -> Iterator[httpx.Response]:
        """A successful response whose body is still to be read."""
        request = self._client.build_request(
            method, f"{self.base_url}/{path}", json=json, headers=headers
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
    finally:
        response.close()
    return refusal(response.status_code, response.content)


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
