"""Fetching one image under the egress rules, within bytes and seconds."""

from dataclasses import dataclass

import httpx

from nexus.config import Settings
from nexus.egress.guard import EgressError, Guard, PrivateTarget, check_url
from nexus.egress.http import open_public
from nexus.egress.url_parse import names_host
from nexus.errors import ApiError, ForbiddenError, InvalidRequestError, TooLargeError
from nexus.images.errors import (
    ImageFetchFailedError,
    ImageTimeoutError,
    UnsupportedImageError,
)
from nexus.outbound.limits import BodyTooLarge, Limits

_HEADERS = {"Accept": "image/*", "User-Agent": "NexusBot/1.0"}


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """How much of an image is read, and for how long."""

    bytes: int = 10 * 1024 * 1024
    seconds: float = 15.0


FOR_A_READER = FetchLimits()


def check_image_url(url: str, settings: Settings) -> str:
    """The URL as a browser reads it; raises if it is not one we fetch from."""
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


def fetch_image(
    url: str, settings: Settings, limits: FetchLimits = FOR_A_READER
) -> bytes | bytearray:
    """The body of an image, not yet inspected. Every redirect is checked like the first request."""
    guard = Guard.from_settings(settings)
    within = Limits(body_bytes=limits.bytes, seconds=limits.seconds)
    try:
        with open_public(url, guard, within, headers=_HEADERS) as response:
            _check_head(response)
            body = bytearray()
            for chunk in response.iter_raw():
                body += chunk
            return body
    except PrivateTarget as error:
        raise _blocked(error) from None
    except httpx.TimeoutException:
        raise ImageTimeoutError from None
    except BodyTooLarge:
        raise TooLargeError("This image is larger than 10 MB.", code="E_IMAGE_TOO_LARGE") from None
    except (EgressError, httpx.HTTPError) as error:
        raise ImageFetchFailedError(str(error)) from error


def _check_head(response: httpx.Response) -> None:
    if response.status_code != 200:
        raise ImageFetchFailedError(f"the site returned status {response.status_code}")
    content_type = response.headers.get("content-type", "").lower()
    if not content_type.startswith("image/") or content_type.startswith("image/svg"):
        raise UnsupportedImageError


def _blocked(error: EgressError) -> ApiError:
    return ForbiddenError(error.message.capitalize() + ".", code="E_SSRF_BLOCKED")
