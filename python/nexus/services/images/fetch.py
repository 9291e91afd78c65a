"""Fetching one image under the egress rules, within bytes and seconds."""

from dataclasses import dataclass

import httpx

from nexus.config import Settings
from nexus.errors import ApiError, ForbiddenError, InvalidRequestError, TooLargeError
from nexus.services.egress import EgressError, PrivateTarget, check_url
from nexus.services.egress_http import Deadline, pinned_client
from nexus.services.images.errors import (
    ImageFetchFailedError,
    ImageTimeoutError,
    UnsupportedImageError,
)
from nexus.services.url_parse import names_host

MAX_REDIRECTS = 3
_SILENCE = httpx.Timeout(5.0)
# Identity: a compressed body could be a bomb, and images are compressed already.
_HEADERS = {"Accept": "image/*", "Accept-Encoding": "identity", "User-Agent": "NexusBot/1.0"}


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """How much of an image is read, and for how long."""

    bytes: int = 10 * 1024 * 1024
    seconds: float = 15.0


FOR_A_READER = FetchLimits()


def check_image_url(url: str, settings: Settings) -> str:
    """The URL as a browser reads it; an error when it is not one we fetch from."""
    try:
        target = check_url(url, settings)
    except PrivateTarget as error:
        raise _blocked(error) from None
    except EgressError as error:
        raise InvalidRequestError(f"url: {error.message}") from None
    if not names_host(url):
        raise InvalidRequestError("url: the address has no host")
    if target.has_credentials:
        raise InvalidRequestError("url: the address must not contain a user name or password")
    return target.url


def fetch_image(url: str, settings: Settings, limits: FetchLimits = FOR_A_READER) -> bytes:
    """The body of an image, not yet looked at. Every redirect is checked like the first request."""
    deadline = Deadline(limits.seconds)
    try:
        with (
            deadline,
            pinned_client(
                settings,
                timeout=_SILENCE,
                headers=_HEADERS,
                follow_redirects=True,
                max_redirects=MAX_REDIRECTS,
            ) as client,
            client.stream("GET", url, extensions=deadline.extensions()) as response,
        ):
            _check_head(response, limits)
            body = _read(response, limits)
    except PrivateTarget as error:
        raise _blocked(error) from None
    except httpx.TimeoutException:
        raise ImageTimeoutError from None
    except (EgressError, httpx.HTTPError, httpx.InvalidURL) as error:
        if deadline.passed:
            raise ImageTimeoutError from None
        raise ImageFetchFailedError(str(error)) from error
    if deadline.passed:
        # What was cut off may look whole.
        raise ImageTimeoutError
    return body


def _check_head(response: httpx.Response, limits: FetchLimits) -> None:
    if response.status_code != 200:
        raise ImageFetchFailedError(f"the site answered {response.status_code}")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ImageFetchFailedError("the site sent the image compressed")
    content_type = response.headers.get("content-type", "").lower()
    if not content_type.startswith("image/") or content_type.startswith("image/svg"):
        raise UnsupportedImageError
    announced = response.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limits.bytes:
        raise _too_large()


def _read(response: httpx.Response, limits: FetchLimits) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > limits.bytes:
            raise _too_large()
    return bytes(body)


def _too_large() -> ApiError:
    return TooLargeError("This image is larger than 10 MB.", code="E_IMAGE_TOO_LARGE")


def _blocked(error: EgressError) -> ApiError:
    return ForbiddenError(error.message.capitalize() + ".", code="E_SSRF_BLOCKED")
